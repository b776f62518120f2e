// Trees of joints in the impulses of a time step, and rows of one number.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/time_stepping/impulse_solver.h"

namespace carom {
namespace {

/// f = F(u + w h f) with F that never rises and is never negative: Newton's method within the
/// bounds that the two signs give.
double solve_stop(const NormalRow& stop, double h, double u, double w, double f) {
  double low = 0.0, high = answer(stop, h, u, 1.0).force;
  f = std::clamp(f, low, high);
  for (int k = 0; k < 60 && high - low > 1e-15 * high; ++k) {
    const RowAnswer now = answer(stop, h, u + w * h * f, 1.0);
    const double error = f - now.force;
    (error > 0.0 ? high : low) = f;
    if (error == 0.0) break;
    const double next = f - error / (1.0 - now.slope * w * h);
    if (next == f) break;
    f = next > low && next < high ? next : 0.5 * (low + high);
  }
  return f;
}

}  // namespace

Vec3 ImpulseSolver::tree_velocity(const StepPoint& p) const {
  Vec3 u = p.drift;
  const auto add = [&](Mover m, double sign, const Vec3& arm, std::size_t jac) {
    if (m < 0) return;
    if (!is_tree(m)) {
      u += sign * (bodies[at(m)].v + cross(bodies[at(m)].w, arm));
      return;
    }
    const StepTree& t = tree(m);
    const double* J = &jacobian[jac];
    const double* v = &y[t.start];
    for (std::size_t k = 0; k < t.count; ++k) {
      u += v[k] * Vec3{J[k], J[t.count + k], J[2 * t.count + k]};  // the sign is in J
    }
  };
  add(p.b, 1.0, p.arm_b, p.jac_b);
  add(p.a, -1.0, p.arm_a, p.jac_a);
  return u;
}

void ImpulseSolver::push_trees(const StepPoint& p, const Vec3& impulse) {
  const auto add = [&](Mover m, double sign, const Vec3& arm, std::size_t jac) {
    if (m < 0) return;
    if (!is_tree(m)) {
      StepBody& b = bodies[at(m)];
      b.v += (sign * b.mobility) * impulse;
      b.w += sign * (b.inverse * cross(arm, impulse));
      return;
    }
    const StepTree& t = tree(m);
    const double* J = &jacobian[jac];
    double* v = &y[t.start];
    for (std::size_t k = 0; k < t.count; ++k) {
      v[k] += t.mobility * dot(impulse, Vec3{J[k], J[t.count + k], J[2 * t.count + k]});
    }
  };
  add(p.b, 1.0, p.arm_b, p.jac_b);
  add(p.a, -1.0, p.arm_a, p.jac_a);
}

double ImpulseSolver::velocity(const StepRow& row) const {
  double u = row.drift;
  const auto add = [&](Mover m, const Vec3& turn, const Vec3& move, std::size_t jac) {
    if (m < 0) return;
    if (!is_tree(m)) {
      u += dot(turn, bodies[at(m)].w) + dot(move, bodies[at(m)].v);
      return;
    }
    const StepTree& t = tree(m);
    for (std::size_t k = 0; k < t.count; ++k) u += jacobian[jac + k] * y[t.start + k];
  };
  add(row.a, row.turn_a, row.move_a, row.jac_a);
  add(row.b, row.turn_b, row.move_b, row.jac_b);
  return u;
}

void ImpulseSolver::push(const StepRow& row, double impulse) {
  const auto add = [&](Mover m, const Vec3& turn, const Vec3& move, std::size_t jac) {
    if (m < 0) return;
    if (!is_tree(m)) {
      StepBody& b = bodies[at(m)];
      b.v += (impulse * b.mobility) * move, b.w += impulse * (b.inverse * turn);
      return;
    }
    const StepTree& t = tree(m);
    for (std::size_t k = 0; k < t.count; ++k) {
      y[t.start + k] += t.mobility * impulse * jacobian[jac + k];
    }
  };
  add(row.a, row.turn_a, row.move_a, row.jac_a);
  add(row.b, row.turn_b, row.move_b, row.jac_b);
}

void ImpulseSolver::prepare(StepRow& row) const {
  row.mobility = 0.0;
  const auto add = [&](Mover m, const Vec3& turn, const Vec3& move, std::size_t jac) {
    if (m < 0) return;
    if (!is_tree(m)) {
      const StepBody& b = bodies[at(m)];
      row.mobility += b.mobility * norm2(move) + dot(turn, b.inverse * turn);
      return;
    }
    const StepTree& t = tree(m);
    for (std::size_t k = 0; k < t.count; ++k) {
      row.mobility += t.mobility * jacobian[jac + k] * jacobian[jac + k];
    }
  };
  add(row.a, row.turn_a, row.move_a, row.jac_a);
  add(row.b, row.turn_b, row.move_b, row.jac_b);
}

/// The impulse with which the row answers to the velocity that it leaves.
double ImpulseSolver::sweep_row(StepRow& row) {
  if (!(row.mobility > 0.0)) return 0.0;
  const double u = velocity(row) - row.mobility * row.impulse;
  double f = 0.0;
  if (row.is_stop) {
    f = solve_stop(row.stop, h, u, row.mobility, row.impulse / h);
  } else {
    const double k = row.rub.stiffness, span = h + row.rub.lag;
    f = -k * (row.rub.bristle[0] + span * u) / (1.0 + k * span * row.mobility * h);
    f = std::clamp(f, -row.rub.bound, row.rub.bound);
  }
  const double more = h * f - row.impulse;
  row.impulse = h * f;
  if (more != 0.0) push(row, more);
  return std::abs(more) * row.mobility;
}

}  // namespace carom
