// Which of their forces the points of round faces take, where more than one choice gives the same
// motion.
//
// The least sum of squares is the choice where all of it lies within the cones. Where it does not,
// a force that only this choice made zero, or brought to its cone, must not end anything. Then
// forces are looked for that keep off their cones, with less friction than there is, as long as
// nothing moves otherwise by that; from these on the points share what changes by least squares.
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/contact/cones/cone_solver.h"
#include "carom/engine/contact/rigid/rigid_rows.h"
#include "carom/engine/contact/rigid/rigid_settler.h"

namespace carom {
namespace {

constexpr double kOnCone = 1e-9;  ///< of the force, as near to its cone
constexpr double kSame = 1e-8;    ///< of the largest acceleration

double largest(std::span<const double> v) {
  double most = 0.0;
  for (const double x : v) most = std::max(most, std::abs(x));
  return most;
}

bool differ(std::span<const double> a, std::span<const double> b, double scale) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) > kSame * scale) return true;
  }
  return false;
}

bool is_on_cone(std::span<const double> r, double mu) {
  return mu > 0.0 && r[0] > 0.0 && std::hypot(r[1], r[2]) > (1.0 - kOnCone) * mu * r[0];
}

}  // namespace

/// Takes forces that keep off the cones of friction where nothing slips.
void RigidSettler::leave_cones(std::span<Touch* const> staying, ForceProblem& p) {
  constexpr std::array kShares{0.6, 0.85, 0.95, 0.99, 0.999, 0.9999};
  const std::vector<double> a = p.accelerations();
  const double scale = largest(p.q);
  bool touches = false;
  for (std::size_t i = 0; i < staying.size(); ++i) {
    const bool rests = std::hypot(a[3 * i + 1], a[3 * i + 2]) <= kSame * scale;
    touches |= rests && is_on_cone({&p.r[3 * i], 3}, p.mu[i]);
  }
  if (!touches || staying.size() < 2) return;
  for (const double share : kShares) {
    ForceProblem less = p;
    for (double& mu : less.mu) mu *= share;
    std::ranges::fill(less.r, 0.0);
    if (!solve_cones({less.W, less.q, 0, less.mu}, less.r, false, true).solved) continue;
    if (differ(less.accelerations(), a, scale)) continue;
    p.r = less.r;
    return;
  }
}

/// Least squares of what changes around `centre` for the points that are kept; whether they move as
/// they should by it and stay within their cones.
bool RigidSettler::share(std::span<Touch* const> staying, const ForceProblem& p,
                         const std::vector<bool>& keeps, std::vector<double>& centre) const {
  const std::size_t n = p.q.size();
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < staying.size(); ++i) {
    if (!keeps[i]) std::fill_n(&centre[3 * i], 3, 0.0);
    if (!keeps[i]) continue;
    rows.push_back(3 * i);
    if (staying[i]->state != RigidState::sticking || staying[i]->slow > 0.0) continue;
    rows.push_back(3 * i + 1), rows.push_back(3 * i + 2);
  }
  ForceProblem own = p;
  own.r = centre;
  const std::vector<double> a = own.accelerations(), wanted = p.accelerations();
  const std::size_t m = rows.size();
  std::vector<double> A(m * m), b(m);
  for (std::size_t i = 0; i < m; ++i) {
    b[i] = wanted[rows[i]] - a[rows[i]];
    for (std::size_t j = 0; j < m; ++j) A[i * m + j] = p.W[rows[i] * n + rows[j]];
  }
  const std::vector<double> found = solve_by_blocks(A, b);
  for (std::size_t i = 0; i < m; ++i) own.r[rows[i]] += found[i];
  if (differ(own.accelerations(), wanted, largest(p.q))) return false;
  for (std::size_t i = 0; i < staying.size(); ++i) {
    if (!keeps[i]) continue;
    if (!(own.r[3 * i] > 0.0) || is_on_cone({&own.r[3 * i], 3}, p.mu[i])) return false;
  }
  centre = own.r;
  return true;
}

/// Where the least squares of the closed points would leave their cones, what was found is their
/// centre. Points that press little next to the others, and need not, are left out: their forces
/// would vanish at once.
void RigidSettler::centre_forces(std::span<Touch* const> staying, const ForceProblem& p) {
  std::vector<bool> closed, keeps;
  double most = 0.0;
  for (std::size_t i = 0; i < staying.size(); ++i) {
    staying[i]->centre = {};
    closed.push_back(staying[i]->state != RigidState::open);
    most = std::max(most, p.r[3 * i]);
  }
  std::vector<double> centre(p.q.size(), 0.0);
  if (std::ranges::count(closed, true) < 2 || share(staying, p, closed, centre)) return;
  const auto take = [&] {
    for (std::size_t i = 0; i < staying.size(); ++i) {
      const RigidSite& s = staying[i]->actor.site;
      const double* f = &centre[3 * i];
      staying[i]->centre = f[0] * s.n + f[1] * s.t1 + f[2] * s.t2;
      if (!closed[i] || keeps[i]) continue;
      staying[i]->state = RigidState::open, staying[i]->rests = true;
    }
  };
  for (const double part : {0.1, 0.01, 1e-4}) {
    keeps = closed, centre = p.r;
    for (std::size_t i = 0; i < keeps.size(); ++i) {
      keeps[i] = keeps[i] && p.r[3 * i] > part * most;
    }
    if (share(staying, p, keeps, centre)) return take();
  }
  keeps = closed, centre = p.r;
  take();
}

}  // namespace carom
