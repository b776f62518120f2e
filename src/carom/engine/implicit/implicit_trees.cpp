// Trees in an implicit step: their block, the rows of their joints, and what these do to the energy
// of the answer.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/implicit/implicit_step.h"

namespace carom {
namespace {

/// (h sqrt(k/m))², and h c/m, of what the step resolves.
constexpr double kResolvedJoint = 0.25;

}  // namespace

int ImplicitStep::add_tree_block(int index) {
  TreeBlock& tree = trees_.list[at(index)];
  if (tree.block >= 0 || tree.count == 0) return tree.block;
  tree.block = static_cast<int>(problem_.blocks.size());
  owner_.push_back({-1, index});
  const std::size_t n = tree.count;
  problem_.blocks.push_back(
      {problem_.v.size(), n, problem_.mass.size(), std::max(tree.mass, 1e-30)});
  for (std::size_t i = 0; i < n * n; ++i) problem_.mass.push_back(i % (n + 1) == 0 ? 1.0 : 0.0);
  start_.insert(start_.end(), tree.y.begin(), tree.y.end());
  problem_.v.insert(problem_.v.end(), tree.y.begin(), tree.y.end());
  problem_.free.insert(problem_.free.end(), tree.y_free.begin(), tree.y_free.end());
  return tree.block;
}

void ImplicitStep::add_joint_groups() {
  std::size_t& count = joint_count_;
  count = 0;
  for (std::size_t t = 0; t < trees_.list.size(); ++t) {
    const TreeBlock& tree = trees_.list[t];
    if (tree.count == 0) continue;
    if (joint_groups_.size() == count) joint_groups_.emplace_back();
    JointGroup& joints = joint_groups_[count];
    joints.tree = static_cast<int>(t);
    find_joint_rows(w_, trees_, joints);
    if (joints.rows.empty()) continue;
    ++count;
    RowGroup group;
    group.a = add_tree_block(joints.tree);
    group.jacobian = problem_.jacobian.size();
    group.first_normal = static_cast<int>(problem_.normals.size());
    group.first_rub = static_cast<int>(problem_.rubs.size());
    group.rows = static_cast<int>(joints.rows.size());
    for (const JointRow& row : joints.rows) {
      std::vector<double>& J = problem_.jacobian;
      J.resize(J.size() + tree.count, 0.0);
      const double sign = row.kind == JointRow::Kind::stop ? -row.side : 1.0;
      const double drift =
          trees_.put_row(tree, row.element->v, sign, J.data() + (J.size() - tree.count));
      if (row.kind == JointRow::Kind::stop) {
        problem_.normals.push_back(joint_stop(w_, row));
        problem_.normals.back().drift = drift;
        ++group.normals;
      } else {
        problem_.rubs.emplace_back().size = 1;
        problem_.rubs.back().drift[0] = drift;
        ++group.rubs;
      }
    }
    problem_.groups.push_back(group);
  }
}

void ImplicitStep::put_joint_rubs(int g, double theta) {
  const RowGroup& group = problem_.groups[at(g)];
  const JointGroup& joints = joints_of(g);
  const std::span<const double> z =
      std::span<const double>(x_).subspan(w_.model->nq() + w_.model->nv());
  for (std::size_t k = 0; k < at(group.rubs); ++k) {
    const JointRow& row = joints.rows[at(group.normals) + k];
    RubRow& rub = problem_.rubs[at(group.first_rub) + k];
    const double drift = rub.drift[0];
    rub = joint_rub(w_, row, z, t_, h_, theta, w_.v[at(row.element->v)]);
    rub.drift[0] = drift;
  }
}

bool ImplicitStep::resolves_elements(int g) const {
  const RowGroup& group = problem_.groups[at(g)];
  double sum = 0.0;
  if (!is_joint(g)) {
    const std::vector<ForceRow>& rows = element_of(g).rows.rows;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      sum += (h_ * h_ * rows[k].stiffness + h_ * rows[k].damping) * row_mobility(group, k);
    }
    return sum < kResolvedJoint;
  }
  const JointGroup& joints = joints_of(g);
  for (std::size_t k = 0; k < joints.rows.size(); ++k) {
    const JointRow& row = joints.rows[k];
    const DofElement& e = *row.element;
    double slope = h_ * h_ * row.stiffness + h_ * row.damping;
    if (row.kind == JointRow::Kind::stop) {
      const NormalRow& stop = problem_.normals[at(group.first_normal) + k];
      const double speed = std::abs(w_.v[at(e.v)]);
      const bool is_near = stop.depth + 2.0 * h_ * speed > 0.0;
      slope = is_near ? h_ * h_ * stop.linear + h_ * stop.viscous : 0.0;
    }
    if (slope > 0.0) sum += slope * row_mobility(group, k);
  }
  return sum < kResolvedJoint;
}

/// A joint that slides although it was held has the friction of sliding.
bool ImplicitStep::renew_joints(std::size_t island) {
  bool renewed = false;
  for (const int g : problem_.islands[island].groups) {
    if (!is_joint(g)) continue;
    const RowGroup& group = problem_.groups[at(g)];
    JointGroup& joints = joints_of(g);
    for (std::size_t k = at(group.normals); k < joints.rows.size(); ++k) {
      JointRow& row = joints.rows[k];
      if (row.kind != JointRow::Kind::friction || row.breaks_loose) continue;
      const bool rests = w_.modes.friction[at(row.element->friction)] == 0;
      if (!rests || !(row.element->coulomb < row.element->stiction)) continue;
      if (std::abs(joints.forces[k]) < row.element->stiction * (1.0 - 1e-12)) continue;
      row.breaks_loose = renewed = true;
    }
    if (renewed) put_joint_rubs(g, islands_[island].theta);
  }
  return renewed;
}

/// dE of a tree with the mass matrix of the middle of the step, where all that moves it without
/// rows, gyroscopic terms included, does its work along the way that is taken: what is left is the
/// work of rows. guard_trees() sees to the difference from the true energy, of third order.
double ImplicitStep::tree_change(int b, double s, double theta) const {
  const TreeBlock& tree = trees_.list[at(owner_[at(b)].tree)];
  const std::size_t first = problem_.blocks[at(b)].start;
  double sum = 0.0;
  for (std::size_t k = 0; k < tree.count; ++k) {
    const std::size_t i = first + k;
    const double mean = problem_.free[i] + s * (problem_.v[i] - problem_.free[i]);
    const double gain = (mean - start_[i]) / theta;
    sum += 0.5 * gain * (2.0 * start_[i] + gain) - (tree.y_free[k] - tree.y[k]) * mean;
  }
  return sum;
}

/// Stored in joints, less the work of drives.
double ImplicitStep::joint_change(int g, double s) const {
  const RowGroup& group = problem_.groups[at(g)];
  const JointGroup& joints = joints_of(g);
  std::vector<double>&u = u_, &u_free = u_free_;
  u.resize(joints.rows.size()), u_free.resize(joints.rows.size());
  row_velocities(problem_, group, problem_.v, u);
  row_velocities(problem_, group, problem_.free, u_free);
  double sum = 0.0;
  for (std::size_t k = 0; k < joints.rows.size(); ++k) {
    const JointRow& row = joints.rows[k];
    const double speed = u_free[k] + s * (u[k] - u_free[k]);
    if (row.kind == JointRow::Kind::drive) {
      sum -= s * h_ * joints.forces[k] * speed;
    } else if (row.kind != JointRow::Kind::friction && row.element->has_position) {
      const double q = w_.q[at(row.element->q)];
      const double v = row.kind == JointRow::Kind::stop ? -row.side * speed : speed;
      sum += joint_energy(row, q + h_ * v) - joint_energy(row, q);
    }
  }
  return sum;
}

/// Books what the elements of joints do in the answer; returns what they take.
double ImplicitStep::close_joints(int g, double share) {
  const RowGroup& group = problem_.groups[at(g)];
  const JointGroup& joints = joints_of(g);
  std::vector<double>& u = u_;
  u.resize(joints.rows.size());
  row_velocities(problem_, group, problem_.v, u);
  double damped = 0.0, rubbed = 0.0;
  for (std::size_t k = 0; k < joints.rows.size(); ++k) {
    const JointRow& row = joints.rows[k];
    const double work = share * h_ * joints.forces[k] * u[k];
    switch (row.kind) {
      case JointRow::Kind::stop: {
        const NormalRow& stop = problem_.normals[at(group.first_normal) + k];
        if (!(joints.forces[k] > 0.0)) break;
        const double depth = stop.depth - h_ * u[k];
        const double elastic = stop.secant ? secant_force(stop, depth) : elastic_force(stop, depth);
        damped += share * h_ * (elastic - joints.forces[k]) * u[k];
        break;
      }
      case JointRow::Kind::spring: damped += share * h_ * row.damping * u[k] * u[k]; break;
      case JointRow::Kind::drive: outside_work_ += work; break;
      case JointRow::Kind::friction: rubbed -= work; break;
    }
  }
  damped_ += damped, rubbed_ += rubbed;
  return damped + rubbed;
}

void ImplicitStep::place_tree(int b, bool at_end) {
  const TreeBlock& tree = trees_.list[at(owner_[at(b)].tree)];
  if (!at_end) return trees_.place_back(tree, x_);
  y_.resize(tree.dofs.size());
  trees_.velocities(tree, {&problem_.v[problem_.blocks[at(b)].start], tree.count}, y_);
  trees_.place(tree, x_, y_);
}

}  // namespace carom
