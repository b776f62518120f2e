#include "carom/contact/cones/cone_newton.h"

#include <algorithm>

#include "carom/base/patience.h"
#include "carom/math/dense.h"

namespace carom {
namespace {

using Kind = ConeBlock::Kind;

constexpr double kShortest = 1e-3;  ///< step of the line search; then it is taken as it is
constexpr double kArmijo = 1e-4;

}  // namespace

/// Fills u, f and D; returns |f|.
double ConeNewton::evaluate(double eps, std::span<const double> centre, std::span<const double> r) {
  const std::size_t n = problem_.size();
  u_.resize(n), f_.resize(n), D_.resize(problem_.blocks.size());
  problem_.velocities(r, u_);
  for (std::size_t i = 0; i < n; ++i) u_[i] += eps * (r[i] - centre[i]);
  for (std::size_t k = 0; k < problem_.blocks.size(); ++k) {
    const ConeBlock& b = problem_.blocks[k];
    const std::size_t i = b.first;
    if (b.kind == Kind::free) {
      f_[i] = u_[i];
      continue;
    }
    if (b.kind == Kind::single) {
      const double z = r[i] - rho_ * u_[i];
      D_[k][0][0] = z > 0.0 ? 1.0 : 0.0;
      f_[i] = r[i] - std::max(0.0, z);
      continue;
    }
    const double lift = std::hypot(u_[i + 1], u_[i + 2]);
    const LorentzProjection p = project_lorentz(
        {r[i] - rho_ * (u_[i] + lift), r[i + 1] - rho_ * u_[i + 1], r[i + 2] - rho_ * u_[i + 2]});
    D_[k] = p.derivative;
    for (std::size_t a = 0; a < 3; ++a) f_[i + a] = r[i + a] - p.at[a];
  }
  double sum = 0.0;
  for (const double x : f_) sum += x * x;
  return std::sqrt(sum);
}

void ConeNewton::build_jacobian(double eps) {
  const std::size_t n = problem_.size();
  const std::vector<double>& W = problem_.W;
  J_.assign(n * n, 0.0);
  for (std::size_t k = 0; k < problem_.blocks.size(); ++k) {
    const ConeBlock& b = problem_.blocks[k];
    const std::size_t i = b.first, rows = b.kind == Kind::cone ? 3 : 1;
    Triples DE{};  // rho D E; the rows of a joint are those of W
    if (b.kind != Kind::cone) DE[0][0] = b.kind == Kind::free ? 1.0 : rho_ * D_[k][0][0];
    if (b.kind == Kind::cone) {
      const double speed = std::hypot(u_[i + 1], u_[i + 2]);
      const double t[2] = {speed > 0.0 ? u_[i + 1] / speed : 0.0,
                           speed > 0.0 ? u_[i + 2] / speed : 0.0};
      for (std::size_t a = 0; a < 3; ++a) {
        const Triple& d = D_[k][a];
        DE[a] = {rho_ * d[0], rho_ * (d[1] + d[0] * t[0]), rho_ * (d[2] + d[0] * t[1])};
      }
    }
    for (std::size_t a = 0; a < rows; ++a) {
      double* out = &J_[(i + a) * n];
      for (std::size_t c = 0; c < rows; ++c) {
        if (DE[a][c] == 0.0) continue;
        const double* w = &W[(i + c) * n];
        for (std::size_t j = 0; j < n; ++j) out[j] += DE[a][c] * w[j];
        out[i + c] += eps * DE[a][c];
      }
      if (b.kind == Kind::free) continue;
      for (std::size_t c = 0; c < rows; ++c) out[i + c] += (a == c ? 1.0 : 0.0) - D_[k][a][c];
    }
  }
}

bool ConeNewton::solve(double eps, std::span<const double> centre, int most_iterations,
                       double tolerance, std::vector<double>& r) {
  const std::size_t n = problem_.size();
  std::vector<double> trial(n);
  double error = evaluate(eps, centre, r);
  for (int k = 0; k < most_iterations && error > tolerance * problem_.terms(r); ++k) {
    if (Patience::is_over()) return false;
    build_jacobian(eps);
    ++iterations_;
    const std::vector<double> step = solve_rows(J_, f_);
    if (!std::all_of(step.begin(), step.end(), [](double x) { return std::isfinite(x); })) {
      return false;
    }
    double length = 1.0, reached = 0.0;
    for (;; length *= 0.5) {
      for (std::size_t i = 0; i < n; ++i) trial[i] = r[i] - length * step[i];
      reached = evaluate(eps, centre, trial);
      if (reached <= (1.0 - kArmijo * length) * error || length < kShortest) break;
    }
    r = trial;
    error = reached;
  }
  return error <= tolerance * problem_.terms(r);
}

}  // namespace carom
