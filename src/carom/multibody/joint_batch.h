// The kinematic pass over a batch of links with one joint kind.
//
// With P the parent link, r = p_WL − p_WP and the joint's relative motion
// (w_r, v_r) = H v resolved in world axes,
//
//   w = w_P + w_r,            v = v_P + w_P × r + v_r                          (1)
//   c_w = w_P × w_r + b_w,    c_v = w_P × (w_P × r + 2 v_r) + b_v              (2)
//
// where (b_w, b_v) = H' v is the joint's own bias. A joint kind is written as a
// struct with `place` (pose and H in the world) and `bias`; everything here is
// inlined for each kind.
#pragma once

#include "carom/multibody/tree.h"

namespace carom {

struct KinematicBatch {
  const TreeModel& tree;
  TreeData& data;
  std::span<const double> q, v;
  LinkBatch range;
};

/// H v, without the zeros of H.
template <class Joint>
Motion joint_velocity([[maybe_unused]] const Mat3& R_WF, const double* v, const Motion* H) {
  if constexpr (Joint::subspace == Subspace::full) {
    return {R_WF * Vec3{v[0], v[1], v[2]}, R_WF * Vec3{v[3], v[4], v[5]}};
  } else {
    Motion relative;
    for (int k = 0; k < Joint::nv; ++k) {
      relative.w += v[k] * H[k].w;
      if constexpr (Joint::subspace != Subspace::rotation) relative.v += v[k] * H[k].v;
    }
    return relative;
  }
}

/// Everything of link L below the parent P but its inertia: (1) and (2).
template <class Joint>
void move_link(const Link& link, const LinkState& P, const double* q, const double* v,
               const double* params, Motion* H, LinkState& L) {
  const Mat3 R_WF = P.R_WL * link.X_PF.R;
  Vec3 p_FL_W;
  Joint::place(R_WF, q, params, L.R_WL, p_FL_W, H);
  Vec3 r = P.R_WL * link.X_PF.p;
  const Motion own = Joint::bias(v, H);
  const Motion relative = joint_velocity<Joint>(R_WF, v, H);
  const Vec3 w_P = P.V.w;
  if constexpr (Joint::subspace == Subspace::rotation) {
    const Vec3 carried = cross(w_P, r);
    L.V = {w_P + relative.w, P.V.v + carried};
    L.c = {cross(w_P, relative.w) + own.w, cross(w_P, carried)};
  } else {
    r += p_FL_W;
    const Vec3 carried = cross(w_P, r);
    L.V = {w_P + relative.w, P.V.v + carried + relative.v};
    L.c = {cross(w_P, relative.w) + own.w, cross(w_P, carried + 2.0 * relative.v) + own.v};
  }
  L.r = r;
  L.p_WL = P.p_WL + r;
}

/// The same below the world, which neither turns nor moves.
template <class Joint>
void move_root(const Link& link, const double* q, const double* v, const double* params, Motion* H,
               LinkState& L) {
  Vec3 p_FL_W;
  Joint::place(link.X_PF.R, q, params, L.R_WL, p_FL_W, H);
  L.V = joint_velocity<Joint>(link.X_PF.R, v, H);
  L.c = Joint::bias(v, H);
  L.r = link.X_PF.p + p_FL_W;
  L.p_WL = L.r;
}

template <class Joint>
void batch_kinematics(const KinematicBatch& b) {
  for (int i = b.range.begin; i < b.range.end; ++i) {
    const Link& link = b.tree.links[static_cast<std::size_t>(i)];
    LinkState& L = b.data.links[static_cast<std::size_t>(i)];
    const double* q = b.q.data() + link.q0;
    const double* v = b.v.data() + link.v0;
    const double* params = b.tree.joint_params.data() + link.param0;
    Motion* H = b.data.H.data() + link.v0;
    if (link.parent == 0) {
      move_root<Joint>(link, q, v, params, H, L);
    } else {
      const LinkState& P = b.data.links[static_cast<std::size_t>(link.parent)];
      move_link<Joint>(link, P, q, v, params, H, L);
    }
    L.I = rotated(L.R_WL, link.inertia.I);
    L.h = L.R_WL * link.inertia.h;
  }
}

/// For kinds whose H is constant in F.
struct NoBias {
  static Motion bias(const double*, const Motion*) { return {}; }
};

/// `evaluate` of a JointKind from `place`.
template <class Joint>
void evaluate_in_F(const double* q, const double* params, Pose* X_FM, Motion* H) {
  Motion unused[kMaxJointVelocities];
  Joint::place(Mat3{}, q, params, X_FM->R, X_FM->p, H ? H : unused);
}

// Shared by kinds whose coordinates are plain numbers.
template <int N>
void zero_coordinates(double* q) {
  for (int k = 0; k < N; ++k) q[k] = 0.0;
}
template <int N>
void copy_rate(const double*, const double* v, double* qdot) {
  for (int k = 0; k < N; ++k) qdot[k] = v[k];
}
template <int N>
void add_increment(const double* dv, double* q) {
  for (int k = 0; k < N; ++k) q[k] += dv[k];
}

/// Whether two poses agree to 1e-9 m and 1e-9 rad, for from_pose.
bool poses_agree(const Pose& a, const Pose& b);
/// The angle equivalent to `angle` that is nearest to `guess`.
double unwrap(double angle, double guess);

}  // namespace carom
