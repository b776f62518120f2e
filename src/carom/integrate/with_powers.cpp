#include "carom/integrate/with_powers.h"

#include <algorithm>
#include <cmath>

namespace carom {

Status WithPowers::rhs(double t, std::span<const double> x, std::span<double> xdot) {
  const std::size_t n = states();
  const Status status = inner_.rhs(t, x.first(n), xdot.first(n));
  if (status == Status::ok) inner_.powers(xdot.subspan(n));  // (1)
  return status;
}

void WithPowers::error_weights(std::span<const double> x, double rtol, double atol,
                               std::span<double> w) const {
  // A step may err in a row by ten times what it may err in the motion: ten tolerances of the
  // energy in play. Less would make methods creep where a stiff contact is driven.
  constexpr double kShare = 10.0;
  const std::size_t n = states();
  inner_.error_weights(x.first(n), rtol, atol, w.first(n));
  double energy = inner_.power_scale();
  for (const double work : x.subspan(n)) energy += std::abs(work);
  const bool counts = norm_ == Norm::with_work;
  std::ranges::fill(w.subspan(n), counts ? 1.0 / (kShare * rtol * energy) : 0.0);
}

void WithPowers::sizes(std::span<const double> x, double rtol, double atol,
                       std::span<double> s) const {
  const std::size_t n = states();
  inner_.sizes(x.first(n), rtol, atol, s.first(n));
  std::ranges::fill(s.subspan(n), inner_.power_scale());
}

std::span<const int> WithPowers::groups() const {
  const std::span<const int> inner = inner_.groups();
  if (inner_.power_count() == 0) return inner;
  groups_.assign(inner.begin(), inner.end());
  groups_.resize(states(), 0);
  const int next = groups_.empty() ? 0 : *std::ranges::max_element(groups_) + 1;
  groups_.resize(size(), norm_ == Norm::with_work ? next : -1);
  return groups_;
}

/// The integrals are columns and rows of their own: their slopes come from the last iterate.
const SparsePattern* WithPowers::jacobian_pattern() const {
  const SparsePattern* inner = inner_.jacobian_pattern();
  if (!inner || inner_.power_count() == 0) return inner;
  pattern_ = *inner;
  for (std::size_t i = states(); i < size(); ++i) {
    pattern_.rows.push_back(static_cast<int>(i));
    pattern_.start.push_back(static_cast<int>(pattern_.rows.size()));
  }
  return &pattern_;
}

}  // namespace carom
