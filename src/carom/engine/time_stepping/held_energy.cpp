// Energy of islands with joints and elements between bodies in a time step.
//
// Let E be the kinetic energy, the potential one and what joints and elements store, all where the
// step truly begins and ends, W the work from outside (drives, loads, prescribed motions) and D
// what dampers and joint friction take. Velocities are scaled where
//
//   E+ - E - W + D > 0                                                                     (1)
//
// so that energy less work from outside never rises; where there is not that much to take, the
// island stays where it was, and the step is too long. What is less than zero in (1) contacts have
// taken, or the step itself. A tree on which nothing acts keeps its energy, in both directions.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/implicit/joint_modes.h"
#include "carom/engine/study/tangent.h"
#include "carom/engine/time_stepping/time_step.h"

namespace carom {
namespace {

Vec3 weight_of(const GravitySpec& gravity, const FreeBody& b) {
  if (gravity.kind == GravitySpec::Kind::uniform) return b.mass * gravity.uniform;
  const Vec3 r = b.p - gravity.center;
  return (-gravity.mu * b.mass / (norm2(r) * norm(r))) * r;
}

double kinetic(const FreeBody& b, const Vec3& v, const Vec3& w) {
  const Vec3 w_L = transpose_times(b.R, w);
  return 0.5 * (b.mass * norm2(v) + dot(w_L, b.inertia * w_L));
}

}  // namespace

bool TimeStep::is_held(std::size_t island) const {
  return !solver_.rows_of(island).empty() || !solver_.trees_of(island).empty();
}

/// Of what acts on a body besides gravity and elements.
double TimeStep::load_work(std::size_t i) const {
  const FreeBody& b = bodies_[i];
  const Vec3 load = b.force - b.element - weight_of(w_.parameters.gravity, b);
  const Vec3 torque = b.torque - b.twist;
  if (is_pushed_[i]) return h_ * (dot(load, kept_apart_[i].v) + dot(torque, kept_apart_[i].w));
  return h_ * (0.5 * dot(load, b.v + b.v_free) + dot(torque, b.R * b.w_mean));
}

void TimeStep::move_trees(std::span<double> x_new) {
  const Model& model = *w_.model;
  tree_mean_.resize(trees_.list.size());
  const std::vector<double>& ways = kept_y_.size() == solver_.y.size() ? kept_y_ : solver_.y;
  for (std::size_t t = 0; t < trees_.list.size(); ++t) {
    const TreeBlock& tree = trees_.list[t];
    std::vector<double>&mean = tree_mean_[t], &end = v_;
    const std::size_t n = tree.dofs.size(), start = solver_.trees[t].start;
    mean.resize(n), end.resize(n);
    if (is_pushed_tree_[t]) {
      trees_.velocities(tree, {ways.data() + start, tree.count}, mean);
      trees_.velocities(tree, {solver_.y.data() + start, tree.count}, end);
    } else {
      end = tree.v_free;
      for (std::size_t i = 0; i < n; ++i) mean[i] = 0.5 * (tree.v[i] + tree.v_free[i]);
    }
    way_.assign(model.nv(), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      way_[at(tree.dofs[i])] = h_ * mean[i];
      x_new[model.nq() + at(tree.dofs[i])] = end[i];
    }
    for (const int i : tree.links) {
      const Link& link = model.tree.links[at(i)];
      link.joint->move(&way_[at(link.v0)], &x_new[at(link.q0)]);
    }
  }
  put_outside(x_new);
}

/// Prescribed coordinates are where they are at the end.
void TimeStep::put_outside(std::span<double> x_new) {
  for (const DofElement& e : w_.parameters.dofs) {
    if (e.motion < 0) continue;
    const SignalJet jet = w_.signals.all[at(e.motion)].jet(t_ + h_);
    x_new[at(e.q)] = jet.value, x_new[w_.model->nq() + at(e.v)] = jet.rate;
  }
}

/// E+ - E - W of a tree without its rows; the links are where the step ends.
double TimeStep::tree_gain(std::size_t t) {
  const TreeBlock& tree = trees_.list[t];
  const double change = tree_energy(w_, tree) - tree.energy;
  if (tree.count == 0) {  // all of it is moved from outside
    outside_work_ += change;
    return 0.0;
  }
  double work = h_ * (tree.held_power + tree.load_power);
  for (std::size_t i = 0; i < tree.dofs.size(); ++i) work += h_ * tree.load[i] * tree_mean_[t][i];
  if (is_pushed_tree_[t]) {
    const double* y = solver_.y.data() + solver_.trees[t].start;
    for (std::size_t k = 0; k < tree.count; ++k) work += tree.pull[k] * (y[k] - tree.y_free[k]);
  }
  outside_work_ += work;
  return change - work;
}

double TimeStep::body_gain(std::size_t i) const {
  const FreeBody& b = bodies_[i];
  const StepBody &end = solver_.bodies[i], &way = kept_apart_[i];
  const double now = kinetic(b, end.v, end.w);
  if (!is_pushed_[i]) return now - kinetic(b, way.v, way.w);  // it has moved freely
  const GravitySpec& gravity = w_.parameters.gravity;
  double risen = -h_ * dot(b.mass * gravity.uniform, way.v);
  if (gravity.kind != GravitySpec::Kind::uniform) {
    const Vec3 p = b.p + h_ * way.v;
    risen =
        gravity.mu * b.mass * (1.0 / norm(b.p - gravity.center) - 1.0 / norm(p - gravity.center));
  }
  return now - kinetic(b, b.v, b.w) + risen - load_work(i);
}

/// Books what a row of a joint does; returns by how much it stores more, less the work from
/// outside, and with what it takes.
double TimeStep::joint_row_gain(const HeldRow& held, const StepRow& row, double u) {
  const JointRow& joint = *held.joint;
  const double work = row.impulse * u;
  double stored = 0.0, taken = 0.0;
  if (joint.element->has_position) {
    const auto q = at(joint.element->q);
    stored = joint_energy(joint, w_.q[q]) - joint_energy(joint, x_[q]);
  }
  switch (joint.kind) {
    case JointRow::Kind::stop: {
      if (!(row.impulse > 0.0)) break;
      const double depth = row.stop.depth - h_ * u;
      const double elastic =
          row.stop.secant ? secant_force(row.stop, depth) : elastic_force(row.stop, depth);
      taken = std::max(0.0, (h_ * elastic - row.impulse) * u);
      damped_ += taken;
      break;
    }
    case JointRow::Kind::spring:
      taken = h_ * joint.damping * u * u;
      damped_ += taken;
      break;
    case JointRow::Kind::drive: outside_work_ += work, stored -= work; break;
    case JointRow::Kind::friction:  // where a joint comes to rest it may have turned back within
      taken = std::max(0.0, -work);
      rubbed_ += taken;
      break;
  }
  return stored + taken;
}

/// The same of an element between bodies.
double TimeStep::element_gain(int index) {
  const Element& element = elements_[at(index)];
  const ForceRows& rows = element.rows;
  double work = 0.0, stored = 0.0;  // (2) of force_rows.h
  for (std::size_t i = 0; i < solver_.rows.size(); ++i) {
    const HeldRow& held = held_rows_[i];
    if (held.element != index) continue;
    const double u = solver_.velocity(solver_.rows[i]);
    if (held.deflection == kForcePower) {
      work += h_ * u;
    } else if (held.deflection == kElasticPower) {
      stored -= h_ * u;
    } else {
      work += solver_.rows[i].impulse * u;
      stored += 0.5 * h_ * h_ * rows.rows[at(held.deflection)].stiffness * u * u;
    }
  }
  if (rows.is_driven) {
    outside_work_ += work;
    return -work;
  }
  const double taken = std::max(0.0, -(work + stored));
  damped_ += taken;
  model_work_ += h_ * rows.model_power;
  const ForceElement& e = w_.model->forces[rows.element];
  const double now = evaluate_force_between(w_, rows.element, attachment_state(w_.tree, e.from),
                                            attachment_state(w_.tree, e.to), true)
                         .elastic;
  return now - rows.energy + taken - h_ * rows.model_power;
}

/// Of all rows of an island. What is prescribed of their velocities takes its share.
double TimeStep::row_gain(std::size_t island) {
  std::swap(solver_.bodies, kept_apart_), std::swap(solver_.y, kept_y_);
  double sum = 0.0;
  int element = -1;
  for (const int r : solver_.rows_of(island)) {
    const StepRow& row = solver_.rows[at(r)];
    const HeldRow& held = held_rows_[at(r)];
    outside_work_ -= row.impulse * row.drift, sum += row.impulse * row.drift;
    if (held.joint) {
      sum += joint_row_gain(held, row, solver_.velocity(row));
    } else if (held.element != element) {  // rows of an element follow each other
      element = held.element;
      sum += element_gain(element);
    }
  }
  std::swap(solver_.bodies, kept_apart_), std::swap(solver_.y, kept_y_);
  return sum;
}

/// Keeps (1); returns what the island has lost beyond D.
double TimeStep::guard_island(std::size_t island, std::span<double> x_new) {
  Guarded& guarded = guarded_parts_;
  guarded.clear();
  double gain = 0.0;
  for (const int t : solver_.trees_of(island)) {
    gain += tree_gain(at(t));
    guarded.trees.push_back(t);
  }
  for (const int b : solver_.bodies_of(island)) {
    gain += body_gain(at(b));
    if (is_pushed_[at(b)]) guarded.bodies.push_back(b);
  }
  gain += row_gain(island);
  for (const int k : solver_.island(island)) {
    const StepPoint& p = solver_.points[at(k)];
    const double given = -dot(p.normal * p.n + p.friction + presses_[at(k)].bounce, p.drift) -
                         (p.spin + presses_[at(k)].bounce_spin) * p.spin_drift;
    outside_work_ += given, gain -= given;
  }
  const bool is_free =
      std::ranges::none_of(guarded.trees, [&](int t) { return is_pushed_tree_[at(t)] != 0; }) &&
      guarded.bodies.empty();
  const double taken = gain > 0.0 || is_free ? slow_down(guarded, gain, x_new) : 0.0;
  return taken - gain;
}

void TimeStep::guard_held(std::span<double> x_new) {
  damped_ = rubbed_ = model_work_ = lost_ = 0.0;
  next_friction_ = w_.modes.friction;
  if (!has_rows()) return;
  const double t = t_ + h_;
  if (!w_.model->constraints.empty()) project(w_, t, x_new, kToRounding, 6);
  evaluate_kinematics(w_, t, x_new);
  for (std::size_t i = 0; i < solver_.island_count(); ++i) {
    if (!is_held(i)) continue;
    const double loss = guard_island(i, x_new);
    double rubbed = 0.0, pressed = 0.0;
    for (const int k : solver_.island(i)) {
      rubbed += presses_[at(k)].rubbed, pressed += std::abs(presses_[at(k)].pressed);
    }
    const double own = std::clamp(rubbed, 0.0, std::max(0.0, loss));
    lost_friction_ += own;
    (pressed > 0.0 ? lost_normal_ : lost_) += loss - own;
  }
  for (std::size_t i = 0; i < trees_.list.size(); ++i) {
    if (solver_.island_of(static_cast<Mover>(bodies_.size() + i)) >= 0) continue;
    const double gain = tree_gain(i);
    if (trees_.list[i].count == 0) continue;
    guarded_parts_.clear();
    guarded_parts_.trees.push_back(static_cast<int>(i));
    lost_ += slow_down(guarded_parts_, gain, x_new) - gain;
  }
  read_joint_modes();
  w_.has_kinematics = false;
}

EnergyGuard TimeStep::guard() {
  return {w_, trees_, bodies_, [this](int b) {
            const StepBody& s = solver_.bodies[at(b)];
            return kinetic(bodies_[at(b)], s.v, s.w);
          }};
}

/// Takes `excess` of the energy (gives, where it is negative), as far as velocities hold it, and
/// then by what is not gone. Returns what was taken.
double TimeStep::slow_down(const Guarded& guarded, double excess, std::span<double> x_new) {
  const EnergyGuard::Taken taken = guard().slow_down(guarded, excess, x_new);
  return taken.is_short ? taken.sum + hold_back(guarded, x_new) : taken.sum;
}

/// What they store where the links are, with joints and elements on them, and move with.
double TimeStep::energy_of_held(const Guarded& guarded) {
  const GravitySpec& gravity = w_.parameters.gravity;
  double sum = 0.0;
  for (const int t : guarded.trees) {
    sum += tree_energy(w_, trees_.list[at(t)]);
    for (const JointRow& row : joints_[at(t)].rows) {
      if (row.element->has_position) sum += joint_energy(row, w_.q[at(row.element->q)]);
    }
  }
  for (const int i : guarded.bodies) {
    const FreeBody& b = bodies_[at(i)];
    const LinkState& L = w_.tree.links[at(b.link)];
    const Vec3 p = L.p_WL + L.R_WL * b.centre;
    sum -= gravity.kind == GravitySpec::Kind::uniform
               ? b.mass * dot(gravity.uniform, p)
               : gravity.mu * b.mass / norm(p - gravity.center);
  }
  const auto is_guarded = [&](int link) {
    const int tree = trees_.of_link(link), body = body_of(link);
    return (tree >= 0 && std::ranges::find(guarded.trees, tree) != guarded.trees.end()) ||
           (body >= 0 && std::ranges::find(guarded.bodies, body) != guarded.bodies.end());
  };
  for (const Element& element : elements_) {
    if (element.rows.is_driven || !(is_guarded(element.from) || is_guarded(element.to))) continue;
    const ForceElement& e = w_.model->forces[element.rows.element];
    sum += evaluate_force_between(w_, element.rows.element, attachment_state(w_.tree, e.from),
                                  attachment_state(w_.tree, e.to), true)
               .elastic;
  }
  return sum;
}

/// What a step leads higher than its energy reaches, stays where it was. Returns what that takes.
double TimeStep::hold_back(const Guarded& guarded, std::span<double> x_new) {
  const double before = energy_of_held(guarded);
  ++guarded_;
  overreached_ = true;
  guard().put_back(guarded, x_, x_new);
  put_outside(x_new);
  evaluate_kinematics(w_, t_ + h_, x_new);
  return before - energy_of_held(guarded);
}

/// Friction of joints holds or slides as the answer says.
void TimeStep::read_joint_modes() {
  for (std::size_t i = 0; i < solver_.rows.size(); ++i) {
    const JointRow* joint = held_rows_[i].joint;
    if (!joint || joint->kind != JointRow::Kind::friction) continue;
    const StepRow& row = solver_.rows[i];
    const double bound = h_ * row.rub.bound;
    const bool rests = std::abs(row.impulse) < bound * (1.0 - 1e-12) || bound == 0.0;
    next_friction_[at(joint->element->friction)] =
        static_cast<std::int8_t>(rests               ? 0
                                 : row.impulse > 0.0 ? -1
                                                     : 1);
  }
  read_stop_modes(w_, next_stop_);
}

}  // namespace carom
