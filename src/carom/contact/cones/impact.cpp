#include "carom/contact/cones/impact.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/cones/cone_solver.h"
#include "carom/contact/cones/energetic_impact.h"

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

/// Velocities with which restitution asks for more than none.
std::vector<double> wanted(const ImpactProblem& p, double factor) {
  std::vector<double> q(p.u.begin(), p.u.end());
  for (std::size_t c = 0; c < p.mu.size(); ++c) {
    if (q[3 * c] < -p.still) q[3 * c] *= 1.0 + factor * p.restitution[c];
  }
  return q;
}

ConeAnswer solve_newton(const ImpactProblem& p, double factor, std::span<double> P) {
  const std::vector<double> q = wanted(p, factor);
  return solve_cones({p.W, q, 0, p.mu}, P);
}

/// One unknown per point: its column is that of n - mu d.
ConeAnswer solve_paper(const ImpactProblem& p, std::span<double> P) {
  const std::size_t n = p.u.size(), m = p.mu.size();
  std::vector<double> W(p.W.begin(), p.W.end()), c1(m), c2(m);
  for (std::size_t c = 0; c < m; ++c) {
    const double speed = std::hypot(p.u[3 * c + 1], p.u[3 * c + 2]);
    const double size = std::max(speed, p.slow);
    if (!(size > 0.0)) continue;
    c1[c] = p.mu[c] * p.u[3 * c + 1] / size, c2[c] = p.mu[c] * p.u[3 * c + 2] / size;
    for (std::size_t i = 0; i < n; ++i) {
      W[i * n + 3 * c] -= c1[c] * p.W[i * n + 3 * c + 1] + c2[c] * p.W[i * n + 3 * c + 2];
    }
  }
  const std::vector<double> q = wanted(p, 1.0), smooth(m, 0.0);
  const ConeAnswer answer = solve_cones({W, q, 0, smooth}, P);
  for (std::size_t c = 0; c < m; ++c) {
    P[3 * c + 1] = -c1[c] * P[3 * c], P[3 * c + 2] = -c2[c] * P[3 * c];
  }
  return answer;
}

/// Friction of points whose normal impulses N are known: |r_t| <= mu N against the slip u after it,
/// sweep by sweep. u comes with what the normal impulses do.
void rub(const ImpactProblem& p, std::span<const double> N, std::vector<double>& u,
         std::span<double> r) {
  constexpr int kMost = 20000;
  constexpr double kDone = 1e-15;
  const std::size_t n = u.size();
  for (int sweep = 0; sweep < kMost; ++sweep) {
    double most = 0.0, size = 0.0;
    for (std::size_t c = 0; c < N.size(); ++c) {
      const std::size_t i = 3 * c + 1, j = i + 1;
      const double radius = p.mu[c] * N[c];
      if (!(radius > 0.0)) continue;
      const double a = p.W[i * n + i], b = p.W[i * n + j], d = p.W[j * n + j];
      const double stiff = 0.5 * (a + d) + std::hypot(0.5 * (a - d), b);  // largest eigenvalue
      if (!(stiff > 0.0)) continue;
      double x = r[i] - u[i] / stiff, y = r[j] - u[j] / stiff;
      const double length = std::hypot(x, y);
      if (length > radius) x *= radius / length, y *= radius / length;
      const double dx = x - r[i], dy = y - r[j];
      r[i] = x, r[j] = y;
      for (std::size_t k = 0; k < n; ++k) u[k] += p.W[k * n + i] * dx + p.W[k * n + j] * dy;
      most = std::max(most, std::hypot(dx, dy)), size = std::max(size, radius);
    }
    if (most <= kDone * size) return;
  }
}

ConeAnswer solve_poisson(const ImpactProblem& p, std::span<double> P) {
  const std::size_t n = p.u.size(), m = p.mu.size();
  ConeAnswer answer = solve_newton(p, 0.0, P);
  if (!answer.solved) return answer;
  std::vector<double> back(n, 0.0), N(m);
  for (std::size_t c = 0; c < m; ++c) {
    back[3 * c] = N[c] = p.u[3 * c] < -p.still ? p.restitution[c] * P[3 * c] : 0.0;
  }
  // A point that did not approach and was pressed gives back as much as those that pressed it.
  double most = 0.0;
  for (std::size_t c = 0; c < m; ++c) {
    if (p.u[3 * c] < -p.still) most = std::max(most, p.restitution[c]);
  }
  for (std::size_t c = 0; c < m; ++c) {
    if (!(p.u[3 * c] < -p.still)) back[3 * c] = N[c] = most * P[3 * c];
  }
  for (std::size_t i = 0; i < n; ++i) back[i] += P[i];
  std::vector<double> u = product(p.W, back);
  for (std::size_t i = 0; i < n; ++i) u[i] += p.u[i];
  std::vector<double> r(n, 0.0);
  rub(p, N, u, r);
  for (std::size_t i = 0; i < n; ++i) P[i] = back[i] + r[i];
  const auto approaches = [&] {
    for (std::size_t c = 0; c < m; ++c) {
      if (u[3 * c] < -p.still) return true;
    }
    return false;
  };
  if (!approaches()) return answer;
  std::vector<double> more(n, 0.0);
  ImpactProblem rest = p;
  rest.u = u;
  answer = solve_newton(rest, 0.0, more);
  for (std::size_t i = 0; i < n; ++i) P[i] += more[i];
  return answer;
}

/// Of one point that approaches. Where friction would press the bodies into each other without end
/// the plastic impact stops them.
ConeAnswer solve_stronge(const ImpactProblem& p, std::span<double> P) {
  ConeAnswer answer;
  answer.solved = solve_energetic(p.W, p.u, p.mu[0], p.restitution[0], P);
  return answer.solved ? answer : solve_newton(p, 0.0, P);
}

ConeAnswer solve_law(const ImpactProblem& p, std::span<double> P) {
  if (p.law == ImpactLaw::energetic) {
    return p.mu.size() == 1 && p.u[0] < 0.0 ? solve_stronge(p, P) : solve_poisson(p, P);
  }
  if (p.law == ImpactLaw::poisson) return solve_poisson(p, P);
  return p.law == ImpactLaw::paper ? solve_paper(p, P) : solve_newton(p, 1.0, P);
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
  answer.cones = solve_law(p, P);
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
