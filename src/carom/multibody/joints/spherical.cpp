// Spherical joint: q is the unit quaternion of R_FM, v the angular velocity of M
// relative to F in F axes. No singular pose; the norm of q does not matter.
#include "carom/multibody/joint_batch.h"

namespace carom {
namespace {

struct Spherical : NoBias {
  static constexpr int nv = 3;
  static constexpr Subspace subspace = Subspace::rotation;
  static void place(const Mat3& R_WF, const double* q, const double*, Mat3& R_WM, Vec3& p,
                    Motion* H) {
    R_WM = R_WF * to_matrix({q[0], q[1], q[2], q[3]});
    p = {};
    for (std::size_t k = 0; k < 3; ++k) H[k] = {R_WF.col(k), {}};
  }
};

void set_zero(double* q) { q[0] = 1.0, q[1] = q[2] = q[3] = 0.0; }

void position_rate(const double* q, const double* v, double* qdot) {
  const Quat r = quat_rate({q[0], q[1], q[2], q[3]}, {v[0], v[1], v[2]});
  qdot[0] = r.w, qdot[1] = r.x, qdot[2] = r.y, qdot[3] = r.z;
}

bool from_pose(const Pose& X_FM, const double*, double* q) {
  const Quat r = to_quat(X_FM.R);
  q[0] = r.w, q[1] = r.x, q[2] = r.y, q[3] = r.z;
  return norm(X_FM.p) <= 1e-9;
}

void move(const double* dv, double* q) {
  const Quat r = normalized(quat_exp({dv[0], dv[1], dv[2]}) * Quat{q[0], q[1], q[2], q[3]});
  q[0] = r.w, q[1] = r.x, q[2] = r.y, q[3] = r.z;
}

constexpr JointCoordinate kCoordinates[] = {{"wx", true}, {"wy", true}, {"wz", true}};

}  // namespace

extern const JointKind joint_spherical{
    .name = "spherical",
    .doc = "rotation about a point (ball joint); q is a quaternion",
    .fields = {},
    .nq = 4,
    .nv = 3,
    .coordinates = kCoordinates,
    .vector_space = false,
    .subspace = Spherical::subspace,
    .set_zero = set_zero,
    .evaluate = evaluate_in_F<Spherical>,
    .bias = Spherical::bias,
    .position_rate = position_rate,
    .from_pose = from_pose,
    .move = move,
    .kinematics = batch_kinematics<Spherical>};

}  // namespace carom
