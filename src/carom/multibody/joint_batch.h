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

template <class Joint>
void batch_kinematics(const KinematicBatch& b) {
  for (int i = b.range.begin; i < b.range.end; ++i) {
    const Link& link = b.tree.links[static_cast<std::size_t>(i)];
    const LinkState& P = b.data.links[static_cast<std::size_t>(link.parent)];
    LinkState& L = b.data.links[static_cast<std::size_t>(i)];
    const double* q = b.q.data() + link.q0;
    const double* v = b.v.data() + link.v0;
    const double* params = b.tree.joint_params.data() + link.param0;
    Motion* H = b.data.H.data() + link.v0;

    const Mat3 R_WF = P.R_WL * link.X_PF.R;
    const Vec3 p_PF_W = P.R_WL * link.X_PF.p;
    Vec3 p_FL_W;
    Joint::place(R_WF, q, params, L.R_WL, p_FL_W, H);
    L.r = p_PF_W + p_FL_W;
    L.p_WL = P.p_WL + L.r;

    Motion relative;
    for (int k = 0; k < Joint::nv; ++k) relative += v[k] * H[k];
    const Vec3 carried = cross(P.V.w, L.r);
    L.V.w = P.V.w + relative.w;  // (1)
    L.V.v = P.V.v + carried + relative.v;
    const Motion own = Joint::bias(v, H);
    L.c.w = cross(P.V.w, relative.w) + own.w;  // (2)
    L.c.v = cross(P.V.w, carried + 2.0 * relative.v) + own.v;

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
