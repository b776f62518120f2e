#include "carom/engine/study/placement.h"

#include "carom/base/index.h"
#include "carom/engine/study/tangent.h"

namespace carom {

Pose link_pose(const TreeModel& tree, std::span<const double> q, int index) {
  Pose X;
  while (index != 0) {
    const Link& link = tree.links[at(index)];
    Pose X_FM;
    link.joint->evaluate(q.data() + link.q0, tree.joint_params.data() + link.param0, &X_FM,
                         nullptr);
    X = link.X_PF * X_FM * X;
    index = link.parent;
  }
  return X;
}

Motion link_velocity(const TreeModel& tree, std::span<const double> q, std::span<const double> v,
                     int index) {
  Motion V;  // of the link asked for, relative to the one reached, in its axes
  Vec3 p;    // its origin there
  while (index != 0) {
    const Link& link = tree.links[at(index)];
    Pose X_FM;
    Motion H[kMaxJointVelocities], joint;
    link.joint->evaluate(q.data() + link.q0, tree.joint_params.data() + link.param0, &X_FM, H);
    for (int k = 0; k < link.joint->nv; ++k) joint += v[at(link.v0 + k)] * H[k];
    const Vec3 r = X_FM.R * p;
    const Motion in_F{X_FM.R * V.w + joint.w, X_FM.R * V.v + joint.v + cross(joint.w, r)};
    V = {link.X_PF.R * in_F.w, link.X_PF.R * in_F.v};
    p = link.X_PF * (X_FM * p);
    index = link.parent;
  }
  return V;
}

bool place_body(const Model& model, const JointInfo& joint, const Pose& X_WB, std::span<double> q) {
  const Link& link = model.tree.links[at(joint.link)];
  const Pose X_WF = link_pose(model.tree, q, link.parent) * link.X_PF;
  const Pose X_FM = inverse(X_WF) * X_WB * inverse(model.bodies[at(joint.body)].X_LB);
  const double* params = model.tree.joint_params.data() + link.param0;
  return joint.kind->from_pose(X_FM, params, q.data() + joint.q0);
}

Motion move_body(const Model& model, const JointInfo& joint, const Motion& wanted,
                 std::span<const double> q, std::span<double> v) {
  const TreeModel& tree = model.tree;
  const Link& link = tree.links[at(joint.link)];
  const Pose X_WL = link_pose(tree, q, joint.link), X_WP = link_pose(tree, q, link.parent);
  // From the body's origin to the link's.
  const Motion of_link = shifted(wanted, -(X_WL.R * model.bodies[at(joint.body)].X_LB.p));
  const Motion parent = shifted(link_velocity(tree, q, v, link.parent), X_WL.p - X_WP.p);
  const Mat3 R_WF = X_WP.R * link.X_PF.R;
  const Motion relative{transpose_times(R_WF, of_link.w - parent.w),
                        transpose_times(R_WF, of_link.v - parent.v)};
  Pose X_FM;
  Motion H[kMaxJointVelocities], left = relative;
  joint.kind->evaluate(q.data() + joint.q0, tree.joint_params.data() + link.param0, &X_FM, H);
  double* own = v.data() + joint.v0;
  // The columns of H are orthogonal for every kind, so each velocity is a projection.
  for (int k = 0; k < joint.kind->nv; ++k) {
    own[k] = (dot(H[k].w, relative.w) + dot(H[k].v, relative.v)) /
             (dot(H[k].w, H[k].w) + dot(H[k].v, H[k].v));
    left -= own[k] * H[k];
  }
  return left;
}

double assemble(Workspace& w, std::span<double> q, std::span<double> v) {
  const TreeModel& tree = w.model->tree;
  const ConstraintModel& constraints = w.model->constraints;
  const double error =
      project_positions(tree, constraints, q, w.tree, w.constraints, kToRounding, 200);
  if (!(error <= 1e-9)) return error;
  calc_kinematics(tree, q, v, w.tree);
  if (factor_mass(tree, w.tree) == Status::ok) {
    project_velocities(tree, constraints, v, w.tree, w.constraints);
  }
  return error;
}

}  // namespace carom
