// The initial state: from joint coordinates or from poses in the world, assembled so
// that loops close, and checked to be one that can move.
#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/engine/compiler.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/tangent.h"

namespace carom {
namespace {

/// Pose of a link's frame, by walking up to the world.
Pose link_pose(const TreeModel& tree, std::span<const double> q, int index) {
  Pose X;
  while (index != 0) {
    const Link& link = tree.links[static_cast<std::size_t>(index)];
    Pose X_FM;
    link.joint->evaluate(q.data() + link.q0, tree.joint_params.data() + link.param0, &X_FM,
                         nullptr);
    X = link.X_PF * X_FM * X;
    index = link.parent;
  }
  return X;
}

/// Velocity of a link's origin in the world, the same way.
Motion link_velocity(const TreeModel& tree, std::span<const double> q, std::span<const double> v,
                     int index) {
  Motion V;  // of the link asked for, relative to `at`, in the axes of `at`
  Vec3 p;    // its origin in `at`
  while (index != 0) {
    const Link& link = tree.links[static_cast<std::size_t>(index)];
    Pose X_FM;
    Motion H[kMaxJointVelocities], joint;
    link.joint->evaluate(q.data() + link.q0, tree.joint_params.data() + link.param0, &X_FM, H);
    for (int k = 0; k < link.joint->nv; ++k)
      joint += v[static_cast<std::size_t>(link.v0 + k)] * H[k];
    const Vec3 r = X_FM.R * p;
    const Motion in_F{X_FM.R * V.w + joint.w, X_FM.R * V.v + joint.v + cross(joint.w, r)};
    V = {link.X_PF.R * in_F.w, link.X_PF.R * in_F.v};
    p = link.X_PF * (X_FM * p);
    index = link.parent;
  }
  return V;
}

}  // namespace

void Compiler::set_initial_position(const JointInfo& joint, std::span<double> q) {
  const BodySpec& body = scene_.bodies[static_cast<std::size_t>(joint.body)];
  const BodyInfo& info = model_->bodies[static_cast<std::size_t>(joint.body)];
  const Link& link = model_->tree.links[static_cast<std::size_t>(joint.link)];
  double* own = q.data() + joint.q0;
  joint.kind->set_zero(own);
  const JointSpec* spec =
      joint.spec < 0 ? nullptr : &scene_.joints[static_cast<std::size_t>(joint.spec)];
  if (spec && !spec->q.empty()) {
    if (static_cast<int>(spec->q.size()) != joint.kind->nq) {
      diagnostics_.error(spec->where,
                         "joint '" + joint.name + "' (" + joint.kind->name + ") has " +
                             std::to_string(joint.kind->nq) + " coordinates, q has " +
                             std::to_string(spec->q.size()),
                         "give one number per coordinate");
      return;
    }
    std::copy(spec->q.begin(), spec->q.end(), own);
    return;
  }
  if (!body.position && !body.orientation) return;
  const Pose X_WB{to_matrix(body.orientation.value_or(Quat{})), body.position.value_or(Vec3{})};
  const Pose X_WF = link_pose(model_->tree, q, link.parent) * link.X_PF;
  const Pose X_FM = inverse(X_WF) * X_WB * inverse(info.X_LB);
  const double* params = model_->tree.joint_params.data() + link.param0;
  if (!joint.kind->from_pose(X_FM, params, own)) {
    diagnostics_.error(body.where,
                       "joint '" + joint.name + "' (" + joint.kind->name + ") cannot bring body '" +
                           body.name + "' to the given pose",
                       "give the joint's coordinate q instead of position and orientation");
  }
}

void Compiler::set_initial_velocity(const JointInfo& joint, std::span<const double> q,
                                    std::span<double> v) {
  const BodySpec& body = scene_.bodies[static_cast<std::size_t>(joint.body)];
  const BodyInfo& info = model_->bodies[static_cast<std::size_t>(joint.body)];
  const Link& link = model_->tree.links[static_cast<std::size_t>(joint.link)];
  double* own = v.data() + joint.v0;
  const JointSpec* spec =
      joint.spec < 0 ? nullptr : &scene_.joints[static_cast<std::size_t>(joint.spec)];
  if (spec && !spec->v.empty()) {
    if (static_cast<int>(spec->v.size()) != joint.kind->nv) {
      diagnostics_.error(spec->where,
                         "joint '" + joint.name + "' (" + joint.kind->name + ") has " +
                             std::to_string(joint.kind->nv) + " velocities, v has " +
                             std::to_string(spec->v.size()),
                         "give one number per velocity");
      return;
    }
    std::copy(spec->v.begin(), spec->v.end(), own);
    return;
  }
  if (!body.velocity && !body.angular_velocity) return;
  const Pose X_WL = link_pose(model_->tree, q, joint.link);
  const Pose X_WP = link_pose(model_->tree, q, link.parent);
  const Vec3 r_BL = -(X_WL.R * info.X_LB.p);  // from the body's origin to the link's
  const Motion wanted =
      shifted(Motion{body.angular_velocity.value_or(Vec3{}), body.velocity.value_or(Vec3{})}, r_BL);
  const Motion parent = shifted(link_velocity(model_->tree, q, v, link.parent), X_WL.p - X_WP.p);
  const Mat3 R_WF = X_WP.R * link.X_PF.R;
  const Motion relative{transpose_times(R_WF, wanted.w - parent.w),
                        transpose_times(R_WF, wanted.v - parent.v)};
  Pose X_FM;
  Motion H[kMaxJointVelocities], left = relative;
  joint.kind->evaluate(q.data() + joint.q0, model_->tree.joint_params.data() + link.param0, &X_FM,
                       H);
  // The columns of H are orthogonal for every kind, so each velocity is a projection.
  for (int k = 0; k < joint.kind->nv; ++k) {
    own[k] = (dot(H[k].w, relative.w) + dot(H[k].v, relative.v)) /
             (dot(H[k].w, H[k].w) + dot(H[k].v, H[k].v));
    left -= own[k] * H[k];
  }
  const double scale = 1.0 + norm(wanted.w) + norm(wanted.v);
  const bool velocity_off = body.velocity && norm(left.v) > 1e-9 * scale;
  const bool turn_off = body.angular_velocity && norm(left.w) > 1e-9 * scale;
  if (velocity_off || turn_off) {
    diagnostics_.error(body.where,
                       "joint '" + joint.name + "' (" + joint.kind->name +
                           ") does not allow the given velocity of body '" + body.name + "'",
                       "give the joint's velocity v instead");
  }
}

void Compiler::assemble(std::span<double> q, std::span<double> v) {
  Workspace w(model_);
  apply_modes(w);
  for (const std::string& name : scene_.initial.keep) {
    const auto joint = joint_index_.find(name);
    if (joint == joint_index_.end()) {
      diagnostics_.error({}, "initial: keep names '" + name + "', which is not a tree joint",
                         "name joints that are not loops");
      return;
    }
    const JointInfo& info = model_->joints[static_cast<std::size_t>(joint->second)];
    for (int k = 0; k < info.kind->nv; ++k) {
      w.tree.known[static_cast<std::size_t>(info.v0 + k)] = 1;
    }
  }
  const TreeModel& tree = model_->tree;
  const double error =
      project_positions(tree, model_->constraints, q, w.tree, w.constraints, kToRounding, 200);
  if (!(error <= 1e-9)) {
    diagnostics_.error(scene_.joints.empty() ? SourcePos{} : scene_.joints.back().where,
                       "the loops cannot be closed from the given start: " + rounded_text(error) +
                           " (m, rad) remain",
                       "start nearer to a closed position, or keep fewer coordinates");
    return;
  }
  calc_kinematics(tree, q, v, w.tree);
  if (factor_mass(tree, w.tree) == Status::ok) {
    project_velocities(tree, model_->constraints, v, w.tree, w.constraints);
  }
}

// The start may be singular (a dead centre), so ranks are taken at closed positions
// around it; the largest one is generic.
void Compiler::find_generic_ranks(std::span<const double> start) {
  const TreeModel& tree = model_->tree;
  Workspace w(model_);
  std::vector<int> best(model_->constraints.islands.size(), 0);
  std::vector<double> q(start.size()), step(model_->nv());
  unsigned seed = 1;
  constexpr int kTrials = 12;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::copy(start.begin(), start.end(), q.begin());
    for (double& s : step) {
      seed = 1664525u * seed + 1013904223u;  // any spread of directions will do
      s = 0.3 * trial / kTrials * (static_cast<double>(seed >> 8) / (1u << 23) - 1.0);
    }
    move_positions(tree, step, q);
    const double error =
        project_positions(tree, model_->constraints, q, w.tree, w.constraints, kToRounding, 100);
    if (!(error <= 1e-10) || factor_mass(tree, w.tree) != Status::ok) continue;
    const std::vector<int> ranks = calc_ranks(tree, model_->constraints, w.tree, w.constraints);
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = std::max(best[i], ranks[i]);
  }
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (best[i] > 0) model_->constraints.islands[i].generic_rank = best[i];
  }
}

void Compiler::compile_initial() {
  std::vector<double>& x = model_->initial;
  x.assign(model_->size(), 0.0);
  const std::span<double> q(x.data(), model_->nq()), v(x.data() + model_->nq(), model_->nv());
  for (const JointInfo& joint : model_->joints) set_initial_position(joint, q);
  for (const JointInfo& joint : model_->joints) set_initial_velocity(joint, q, v);
  for (std::size_t i = 0; i < model_->states.size(); ++i) {
    x[model_->nq() + model_->nv() + i] = model_->states[i].initial;
  }
  for (CouplingConstraint& c : model_->constraints.couplings) {
    if (!std::isnan(c.offset)) continue;
    c.offset =
        q[static_cast<std::size_t>(c.q_first)] - c.ratio * q[static_cast<std::size_t>(c.q_second)];
  }
  if (diagnostics_.has_errors()) return;
  {
    // Prescribed coordinates start where their motion says.
    Workspace w(model_);
    evaluate_kinematics(w, scene_.run.start, x);
    std::copy(w.q.begin(), w.q.end(), q.begin());
    std::copy(w.v.begin(), w.v.end(), v.begin());
  }
  if (!model_->constraints.empty()) {
    find_generic_ranks(q);
    assemble(q, v);
  }
  if (diagnostics_.has_errors()) return;
  Workspace w(model_);
  apply_modes(w);
  if (evaluate(w, scene_.run.start, x) != Status::ok) {
    for (const JointInfo& joint : model_->joints) {
      const BodySpec& body = scene_.bodies[static_cast<std::size_t>(joint.body)];
      const Inertia& a = model_->tree.links[static_cast<std::size_t>(joint.link)].inertia;
      if (joint.kind->nv == 0 || (a.m > 0.0 && trace(a.I) > 0.0)) continue;
      diagnostics_.error(body.where,
                         "body '" + body.name +
                             "' has no inertia in a direction in which its joint (" +
                             joint.kind->name + ") lets it move",
                         "give mass and inertia, or shapes with a material");
      return;
    }
    diagnostics_.error({}, "the mass matrix is singular at the start",
                       "give every moving body mass and inertia");
  }
}

}  // namespace carom
