// Joints in a time step: trees as the solver moves them, and rows of what answers to velocities in
// joints and between bodies.
//
// Rows are those of implicit steps (implicit/joint_rows.h, force_rows.h). Islands that no contact
// comes near, and whose rows the step resolves, take the mean velocity of the step for theirs
// (theta = 1/2), which keeps what springs hold; others the velocity at its end.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/time_stepping/time_step.h"
#include "carom/multibody/joint_batch.h"

namespace carom {
namespace {

/// (h sqrt(k/m))², and h c/m, of what the step resolves.
constexpr double kResolved = 0.25;

}  // namespace

Mover TimeStep::mover_of(int link) const {
  if (const int body = body_of(link); body >= 0) return body;
  const int tree = trees_.of_link(link);
  if (tree < 0 || trees_.list[at(tree)].count == 0) return -1;
  return static_cast<Mover>(bodies_.size()) + tree;
}

/// How everything would move without contacts, and without what acts in joints.
Status TimeStep::begin_trees(double t, double h, std::span<const double> x) {
  std::vector<std::size_t> touching;
  std::swap(touching, w_.contacts.touching);  // contacts are impulses here, not forces
  const auto is_friction = [&](const DofElement& e) { return e.friction >= 0 && e.motion < 0; };
  for (const DofElement& e : w_.parameters.dofs) {
    if (is_friction(e)) w_.tree.known[at(e.v)] = 0;  // a row as well
  }
  Status status = calc_rates(w_, t, x, rates_);
  if (status == Status::ok) {
    for (FreeBody& b : bodies_) begin_free_motion(w_, h, b);
    if (!trees_.empty()) status = trees_.begin(t, h, x, rates_);
    if (status == Status::ok) find_rows();
  }
  for (const DofElement& e : w_.parameters.dofs) {
    if (is_friction(e)) w_.tree.known[at(e.v)] = w_.modes.friction[at(e.friction)] == 0;
  }
  std::swap(touching, w_.contacts.touching);
  return status;
}

/// Of where the step begins.
void TimeStep::find_rows() {
  joints_.resize(trees_.list.size());
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    joints_[i].tree = static_cast<int>(i);
    find_joint_rows(w_, trees_, joints_[i]);
  }
  const std::vector<ForceElement>& forces = w_.model->forces;
  std::size_t count = 0;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    if (forces[i].kind->is_load) continue;
    if (elements_.size() == count) elements_.emplace_back();
    Element& e = elements_[count++];
    find_force_rows(w_, i, e.rows);
    e.from = forces[i].from.link, e.to = forces[i].to.link;
  }
  push_elements();
}

/// The force where the step begins acts on trees from here on; on free bodies it does already.
void TimeStep::push_elements() {
  for (const Element& e : elements_) {
    const Wrench& f = e.rows.on_to;
    const auto push = [&](int link, double sign) {
      if (const int body = body_of(link); body >= 0) {
        FreeBody& b = bodies_[at(body)];
        b.element += sign * f.f;
        b.twist += sign * (f.t + cross(e.rows.p - b.p, f.f));
      } else if (const int tree = trees_.of_link(link); tree >= 0) {
        trees_.push(trees_.list[at(tree)], link, e.rows.p, sign * f);
      }
    };
    push(e.from, -1.0);
    push(e.to, 1.0);
  }
}

void TimeStep::put_trees_free() {
  solver_.trees.resize(trees_.list.size());
  solver_.y.clear();
  for (std::size_t i = 0; i < trees_.list.size(); ++i) {
    const TreeBlock& tree = trees_.list[i];
    solver_.trees[i] = {solver_.y.size(), tree.count, 1.0};
    solver_.y.insert(solver_.y.end(), tree.y_free.begin(), tree.y_free.end());
  }
}

void TimeStep::add_rows() {
  held_rows_.clear();
  for (JointGroup& group : joints_) {
    if (trees_.list[at(group.tree)].count > 0) add_joint_rows(group);
  }
  for (std::size_t i = 0; i < elements_.size(); ++i) add_element_rows(static_cast<int>(i));
}

void TimeStep::add_joint_rows(JointGroup& group) {
  const TreeBlock& tree = trees_.list[at(group.tree)];
  for (JointRow& joint : group.rows) {
    StepRow row;
    row.b = static_cast<Mover>(bodies_.size()) + group.tree;
    row.jac_b = solver_.jacobian.size();
    solver_.jacobian.resize(row.jac_b + tree.count, 0.0);
    row.is_stop = joint.kind == JointRow::Kind::stop;
    if (row.is_stop) row.stop = joint_stop(w_, joint);
    const double sign = row.is_stop ? -joint.side : 1.0;
    row.drift = trees_.put_row(tree, joint.element->v, sign, &solver_.jacobian[row.jac_b]);
    solver_.rows.push_back(row);
    held_rows_.push_back({&joint, -1, -1});
  }
}

void TimeStep::add_row_side(StepRow& row, int link, double sign, const Vec3& p, const Vec3& angular,
                            const Vec3& linear) {
  Mover& own = sign > 0.0 ? row.b : row.a;
  own = mover_of(link);
  const int index = trees_.of_link(link);
  if (index < 0) {
    if (own < 0) return;
    (sign > 0.0 ? row.move_b : row.move_a) = sign * linear;
    (sign > 0.0 ? row.turn_b : row.turn_a) =
        sign * (angular + cross(p - bodies_[at(own)].arm, linear));
    return;
  }
  const TreeBlock& tree = trees_.list[at(index)];
  std::size_t& place = sign > 0.0 ? row.jac_b : row.jac_a;
  if (sign > 0.0 && own >= 0 && own == row.a) {
    place = row.jac_a;
    row.a = -1;
  } else {
    place = solver_.jacobian.size();
    solver_.jacobian.resize(place + tree.count, 0.0);
  }
  row.drift +=
      trees_.put_row(tree, link, p, angular, linear, sign, solver_.jacobian.data() + place);
}

void TimeStep::add_element_rows(int index) {
  const Element& e = elements_[at(index)];
  const auto add = [&](const Vec3& angular, const Vec3& linear, int deflection) {
    StepRow row;
    add_row_side(row, e.from, -1.0, e.rows.p, angular, linear);
    add_row_side(row, e.to, 1.0, e.rows.p, angular, linear);
    if (row.a < 0 && row.b < 0) return;  // all of it is moved from outside
    solver_.rows.push_back(row);
    held_rows_.push_back({nullptr, index, deflection});
  };
  for (std::size_t k = 0; k < e.rows.rows.size(); ++k) {
    add(e.rows.rows[k].angular, e.rows.rows[k].linear, static_cast<int>(k));
  }
  add(e.rows.on_to.t, e.rows.on_to.f, kForcePower);
  add(e.rows.elastic.t, e.rows.elastic.f, kElasticPower);
}

bool TimeStep::resolves_rows(std::size_t island) const {
  double sum = 0.0;
  for (const int r : solver_.rows_of(island)) {
    const StepRow& row = solver_.rows[at(r)];
    const HeldRow& held = held_rows_[at(r)];
    double slope = 0.0;
    if (held.joint) {
      slope = h_ * h_ * held.joint->stiffness + h_ * held.joint->damping;
      const double speed = std::abs(w_.v[at(held.joint->element->v)]);
      if (row.is_stop && row.stop.depth + 2.0 * h_ * speed > 0.0) {
        slope = h_ * h_ * row.stop.linear + h_ * row.stop.viscous;
      }
    } else if (held.deflection >= 0) {
      const ForceRow& f = elements_[at(held.element)].rows.rows[at(held.deflection)];
      slope = h_ * h_ * f.stiffness + h_ * f.damping;
    }
    sum += slope * row.mobility;
  }
  return sum < kResolved;
}

void TimeStep::put_rubs(std::size_t island) {
  const std::span<const double> z =
      std::span<const double>(x_).subspan(w_.model->nq() + w_.model->nv());
  const double theta = theta_[island];
  for (const int r : solver_.rows_of(island)) {
    StepRow& row = solver_.rows[at(r)];
    const HeldRow& held = held_rows_[at(r)];
    if (row.is_stop) {
      row.stop.secant = theta < 1.0;
    } else if (held.joint) {
      const double u = w_.v[at(held.joint->element->v)];
      row.rub = joint_rub(w_, *held.joint, z, t_, h_, theta, u);
    } else if (held.deflection >= 0) {
      row.rub = force_rub(elements_[at(held.element)].rows.rows[at(held.deflection)], h_, theta);
    }
  }
}

/// Islands as they are now: rows answer to the mean or to the last velocity of the step.
void TimeStep::set_theta(std::size_t island) {
  for (const int r : solver_.rows_of(island)) solver_.prepare(solver_.rows[at(r)]);
  const bool is_mean = solver_.island(island).empty() && resolves_rows(island);
  theta_[island] = is_mean ? 0.5 : 1.0;
  put_rubs(island);
  if (!is_mean) return;
  for (const int i : solver_.bodies_of(island)) {
    StepBody& s = solver_.bodies[at(i)];
    const FreeBody& b = bodies_[at(i)];
    s.v = 0.5 * (b.v + b.v_free), s.w = 0.5 * (b.w + b.w_free);
    s.mobility *= 0.5, s.inverse = 0.5 * s.inverse;
  }
  for (const int i : solver_.trees_of(island)) {
    StepTree& s = solver_.trees[at(i)];
    const TreeBlock& tree = trees_.list[at(i)];
    s.mobility = 0.5;
    for (std::size_t k = 0; k < tree.count; ++k) {
      solver_.y[s.start + k] = 0.5 * (tree.y[k] + tree.y_free[k]);
    }
  }
  for (const int r : solver_.rows_of(island)) solver_.prepare(solver_.rows[at(r)]);
}

/// Points keep the impulses that they have, rows begin with none.
void TimeStep::restart_rows() {
  theta_.assign(solver_.island_count(), 1.0);
  if (!has_rows()) return;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    solver_.bodies[i].mobility = 1.0 / bodies_[i].mass;
    solver_.bodies[i].inverse = rotated(bodies_[i].R, bodies_[i].inverse);
  }
  put_bodies_free();
  for (StepRow& row : solver_.rows) row.impulse = 0.0;
  for (std::size_t i = 0; i < solver_.island_count(); ++i) set_theta(i);
  for (const StepPoint& p : solver_.points) solver_.push(p, p.normal * p.n + p.friction);
}

/// A joint that slides although it was held has the friction of sliding.
bool TimeStep::break_loose(std::size_t island) {
  bool breaks = false;
  for (const int r : solver_.rows_of(island)) {
    const StepRow& row = solver_.rows[at(r)];
    JointRow* joint = held_rows_[at(r)].joint;
    if (!joint || joint->kind != JointRow::Kind::friction || joint->breaks_loose) continue;
    const DofElement& e = *joint->element;
    const bool rests = w_.modes.friction[at(e.friction)] == 0;
    if (!rests || !(e.coulomb < e.stiction)) continue;
    if (std::abs(row.impulse) < h_ * e.stiction * (1.0 - 1e-12)) continue;
    joint->breaks_loose = breaks = true;
  }
  if (breaks) put_rubs(island);
  return breaks;
}

/// Speeds of the links of a tree at the velocities y, into those of the workspace.
void TimeStep::find_tree_speeds(std::size_t index, std::span<const double> y) {
  const TreeBlock& tree = trees_.list[index];
  const TreeModel& model = w_.model->tree;
  v_.resize(tree.dofs.size());
  trees_.velocities(tree, y, v_);
  for (std::size_t i = 0; i < v_.size(); ++i) std::swap(w_.v[at(tree.dofs[i])], v_[i]);
  for (const int i : tree.links) {
    const Link& link = model.links[at(i)];
    link.joint->kinematics({model, w_.tree, w_.q, w_.v, {i, i + 1, link.joint}});
  }
  for (std::size_t i = 0; i < v_.size(); ++i) std::swap(w_.v[at(tree.dofs[i])], v_[i]);
}

bool TimeStep::trees_became_fast() {
  constexpr double kFarther = 0.02;
  bool became = false;
  for (std::size_t t = 0; t < trees_.list.size(); ++t) {
    const TreeBlock& tree = trees_.list[t];
    if (tree.count == 0) continue;
    find_tree_speeds(t, {&solver_.y[solver_.trees[t].start], tree.count});
    for (const int i : tree.links) {
      const LinkState& L = w_.tree.links[at(i)];
      const double size = w_.model->link_size[at(i)];
      const double now = norm(L.V.v) + norm(L.V.w) * size;
      if (!((now - speed_[at(i)]) * h_ > kFarther * size)) continue;
      speed_[at(i)] = 1.1 * now;
      became = true;
    }
    trees_.place_back(tree, x_);
  }
  return became;
}

void TimeStep::place_trees(bool at_end) {
  for (std::size_t t = 0; t < trees_.list.size(); ++t) {
    const TreeBlock& tree = trees_.list[t];
    if (!at_end) {
      trees_.place_back(tree, x_);
      continue;
    }
    v_.resize(tree.dofs.size());
    trees_.velocities(tree, {solver_.y.data() + solver_.trees[t].start, tree.count}, v_);
    trees_.place(tree, x_, v_);
  }
}

/// Of islands with theta = 1/2: the velocities where the step ends. Those so far were its mean.
void TimeStep::end_islands() {
  for (std::size_t island = 0; island < theta_.size(); ++island) {
    const double theta = theta_[island];
    if (theta == 1.0) continue;
    for (const int i : solver_.bodies_of(island)) {
      StepBody& s = solver_.bodies[at(i)];
      const FreeBody& b = bodies_[at(i)];
      s.v = b.v + (s.v - b.v) / theta, s.w = b.w + (s.w - b.w) / theta;
    }
    for (const int t : solver_.trees_of(island)) {
      const TreeBlock& tree = trees_.list[at(t)];
      double* y = solver_.y.data() + solver_.trees[at(t)].start;
      for (std::size_t k = 0; k < tree.count; ++k) y[k] = tree.y[k] + (y[k] - tree.y[k]) / theta;
    }
  }
}

}  // namespace carom
