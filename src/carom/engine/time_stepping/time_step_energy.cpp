// Energy of a time step: what it may not make, and what impacts give back.
//
// With v the velocities where the step begins, v0 those that keep bodies apart, by which they move,
// and F what is applied, an island changes its energy by
//
//   E(s) = 1/2 s^2 v0'M v0 - 1/2 v'M v - s h F.v0 - G                                   (1)
//
// if it moves by s v0, with G the work of what moves as prescribed and is touched; s = 1 unless
// impulses were not found well enough, and then the largest with E <= 0, which exists: at rest
// nothing is gained. Gaps stay closed by it, as b <= 0.
//
// Where the step ends, points that met with speed c part with e c at least: a second problem, from
// v0 to v1, whose impulses are in the cones as well, and so are their sums. As several impacts with
// friction may make energy, v = v0 + theta (v1 - v0) with the largest theta <= 1 that does not.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/rigid/rigid_sites.h"
#include "carom/engine/time_stepping/time_step.h"

namespace carom {
namespace {

double twice_kinetic(const FreeBody& b, const Vec3& v, const Vec3& w) {
  const Vec3 w_L = transpose_times(b.R, w);
  return b.mass * norm2(v) + dot(w_L, b.inertia * w_L);
}

/// v0'M dv of two velocities of a body.
double mixed(const FreeBody& b, const StepBody& x, const Vec3& dv, const Vec3& dw) {
  const Vec3 w_L = transpose_times(b.R, x.w), dw_L = transpose_times(b.R, dw);
  return b.mass * dot(x.v, dv) + dot(w_L, b.inertia * dw_L);
}

/// Rounding of sums, of the energies in them.
constexpr double kRounding = 1e-15;
/// A gain that is told, of the energy in the island or in a step of free fall.
constexpr double kToldGain = 1e-3;

}  // namespace

/// Bodies and trees that impulses push.
void TimeStep::mark_pushed() {
  is_pushed_.assign(bodies_.size(), 0);
  is_pushed_tree_.assign(trees_.list.size(), 0);
  const auto mark = [&](Mover m) {
    if (m < 0) return;
    (solver_.is_tree(m) ? is_pushed_tree_[at(m) - bodies_.size()] : is_pushed_[at(m)]) = 1;
  };
  for (const StepPoint& p : solver_.points) {
    if (p.normal > 0.0) mark(p.a), mark(p.b);
  }
  for (std::size_t i = 0; i < solver_.rows.size(); ++i) {
    const StepRow& row = solver_.rows[i];
    const JointRow* joint = held_rows_[i].joint;
    if (joint && row.impulse == 0.0 && !(joint->stiffness > 0.0)) continue;
    mark(row.a), mark(row.b);
  }
}

/// Terms of (1) of every island, of the bodies that impulses push.
void TimeStep::weigh_islands() {
  mark_pushed();
  energy_.assign(solver_.island_count(), {});
  for (const StepPoint& p : solver_.points) {
    if (!(p.normal > 0.0)) continue;
    energy_[at(solver_.island_of(p))].given -=
        dot(p.normal * p.n + p.friction, p.drift) + p.spin * p.spin_drift;
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!is_pushed_[i]) continue;
    const FreeBody& b = bodies_[i];
    const StepBody& s = solver_.bodies[i];
    EnergyOf& e = energy_[at(solver_.island_of(static_cast<Mover>(i)))];
    e.before += 0.5 * twice_kinetic(b, b.v, b.w);
    e.end += twice_kinetic(b, s.v, s.w);
    e.fall += 0.5 * b.mass * gain_ * gain_;
    e.work += h_ * (dot(b.force, s.v) + dot(b.torque, s.w));
  }
}

double TimeStep::change_of(std::size_t island) const {
  const EnergyOf& e = energy_[island];
  return 0.5 * e.end - e.before - e.work - e.given;
}

void TimeStep::scale_island(std::size_t island, double s) {
  for (const int i : solver_.bodies_of(island)) {
    StepBody& b = solver_.bodies[at(i)];
    if (is_pushed_[at(i)]) b.v = s * b.v, b.w = s * b.w;
  }
}

/// What pushing bodies out of each other may take from the motion of an island [J]. A rim that
/// whirls sinks by h² w² R/2 in every step, and the step loses less than lifting it again costs: so
/// much of its energy 2 g h²/R of it is. Without that cones went down into the floor. What is
/// deeper may take more.
double TimeStep::energy_to_push(std::size_t island) const {
  constexpr double kTaken = 10.0, kDeep = 0.005, kMost = 0.05;
  double share = 0.0;
  for (const int p : solver_.island(island)) {
    if (!(solver_.points[at(p)].bound > 0.0)) continue;
    const Press& press = presses_[at(p)];
    const double size = rigid_size(w_, w_.modes.contacts.pairs[press.pair]);
    const double deep = std::max(0.0, -press.phi) / size;
    share = std::max(share, kTaken * (1.0 + deep / kDeep) * gain_ * h_ / size);
  }
  return std::min(kMost, share) * energy_[island].before;
}

/// Islands that would gain more energy than that by pushing bodies out of each other push less, and
/// if need be not at all. Whether there were any of few points.
bool TimeStep::release_bounds() {
  constexpr int kRounds = 3;
  constexpr double kLess = 0.5;  // pressure falls with the push as well
  bool released = false;
  for (int round = 1; round <= kRounds; ++round) {
    for (std::size_t i = 0; i < solver_.island_count(); ++i) {
      const double gain = change_of(i), spare = energy_to_push(i);
      if (is_held(i) || !(gain > spare + kRounding * energy_[i].before)) continue;
      const double share = round < kRounds ? kLess * spare / gain : 0.0;
      bool pushes = false;
      for (const int p : solver_.island(i)) {
        StepPoint& point = solver_.points[at(p)];
        pushes |= point.bound > 0.0;
        point.bound = std::min(point.bound, share * std::max(0.0, point.bound));
      }
      if (pushes) solve_island(i);
      released |= pushes && !solver_.is_heap(i);
    }
    weigh_islands();
  }
  return released;
}

void TimeStep::guard_islands() {
  weigh_islands();
  // Where bodies end has been looked at while they were pushed: now they may end deeper, and a rim
  // that whirls went down into the floor by a little in every step.
  constexpr double kLookAgain = 1e-6;
  if (release_bounds() && follow(true, kLookAgain)) {
    solve_islands(Heaps::whole);
    weigh_islands();
  }
  for (std::size_t i = 0; i < solver_.island_count(); ++i) {
    EnergyOf& e = energy_[i];
    const double gain = change_of(i);
    if (is_held(i) || !(gain > kRounding * (e.before + std::abs(e.work)))) continue;
    const double root = e.work * e.work + 2.0 * e.end * (e.before + e.given);
    const double s = (e.work + std::sqrt(std::max(0.0, root))) / e.end;
    scale_island(i, std::clamp(s, 0.0, 1.0));
    // What pushing out may take was meant to be taken.
    if (gain > kToldGain * (e.before + e.fall) + energy_to_push(i)) ++guarded_;
  }
  weigh_islands();
}

void TimeStep::bounce_islands() {
  kept_apart_ = solver_.bodies;
  kept_y_ = solver_.y;
  shares_.assign(solver_.island_count(), 1.0);
  for (std::size_t i = 0; i < presses_.size(); ++i) {
    const StepPoint& p = solver_.points[i];
    presses_[i].u_kept = solver_.velocity(p);
    if (p.spin_radius > 0.0) presses_[i].spin_kept = solver_.spin_velocity(p);
    presses_[i].end_gap = presses_[i].base_gap + h_ * dot(p.n, presses_[i].u_kept);
  }
  for (std::size_t i = 0; i < solver_.island_count(); ++i) bounce_island(i);
}

/// Points that are closed where the step ends: those that have met part as their restitution says,
/// others do not approach.
void TimeStep::bounce_island(std::size_t island) {
  constexpr double kClosed = 1e-6;
  bool bounces = false;
  for (const int k : solver_.island(island)) {
    bounces |= has_met(at(k)) && presses_[at(k)].restitution > 0.0;
  }
  if (!bounces) return;
  first_.resize(solver_.points.size());
  for (const int k : solver_.island(island)) {
    StepPoint& p = solver_.points[at(k)];
    const Press& press = presses_[at(k)];
    first_[at(k)] = p;
    const double u_n = dot(p.n, press.u_kept);
    const bool is_closed = p.normal > 0.0 || press.end_gap <= kClosed * h_ * (1.0 + std::abs(u_n));
    p.bound = has_met(at(k)) ? press.restitution * press.approach
              : is_closed    ? 0.0
                             : 2.0 * kOpenBound;
    p.normal = p.spin = 0.0, p.friction = {};
    p.slides = p.spins = true;
  }
  const bool solved = solve_island(island, SolveAs::impact);
  bounced_.resize(solver_.bodies.size());
  for (const int i : solver_.bodies_of(island)) bounced_[at(i)] = solver_.bodies[at(i)];
  bounced_y_ = solver_.y;
  const double share = solved ? share_of_bounce(island) : std::min(0.5, share_of_bounce(island));
  shares_[island] = share;
  for (const int k : solver_.bodies_of(island)) {
    StepBody& b = solver_.bodies[at(k)];
    const StepBody &before = kept_apart_[at(k)], &after = bounced_[at(k)];
    b.v = before.v + share * (after.v - before.v), b.w = before.w + share * (after.w - before.w);
  }
  for (const int t : solver_.trees_of(island)) {
    const StepTree& tree = solver_.trees[at(t)];
    for (std::size_t k = tree.start; k < tree.start + tree.count; ++k) {
      solver_.y[k] = kept_y_[k] + share * (bounced_y_[k] - kept_y_[k]);
    }
  }
  for (const int k : solver_.island(island)) {
    StepPoint& p = solver_.points[at(k)];
    presses_[at(k)].bounce = share * (p.normal * p.n + p.friction);
    presses_[at(k)].bounce_spin = share * p.spin;
    p = first_[at(k)];
  }
}

/// What contacts that are to throw back have taken from the bodies of an island.
double TimeStep::pressed_away(std::size_t island) const {
  double sum = 0.0;
  for (const int k : solver_.island(island)) {
    // The bounce is in the solver by now, the impulse before it among `first_`.
    const StepPoint& p = first_[at(k)];
    const Vec3 impulse = p.normal * p.n + p.friction;
    if (!(p.normal > 0.0)) continue;
    sum -= 0.5 * dot(impulse, given_velocity(p, false) + presses_[at(k)].u_kept);
    sum -= 0.5 * p.spin * (presses_[at(k)].spin_start + presses_[at(k)].spin_kept);
  }
  return std::max(0.0, sum);
}

/// theta.
double TimeStep::share_of_bounce(std::size_t island) const {
  const EnergyOf& e = energy_[island];
  const bool held = is_held(island);
  double a = 0.0, b = 0.0, c = held ? -pressed_away(island) : -e.before - e.work - e.given;
  for (const int k : solver_.island(island)) {
    const StepPoint& p = solver_.points[at(k)];
    // Which comes from outside.
    b += dot(p.normal * p.n + p.friction, p.drift) + p.spin * p.spin_drift;
  }
  for (const int t : solver_.trees_of(island)) {
    const StepTree& tree = solver_.trees[at(t)];
    for (std::size_t k = tree.start; k < tree.start + tree.count; ++k) {
      const double dy = bounced_y_[k] - kept_y_[k];
      a += 0.5 * dy * dy, b += kept_y_[k] * dy;
    }
  }
  for (const int k : solver_.bodies_of(island)) {
    const std::size_t i = at(k);
    const FreeBody& body = bodies_[i];
    const Vec3 dv = bounced_[i].v - kept_apart_[i].v, dw = bounced_[i].w - kept_apart_[i].w;
    a += 0.5 * twice_kinetic(body, dv, dw), b += mixed(body, kept_apart_[i], dv, dw);
    if (held) continue;
    const double own = 0.5 * twice_kinetic(body, kept_apart_[i].v, kept_apart_[i].w);
    // What nothing has pushed so far has moved freely, and kept its energy.
    c += own;
    if (!is_pushed_[i]) c -= own;
  }
  if (!(a > 0.0) || a + b + c <= 0.0) return 1.0;
  const double root = std::sqrt(std::max(0.0, b * b - 4.0 * a * c));
  return std::clamp((root - b) / (2.0 * a), 0.0, 1.0);
}

/// What the step has taken: friction by its impulses, and as taken along the normals all else, so
/// that the balance closes. Islands with joints are booked with their energy (held_energy.cpp).
void TimeStep::book_losses() {
  lost_normal_ = lost_friction_ = outside_work_ = 0.0;
  double rubbed = 0.0, given = 0.0;
  for (std::size_t i = 0; i < presses_.size(); ++i) {
    const StepPoint& p = solver_.points[i];
    Press& press = presses_[i];
    if (!(p.normal > 0.0) && !(norm2(press.bounce) > 0.0)) continue;
    const Vec3 start = given_velocity(p, false), end = solver_.velocity(p);
    const Vec3 bounce_t = press.bounce - dot(p.n, press.bounce) * p.n;
    press.rubbed =
        -0.5 * (dot(p.friction, start + press.u_kept) + dot(bounce_t, press.u_kept + end));
    if (p.spin_radius > 0.0) {
      press.rubbed -= 0.5 * (p.spin * (press.spin_start + press.spin_kept) +
                             press.bounce_spin * (press.spin_kept + solver_.spin_velocity(p)));
    }
    press.pressed = -0.5 * (p.normal * dot(p.n, start + press.u_kept) +
                            dot(p.n, press.bounce) * dot(p.n, press.u_kept + end));
    if (is_held(at(solver_.island_of(p)))) continue;
    rubbed += press.rubbed;
    // What moves as prescribed gives or takes.
    given -= dot(p.normal * p.n + p.friction + press.bounce, p.drift) +
             (p.spin + press.bounce_spin) * p.spin_drift;
  }
  double total = given;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const FreeBody& b = bodies_[i];
    const StepBody &end = solver_.bodies[i], &way = kept_apart_[i];
    const int island = solver_.island_of(static_cast<Mover>(i));
    if (island >= 0 && is_held(at(island))) continue;
    total -= 0.5 * twice_kinetic(b, end.v, end.w);
    if (is_pushed_[i]) {
      total += 0.5 * twice_kinetic(b, b.v, b.w) + h_ * (dot(b.force, way.v) + dot(b.torque, way.w));
    } else {
      total += 0.5 * twice_kinetic(b, way.v, way.w);  // it has moved freely
    }
  }
  lost_friction_ = std::clamp(rubbed, 0.0, std::max(0.0, total));
  lost_normal_ = total - lost_friction_;
  outside_work_ = given;
}

}  // namespace carom
