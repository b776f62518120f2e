#include "carom/integrate/difference_jacobian.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace carom {

DifferenceJacobian::DifferenceJacobian(CheckedRhs& rhs, IntegratorStatistics& statistics,
                                       double rtol, double atol)
    : rhs_(rhs), statistics_(statistics), rtol_(rtol), atol_(atol) {
  const std::size_t n = rhs.system().size();
  const SparsePattern* pattern = rhs.system().jacobian_pattern();
  if (pattern != nullptr && !pattern->empty()) {
    pattern_ = with_diagonal(*pattern);
    colouring_ = colour_columns(pattern_);
  } else {
    colouring_.columns.resize(n);
    std::iota(colouring_.columns.begin(), colouring_.columns.end(), 0);
    colouring_.start.resize(n + 1);
    std::iota(colouring_.start.begin(), colouring_.start.end(), 0);
  }
  sizes_.resize(n);
  moved_.resize(n);
  moved_f_.resize(n);
  increment_.resize(n);
}

double DifferenceJacobian::increment(std::size_t j, double x) const {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  return std::sqrt(eps * std::max(std::abs(x), sizes_[j]) * sizes_[j]);  // (1)
}

Status DifferenceJacobian::evaluate_moved(double t, std::span<const double> x,
                                          std::span<const int> columns) {
  Status status = Status::ok;
  for (const double side : {1.0, -1.0}) {
    for (const int column : columns) {
      const auto j = static_cast<std::size_t>(column);
      moved_[j] = x[j] + side * increment(j, x[j]);
      increment_[j] = moved_[j] - x[j];
    }
    status = rhs_(t, moved_, moved_f_);
    if (status != Status::recoverable) break;
  }
  for (const int column : columns) {
    const auto j = static_cast<std::size_t>(column);
    moved_[j] = x[j];
  }
  return status;
}

Status DifferenceJacobian::evaluate(double t, std::span<const double> x, std::span<const double> f,
                                    std::span<double> values, const std::vector<bool>& which) {
  if (which.empty()) ++statistics_.jacobian_evaluations;
  const std::size_t n = x.size();
  rhs_.system().sizes(x, rtol_, atol_, sizes_);
  std::copy(x.begin(), x.end(), moved_.begin());
  for (std::size_t c = 0; c < static_cast<std::size_t>(colouring_.count()); ++c) {
    const auto begin = static_cast<std::size_t>(colouring_.start[c]);
    const auto end = static_cast<std::size_t>(colouring_.start[c + 1]);
    columns_.clear();
    for (std::size_t k = begin; k < end; ++k) {
      const int column = colouring_.columns[k];
      if (which.empty() || which[static_cast<std::size_t>(column)]) columns_.push_back(column);
    }
    if (columns_.empty()) continue;
    const Status status = evaluate_moved(t, x, columns_);
    if (status != Status::ok) return status;
    for (const int column : columns_) {
      const auto j = static_cast<std::size_t>(column);
      const double inverse = 1.0 / increment_[j];
      if (!is_sparse()) {
        for (std::size_t i = 0; i < n; ++i) values[j * n + i] = (moved_f_[i] - f[i]) * inverse;
        continue;
      }
      for (auto k = static_cast<std::size_t>(pattern_.start[j]);
           k < static_cast<std::size_t>(pattern_.start[j + 1]); ++k) {
        const auto i = static_cast<std::size_t>(pattern_.rows[k]);
        values[k] = (moved_f_[i] - f[i]) * inverse;
      }
    }
  }
  return Status::ok;
}

}  // namespace carom
