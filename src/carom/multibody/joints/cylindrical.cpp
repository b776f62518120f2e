// Cylindrical joint: rotation by q0 about, and translation by q1 along, the z axis of F.
#include "carom/multibody/joint_batch.h"

namespace carom {
namespace {

struct Cylindrical : NoBias {
  static constexpr int nv = 2;
  static constexpr Subspace subspace = Subspace::general;
  static void place(const Mat3& R_WF, const double* q, const double*, Mat3& R_WM, Vec3& p,
                    Motion* H) {
    const double c = std::cos(q[0]), s = std::sin(q[0]);
    const Vec3 x = R_WF.col(0), y = R_WF.col(1), z = R_WF.col(2);
    R_WM = Mat3::from_columns(c * x + s * y, c * y - s * x, z);
    p = q[1] * z;
    H[0] = {z, {}};
    H[1] = {{}, z};
  }
};

bool from_pose(const Pose& X_FM, const double*, double* q) {
  q[0] = unwrap(std::atan2(X_FM.R(1, 0) - X_FM.R(0, 1), X_FM.R(0, 0) + X_FM.R(1, 1)), q[0]);
  q[1] = X_FM.p.z;
  return poses_agree(X_FM, {rotation_z(q[0]), {0, 0, q[1]}});
}

constexpr JointCoordinate kCoordinates[] = {{"angle", true}, {"displacement", false}};

}  // namespace

extern const JointKind joint_cylindrical{.name = "cylindrical",
                                         .doc = "rotation about and translation along one axis",
                                         .fields = {},
                                         .nq = 2,
                                         .nv = 2,
                                         .coordinates = kCoordinates,
                                         .vector_space = true,
                                         .set_zero = zero_coordinates<2>,
                                         .evaluate = evaluate_in_F<Cylindrical>,
                                         .bias = Cylindrical::bias,
                                         .position_rate = copy_rate<2>,
                                         .from_pose = from_pose,
                                         .move = add_increment<2>,
                                         .kinematics = batch_kinematics<Cylindrical>};

}  // namespace carom
