// Free joint: six degrees of freedom. q = (quaternion of R_FM, p_FM), v = (angular
// velocity, velocity of Mo), all in F axes, so that H is constant.
#include "carom/multibody/joint_batch.h"

namespace carom {
namespace {

struct Free : NoBias {
  static constexpr Subspace subspace = Subspace::full;
  static void place(const Mat3& R_WF, const double* q, const double*, Mat3& R_WM, Vec3& p,
                    Motion* H) {
    R_WM = R_WF * to_matrix({q[0], q[1], q[2], q[3]});
    p = R_WF * Vec3{q[4], q[5], q[6]};
    for (std::size_t k = 0; k < 3; ++k) {
      H[k] = {R_WF.col(k), {}};
      H[3 + k] = {{}, R_WF.col(k)};
    }
  }
};

void set_zero(double* q) {
  q[0] = 1.0;
  for (int k = 1; k < 7; ++k) q[k] = 0.0;
}

void position_rate(const double* q, const double* v, double* qdot) {
  const Quat r = quat_rate({q[0], q[1], q[2], q[3]}, {v[0], v[1], v[2]});
  qdot[0] = r.w, qdot[1] = r.x, qdot[2] = r.y, qdot[3] = r.z;
  for (int k = 0; k < 3; ++k) qdot[4 + k] = v[3 + k];
}

bool from_pose(const Pose& X_FM, const double*, double* q) {
  const Quat r = to_quat(X_FM.R);
  q[0] = r.w, q[1] = r.x, q[2] = r.y, q[3] = r.z;
  q[4] = X_FM.p.x, q[5] = X_FM.p.y, q[6] = X_FM.p.z;
  return true;
}

void move(const double* dv, double* q) {
  const Quat r = normalized(quat_exp({dv[0], dv[1], dv[2]}) * Quat{q[0], q[1], q[2], q[3]});
  q[0] = r.w, q[1] = r.x, q[2] = r.y, q[3] = r.z;
  for (int k = 0; k < 3; ++k) q[4 + k] += dv[3 + k];
}

constexpr JointCoordinate kCoordinates[] = {{"wx", true},  {"wy", true},  {"wz", true},
                                            {"vx", false}, {"vy", false}, {"vz", false}};

}  // namespace

extern const JointKind joint_free{
    .name = "free",
    .doc = "six degrees of freedom; q is a quaternion, then a position",
    .fields = {},
    .nq = 7,
    .nv = 6,
    .coordinates = kCoordinates,
    .vector_space = false,
    .subspace = Free::subspace,
    .set_zero = set_zero,
    .evaluate = evaluate_in_F<Free>,
    .bias = Free::bias,
    .position_rate = position_rate,
    .from_pose = from_pose,
    .move = move,
    .kinematics = batch_kinematics<Free>};

}  // namespace carom
