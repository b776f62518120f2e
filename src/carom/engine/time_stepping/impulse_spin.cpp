// Friction against turning about the normal of a point, in the impulses of a time step:
//
//   |m| <= rho mu r_n,  m against the turning w;   m <- P(m - w / w_s)                      (1)
//
// beside (3) of impulse_solver.h. (1) takes energy, whatever r_n is: m w <= 0.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/time_stepping/impulse_solver.h"

namespace carom {

double ImpulseSolver::spin_velocity(const StepPoint& p) const {
  double w = p.spin_drift;
  const auto add = [&](Mover m, double sign, std::size_t jac) {
    if (m < 0) return;
    if (!is_tree(m)) {
      w += sign * dot(p.n, bodies[at(m)].w);
      return;
    }
    const StepTree& t = tree(m);  // the sign is in the row
    for (std::size_t k = 0; k < t.count; ++k) w += jacobian[jac + k] * y[t.start + k];
  };
  add(p.b, 1.0, p.spin_b);
  add(p.a, -1.0, p.spin_a);
  return w;
}

void ImpulseSolver::push_spin(const StepPoint& p, double impulse) {
  const auto add = [&](Mover m, double sign, std::size_t jac) {
    if (m < 0) return;
    if (!is_tree(m)) {
      bodies[at(m)].w += (sign * impulse) * (bodies[at(m)].inverse * p.n);
      return;
    }
    const StepTree& t = tree(m);
    for (std::size_t k = 0; k < t.count; ++k) {
      y[t.start + k] += t.mobility * impulse * jacobian[jac + k];
    }
  };
  add(p.b, 1.0, p.spin_b);
  add(p.a, -1.0, p.spin_a);
}

double ImpulseSolver::spin_mobility(const StepPoint& p) const {
  double mobility = 0.0;
  const auto add = [&](Mover m, std::size_t jac) {
    if (m < 0) return;
    if (!is_tree(m)) {
      mobility += dot(p.n, bodies[at(m)].inverse * p.n);
      return;
    }
    const StepTree& t = tree(m);
    for (std::size_t k = 0; k < t.count; ++k) {
      mobility += t.mobility * jacobian[jac + k] * jacobian[jac + k];
    }
  };
  add(p.b, p.spin_b);
  add(p.a, p.spin_a);
  return mobility;
}

/// Returns by how much the slip at the spin radius was wrong.
double ImpulseSolver::sweep_spin(StepPoint& p) {
  if (!(p.w_s > 0.0)) return 0.0;
  const double wanted = p.spin - spin_velocity(p) / p.w_s;
  if (!p.spins && std::abs(wanted) > p.spin_radius * p.mu_s * p.normal) p.spins = true;
  const double most = p.spin_radius * (p.spins ? p.mu_k : p.mu_s) * p.normal;
  const double more = std::clamp(wanted, -most, most) - p.spin;
  p.spin += more;
  if (more != 0.0) push_spin(p, more);
  return std::abs(more) * p.w_s * p.spin_radius;
}

}  // namespace carom
