#include "carom/contact/cones/scaled_cones.h"

#include <algorithm>

#include "carom/math/dense.h"

namespace carom {

ScaledCones::ScaledCones(const ConeProblem& problem, double share) {
  const std::size_t rows = problem.q.size();
  const auto diagonal = [&](std::size_t i) { return problem.W[i * rows + i]; };
  const auto of_size = [](double w) { return w > 0.0 ? 1.0 / std::sqrt(w) : 1.0; };
  const auto add = [&](std::size_t row, double scale) {
    row_.push_back(row), scale_.push_back(scale);
  };
  for (std::size_t i = 0; i < problem.bilateral; ++i) {
    blocks.push_back({ConeBlock::Kind::free, row_.size(), 0});
    add(i, of_size(diagonal(i)));
  }
  for (std::size_t c = 0; c < problem.mu.size(); ++c) {
    const std::size_t i = problem.bilateral + 3 * c;
    const double mu = share * problem.mu[c];
    const bool is_cone = mu > 0.0;
    blocks.push_back({is_cone ? ConeBlock::Kind::cone : ConeBlock::Kind::single, row_.size(), c});
    if (!is_cone) {
      add(i, of_size(diagonal(i)));
      continue;
    }
    const double s = of_size((diagonal(i) + diagonal(i + 1) + diagonal(i + 2)) / 3.0);
    add(i, s / mu), add(i + 1, s), add(i + 2, s);
  }
  const std::size_t n = row_.size();
  q.resize(n), W.resize(n * n);
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    largest = std::max(largest, std::abs(scale_[i] * problem.q[row_[i]]));
  }
  unit_ = largest > 0.0 ? largest : 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    q[i] = scale_[i] * problem.q[row_[i]] / unit_;
    for (std::size_t j = 0; j < n; ++j) {
      W[i * n + j] = scale_[i] * problem.W[row_[i] * rows + row_[j]] * scale_[j];
    }
  }
}

std::vector<double> ScaledCones::scaled(std::span<const double> r) const {
  std::vector<double> out(size());
  for (std::size_t i = 0; i < size(); ++i) out[i] = r[row_[i]] / (scale_[i] * unit_);
  return out;
}

void ScaledCones::unscale(std::span<const double> scaled, std::span<double> r) const {
  std::fill(r.begin(), r.end(), 0.0);
  for (std::size_t i = 0; i < size(); ++i) r[row_[i]] = scale_[i] * unit_ * scaled[i];
}

void ScaledCones::velocities(std::span<const double> r, std::span<double> u) const {
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = q[i];
    for (std::size_t j = 0; j < n; ++j) sum += W[i * n + j] * r[j];
    u[i] = sum;
  }
}

double ScaledCones::terms(std::span<const double> r) const {
  const std::size_t n = size();
  double largest = 1.0;  // max |q| is 1
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j) sum += std::abs(W[i * n + j] * r[j]);
    largest = std::max(largest, sum);
  }
  return largest;
}

ScaledCones::Residual ScaledCones::residual(std::span<const double> r) const {
  const std::size_t n = size();
  std::vector<double> u(n);
  velocities(r, u);
  Residual worst;
  for (const ConeBlock& b : blocks) {
    const std::size_t i = b.first;
    double error = 0.0;
    if (b.kind == ConeBlock::Kind::free) {
      error = std::abs(u[i]);
    } else if (b.kind == ConeBlock::Kind::single) {
      error = std::abs(r[i] - std::max(0.0, r[i] - u[i]));
    } else {
      const double lift = std::hypot(u[i + 1], u[i + 2]);
      const Triple z = {r[i] - u[i] - lift, r[i + 1] - u[i + 1], r[i + 2] - u[i + 2]};
      const Triple p = project_lorentz(z).at;
      for (std::size_t k = 0; k < 3; ++k) error = std::max(error, std::abs(r[i + k] - p[k]));
    }
    if (!(error <= worst.value)) worst = {error, b.contact};
  }
  worst.value /= terms(r);
  return worst;
}

void ScaledCones::project(std::span<double> r) const {
  for (const ConeBlock& b : blocks) {
    const std::size_t i = b.first;
    if (b.kind == ConeBlock::Kind::single) r[i] = std::max(0.0, r[i]);
    if (b.kind != ConeBlock::Kind::cone) continue;
    const Triple p = project_lorentz({r[i], r[i + 1], r[i + 2]}).at;
    std::copy(p.begin(), p.end(), r.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

std::vector<double> ScaledCones::stick() const {
  std::vector<double> minus_q(q);
  for (double& x : minus_q) x = -x;
  return solve_min_norm(W, minus_q);
}

}  // namespace carom
