// Planar joint: translation by q0, q1 along the x and y axes of F, rotation by q2
// about z.
#include "carom/multibody/joint_batch.h"

namespace carom {
namespace {

struct Planar : NoBias {
  static constexpr int nv = 3;
  static constexpr Subspace subspace = Subspace::general;
  static void place(const Mat3& R_WF, const double* q, const double*, Mat3& R_WM, Vec3& p,
                    Motion* H) {
    const double c = std::cos(q[2]), s = std::sin(q[2]);
    const Vec3 x = R_WF.col(0), y = R_WF.col(1), z = R_WF.col(2);
    R_WM = Mat3::from_columns(c * x + s * y, c * y - s * x, z);
    p = q[0] * x + q[1] * y;
    H[0] = {{}, x};
    H[1] = {{}, y};
    H[2] = {z, {}};
  }
};

bool from_pose(const Pose& X_FM, const double*, double* q) {
  q[0] = X_FM.p.x;
  q[1] = X_FM.p.y;
  q[2] = unwrap(std::atan2(X_FM.R(1, 0) - X_FM.R(0, 1), X_FM.R(0, 0) + X_FM.R(1, 1)), q[2]);
  return poses_agree(X_FM, {rotation_z(q[2]), {q[0], q[1], 0}});
}

constexpr JointCoordinate kCoordinates[] = {{"x", false}, {"y", false}, {"angle", true}};

}  // namespace

extern const JointKind joint_planar{
    .name = "planar",
    .doc = "translation in the plane normal to the axis, rotation about it",
    .fields = {},
    .nq = 3,
    .nv = 3,
    .coordinates = kCoordinates,
    .vector_space = true,
    .set_zero = zero_coordinates<3>,
    .evaluate = evaluate_in_F<Planar>,
    .bias = Planar::bias,
    .position_rate = copy_rate<3>,
    .from_pose = from_pose,
    .move = add_increment<3>,
    .kinematics = batch_kinematics<Planar>};

}  // namespace carom
