#include "carom/contact/cones/impact.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/cones/cone_solver.h"

namespace carom {
namespace {

std::vector<double> product(std::span<const double> W, std::span<const double> P) {
  const std::size_t n = P.size();
  std::vector<double> u(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) u[i] += W[i * n + j] * P[j];
  }
  return u;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

ConeAnswer solve_newton(const ImpactProblem& p, double factor, std::span<double> P) {
  std::vector<double> q(p.u.begin(), p.u.end());
  for (std::size_t c = 0; c < p.mu.size(); ++c) {
    if (q[3 * c] < -p.still) q[3 * c] *= 1.0 + factor * p.restitution[c];
  }
  return solve_cones({p.W, q, 0, p.mu}, P);
}

}  // namespace

ImpactWork impact_work(const ImpactProblem& p, std::span<const double> P) {
  const std::vector<double> change = product(p.W, P);
  ImpactWork work;
  for (std::size_t i = 0; i < P.size(); ++i) {
    (i % 3 == 0 ? work.normal : work.tangential) += (p.u[i] + 0.5 * change[i]) * P[i];
  }
  return work;
}

ImpactAnswer solve_impact(const ImpactProblem& p, std::span<double> P) {
  ImpactAnswer answer;
  answer.cones = solve_newton(p, 1.0, P);
  if (!answer.cones.solved) return answer;
  const double energy = impact_work(p, P).sum();
  double size = 0.0;
  for (std::size_t i = 0; i < P.size(); ++i) size += std::abs(p.u[i] * P[i]);
  if (energy <= 1e-14 * size) return answer;
  std::vector<double> plastic(P.size(), 0.0);
  answer.cones = solve_newton(p, 0.0, plastic);
  if (!answer.cones.solved) return answer;
  // Work along P0 + s D is c + b s + a s², and c is not positive.
  std::vector<double> D(P.begin(), P.end());
  for (std::size_t i = 0; i < D.size(); ++i) D[i] -= plastic[i];
  const std::vector<double> WD = product(p.W, D);
  const double a = 0.5 * dot(D, WD), b = dot(p.u, D) + dot(plastic, WD);
  const double c = std::min(0.0, impact_work(p, plastic).sum());
  const double root = std::sqrt(std::max(0.0, b * b - 4.0 * a * c));
  answer.share = std::clamp(b > 0.0 ? -2.0 * c / (b + root) : (root - b) / (2.0 * a), 0.0, 1.0);
  for (std::size_t i = 0; i < P.size(); ++i) P[i] = plastic[i] + answer.share * D[i];
  return answer;
}

}  // namespace carom
