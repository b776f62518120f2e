// Trees at the end of an implicit step: where they are, how fast, and with no more energy than they
// had.
//
// The rule of tree_blocks.h takes accelerations from the middle of the step, which errs by the
// third power of its length: energy comes and goes. Let E be the kinetic and potential energy of
// the links and what joints store, all where the step truly ends, D what the step has taken by
// itself already (implicit_energy.cpp), and e by how much E less the work from outside is more than
// the velocity problem counted with. Where
//
//   e > D                                                                            (1)
//
// the velocities of the island's trees are scaled, so that energy less work from outside does not
// rise. A tree on which no row acts keeps its energy that way, e = 0, in both directions.
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/implicit/implicit_step.h"
#include "carom/engine/implicit/joint_modes.h"
#include "carom/engine/study/tangent.h"

namespace carom {
namespace {

bool is_one_of(const std::vector<int>& list, int i) {
  return i >= 0 && std::ranges::find(list, i) != list.end();
}

}  // namespace

void ImplicitStep::move_trees(std::span<double> x_new) {
  for (std::size_t t = 0; t < trees_.list.size(); ++t) {
    TreeBlock& tree = trees_.list[t];
    tree.is_pushed = tree.block >= 0 && pushed_[at(tree.block)];
    move_tree(static_cast<int>(t), tree.block >= 0 ? block_theta_[at(tree.block)] : 1.0, x_new);
  }
}

void ImplicitStep::move_tree(int index, double theta, std::span<double> x_new) {
  const TreeBlock& tree = trees_.list[at(index)];
  const Model& model = *w_.model;
  std::vector<double>&mean = tree_mean_[at(index)], &end = tree_end_[at(index)];
  const std::size_t n = tree.dofs.size();
  mean.resize(n), end.resize(n);
  if (tree.is_pushed) {
    const double* y = &problem_.v[problem_.blocks[at(tree.block)].start];
    std::vector<double>& y_end = y_;
    y_end.resize(tree.count);
    for (std::size_t k = 0; k < tree.count; ++k) {
      y_end[k] = tree.y[k] + (y[k] - tree.y[k]) / theta;
    }
    trees_.velocities(tree, {y, tree.count}, mean);
    trees_.velocities(tree, y_end, end);
  } else {
    end = tree.v_free;
    for (std::size_t i = 0; i < n; ++i) mean[i] = 0.5 * (tree.v[i] + tree.v_free[i]);
  }
  std::vector<double>& way = way_;
  way.assign(model.nv(), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    way[at(tree.dofs[i])] = h_ * mean[i];
    x_new[model.nq() + at(tree.dofs[i])] = end[i];
  }
  for (const int i : tree.links) {
    const Link& link = model.tree.links[at(i)];
    link.joint->move(&way[at(link.v0)], &x_new[at(link.q0)]);
  }
}

/// e of (1); the links are where the step ends. Books the work of loads and prescribed motions.
double ImplicitStep::tree_gain(int index) {
  const TreeBlock& tree = trees_.list[at(index)];
  const double change = tree_energy(w_, tree) - tree.energy;
  if (tree.count == 0) {  // all of it is moved from outside
    outside_work_ += change;
    return 0.0;
  }
  double work = h_ * (tree.held_power + tree.load_power), counted = 0.0;
  for (std::size_t i = 0; i < tree.dofs.size(); ++i) {
    work += h_ * tree.load[i] * tree_mean_[at(index)][i];
  }
  if (tree.is_pushed) {
    const double* y = &problem_.v[problem_.blocks[at(tree.block)].start];
    const double theta = block_theta_[at(tree.block)];
    for (std::size_t k = 0; k < tree.count; ++k) {
      const double end = tree.y[k] + (y[k] - tree.y[k]) / theta;
      work += tree.pull[k] * (end - tree.y_free[k]);
    }
    counted = tree_change(tree.block, 1.0, theta);
    for (std::size_t i = 0; i < tree.dofs.size(); ++i) {
      counted += h_ * tree.element[i] * tree_mean_[at(index)][i];  // which is no work from outside
    }
  }
  outside_work_ += work;
  return change - work - counted;
}

/// By how much joints store more than their rows say: loops have moved them.
double ImplicitStep::joint_gain(int g) const {
  const RowGroup& group = problem_.groups[at(g)];
  const JointGroup& joints = joints_of(g);
  std::vector<double>& u = u_;
  u.resize(joints.rows.size());
  row_velocities(problem_, group, problem_.v, u);
  double sum = 0.0;
  for (std::size_t k = 0; k < joints.rows.size(); ++k) {
    const JointRow& row = joints.rows[k];
    if (!row.element->has_position) continue;
    const double v = row.kind == JointRow::Kind::stop ? -row.side * u[k] : u[k];
    const double before = x_[at(row.element->q)], now = w_.q[at(row.element->q)];
    sum += joint_energy(row, now) - joint_energy(row, before + h_ * v);
  }
  return sum;
}

/// Returns what the step has lost beyond what was counted.
double ImplicitStep::guard_island(std::size_t island, std::span<double> x_new) {
  Guarded& guarded = guarded_;
  guarded.clear();
  double gain = 0.0;
  for (const int b : problem_.islands[island].blocks) {
    const BlockOwner owner = owner_[at(b)];
    if (owner.tree < 0) {
      if (pushed_[at(b)]) guarded.bodies.push_back(owner.body);
      continue;
    }
    guarded.trees.push_back(owner.tree);
    is_done_[at(owner.tree)] = 1;
    gain += tree_gain(owner.tree);
  }
  for (const int g : problem_.islands[island].groups) {
    if (is_joint(g)) gain += joint_gain(g);
    if (!is_joint(g) && !is_touch(g)) gain += force_gain(g);
  }
  const double excess = gain - islands_[island].lost;
  return (excess > 0.0 ? slow_down(guarded, excess, x_new) : 0.0) - gain;
}

void ImplicitStep::guard_trees(std::span<double> x_new) {
  next_friction_ = w_.modes.friction;
  if (trees_.empty() && force_groups_.empty()) return;
  const double t = t_ + h_;
  if (!w_.model->constraints.empty()) project(w_, t, x_new, kToRounding, 6);
  evaluate_kinematics(w_, t, x_new);
  is_done_.assign(trees_.list.size(), 0);
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    if (islands_[i].is_guarded) lost_ += guard_island(i, x_new);
  }
  for (std::size_t i = 0; i < trees_.list.size(); ++i) {
    if (is_done_[i]) continue;
    const double gain = tree_gain(static_cast<int>(i));
    guarded_.clear();
    guarded_.trees.push_back(static_cast<int>(i));
    const double taken = trees_.list[i].count == 0 ? 0.0 : slow_down(guarded_, gain, x_new);
    lost_ += taken - gain;
  }
  read_joint_modes();
  w_.has_kinematics = false;
}

EnergyGuard ImplicitStep::guard() {
  return {
      w_, trees_, bodies_, [this](int b) {
        const int link = bodies_[at(b)].link;
        const LinkState& L = w_.tree.links[at(link)];
        return 0.5 * dot(L.V, Inertia{w_.model->tree.links[at(link)].inertia.m, L.h, L.I} * L.V);
      }};
}

/// Takes `excess` of the energy (gives, where it is negative), as far as velocities hold it, and
/// then by what is not gone. Returns what was taken.
double ImplicitStep::slow_down(const Guarded& guarded, double excess, std::span<double> x_new) {
  const EnergyGuard::Taken taken = guard().slow_down(guarded, excess, x_new);
  return taken.is_short ? taken.sum + hold_back(guarded, x_new) : taken.sum;
}

double ImplicitStep::potential_of(const FreeBody& b) const {
  const GravitySpec& gravity = w_.parameters.gravity;
  const LinkState& L = w_.tree.links[at(b.link)];
  const Vec3 p = L.p_WL + L.R_WL * b.centre;
  if (gravity.kind == GravitySpec::Kind::uniform) return -b.mass * dot(gravity.uniform, p);
  return -gravity.mu * b.mass / norm(p - gravity.center);
}

/// What they store where the links are, and what joints and elements on them do.
double ImplicitStep::energy_of_held(const Guarded& guarded) {
  double sum = 0.0;
  for (const int t : guarded.trees) sum += tree_energy(w_, trees_.list[at(t)]);
  for (const int b : guarded.bodies) sum += potential_of(bodies_[at(b)]);
  for (std::size_t g = touch_count_; g < touch_count_ + joint_count_; ++g) {
    const JointGroup& joints = joints_of(static_cast<int>(g));
    if (!is_one_of(guarded.trees, joints.tree)) continue;
    for (const JointRow& row : joints.rows) {
      if (row.element->has_position) sum += joint_energy(row, w_.q[at(row.element->q)]);
    }
  }
  for (const ForceGroup& group : force_groups_) {
    const bool acts =
        is_one_of(guarded.bodies, group.a.body) || is_one_of(guarded.bodies, group.b.body) ||
        is_one_of(guarded.trees, group.a.tree) || is_one_of(guarded.trees, group.b.tree);
    if (!acts || group.rows.is_driven) continue;
    const ForceElement& e = w_.model->forces[group.rows.element];
    sum += evaluate_force_between(w_, group.rows.element, attachment_state(w_.tree, e.from),
                                  attachment_state(w_.tree, e.to), true)
               .elastic;
  }
  return sum;
}

/// What a step leads higher than its energy reaches, stays where it was. Returns what that takes.
double ImplicitStep::hold_back(const Guarded& guarded, std::span<double> x_new) {
  const Model& model = *w_.model;
  ++bank_actions_;
  overreached_ = true;
  const double before = energy_of_held(guarded);
  guard().put_back(guarded, x_, x_new);
  put_outside(x_new);
  evaluate_kinematics(w_, t_ + h_, x_new);
  double unpaid = 0.0;  // by a way that was not gone
  for (std::size_t i = 0; i < touch_count_; ++i) {
    const Touch& touch = touches_[i];
    if (touch.slot < 0) continue;
    const bool is_held = std::ranges::any_of(std::array{touch.a, touch.b}, [&](const Mover& m) {
      return is_one_of(guarded.bodies, m.body) || is_one_of(guarded.trees, m.tree);
    });
    const std::size_t bank = slot_place(model, touch.slot) + SlotLayout::kStored;
    if (!is_held || !(x_new[bank] > x_[bank])) continue;
    unpaid += x_new[bank] - x_[bank];
    x_new[bank] = x_[bank];
  }
  return before - energy_of_held(guarded) + unpaid;
}

/// Friction of joints holds or slides as the answer says.
void ImplicitStep::read_joint_modes() {
  for (std::size_t g = touch_count_; g < touch_count_ + joint_count_; ++g) {
    const RowGroup& group = problem_.groups[g];
    const JointGroup& joints = joints_of(static_cast<int>(g));
    for (std::size_t k = at(group.normals); k < joints.rows.size(); ++k) {
      const JointRow& row = joints.rows[k];
      if (row.kind != JointRow::Kind::friction) continue;
      const RubRow& rub = problem_.rubs[at(group.first_rub) + k - at(group.normals)];
      const bool rests = std::abs(joints.forces[k]) < rub.bound * (1.0 - 1e-12) || rub.bound == 0.0;
      next_friction_[at(row.element->friction)] =
          static_cast<std::int8_t>(rests                    ? 0
                                   : joints.forces[k] > 0.0 ? -1
                                                            : 1);
    }
  }
  read_stop_modes(w_, next_stop_);
}

}  // namespace carom
