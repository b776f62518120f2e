// Universal joint: rotation by q0 about the x axis of F, then by q1 about the y axis
// that has turned with it. The second column of H moves:
//
//   H1 = Rx(q0) y,   H1' = v0 x × H1                                            (1)
#include "carom/multibody/joint_batch.h"

namespace carom {
namespace {

struct Universal {
  static constexpr int nv = 2;
  static constexpr Subspace subspace = Subspace::rotation;
  static void place(const Mat3& R_WF, const double* q, const double*, Mat3& R_WM, Vec3& p,
                    Motion* H) {
    const double c0 = std::cos(q[0]), s0 = std::sin(q[0]);
    const double c1 = std::cos(q[1]), s1 = std::sin(q[1]);
    const Vec3 x = R_WF.col(0), y = R_WF.col(1), z = R_WF.col(2);
    const Vec3 y1 = c0 * y + s0 * z, z1 = c0 * z - s0 * y;
    R_WM = Mat3::from_columns(c1 * x - s1 * z1, y1, c1 * z1 + s1 * x);
    p = {};
    H[0] = {x, {}};
    H[1] = {y1, {}};
  }
  static Motion bias(const double* v, const Motion* H) {
    return {(v[0] * v[1]) * cross(H[0].w, H[1].w), {}};  // (1)
  }
};

bool from_pose(const Pose& X_FM, const double*, double* q) {
  q[0] = unwrap(std::atan2(X_FM.R(2, 1), X_FM.R(1, 1)), q[0]);
  q[1] = unwrap(std::atan2(X_FM.R(0, 2), X_FM.R(0, 0)), q[1]);
  return poses_agree(X_FM, Pose::rotation(rotation_x(q[0]) * rotation_y(q[1])));
}

constexpr JointCoordinate kCoordinates[] = {{"angle_x", true}, {"angle_y", true}};

}  // namespace

extern const JointKind joint_universal{
    .name = "universal",
    .doc = "rotation about x, then about the turned y (Cardan joint)",
    .fields = {},
    .nq = 2,
    .nv = 2,
    .coordinates = kCoordinates,
    .vector_space = true,
    .subspace = Universal::subspace,
    .set_zero = zero_coordinates<2>,
    .evaluate = evaluate_in_F<Universal>,
    .bias = Universal::bias,
    .position_rate = copy_rate<2>,
    .from_pose = from_pose,
    .move = add_increment<2>,
    .kinematics = batch_kinematics<Universal>};

}  // namespace carom
