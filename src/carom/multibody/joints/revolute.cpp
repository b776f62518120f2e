// Revolute joint: rotation by q about the z axis of F.
#include "carom/multibody/joint_batch.h"

namespace carom {
namespace {

struct Revolute : NoBias {
  static constexpr int nv = 1;
  static constexpr Subspace subspace = Subspace::rotation;
  static void place(const Mat3& R_WF, const double* q, const double*, Mat3& R_WM, Vec3& p,
                    Motion* H) {
    const double c = std::cos(q[0]), s = std::sin(q[0]);
    const Vec3 x = R_WF.col(0), y = R_WF.col(1), z = R_WF.col(2);
    R_WM = Mat3::from_columns(c * x + s * y, c * y - s * x, z);
    p = {};
    H[0] = {z, {}};
  }
};

bool from_pose(const Pose& X_FM, const double*, double* q) {
  q[0] = unwrap(std::atan2(X_FM.R(1, 0) - X_FM.R(0, 1), X_FM.R(0, 0) + X_FM.R(1, 1)), q[0]);
  return poses_agree(X_FM, Pose::rotation(rotation_z(q[0])));
}

constexpr JointCoordinate kCoordinates[] = {{"angle", true}};

}  // namespace

extern const JointKind joint_revolute{.name = "revolute",
                                      .doc = "rotation about one axis",
                                      .fields = {},
                                      .nq = 1,
                                      .nv = 1,
                                      .coordinates = kCoordinates,
                                      .vector_space = true,
                                      .subspace = Revolute::subspace,
                                      .set_zero = zero_coordinates<1>,
                                      .evaluate = evaluate_in_F<Revolute>,
                                      .bias = Revolute::bias,
                                      .position_rate = copy_rate<1>,
                                      .from_pose = from_pose,
                                      .move = add_increment<1>,
                                      .kinematics = batch_kinematics<Revolute>};

}  // namespace carom
