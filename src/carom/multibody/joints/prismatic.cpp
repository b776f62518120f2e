// Prismatic joint: translation by q along the z axis of F.
#include "carom/multibody/joint_batch.h"

namespace carom {
namespace {

struct Prismatic : NoBias {
  static constexpr int nv = 1;
  static constexpr Subspace subspace = Subspace::general;
  static void place(const Mat3& R_WF, const double* q, const double*, Mat3& R_WM, Vec3& p,
                    Motion* H) {
    R_WM = R_WF;
    const Vec3 z = R_WF.col(2);
    p = q[0] * z;
    H[0] = {{}, z};
  }
};

bool from_pose(const Pose& X_FM, const double*, double* q) {
  q[0] = X_FM.p.z;
  return poses_agree(X_FM, Pose::translation({0, 0, q[0]}));
}

constexpr JointCoordinate kCoordinates[] = {{"displacement", false}};

}  // namespace

extern const JointKind joint_prismatic{.name = "prismatic",
                                       .doc = "translation along one axis",
                                       .fields = {},
                                       .nq = 1,
                                       .nv = 1,
                                       .coordinates = kCoordinates,
                                       .vector_space = true,
                                       .set_zero = zero_coordinates<1>,
                                       .evaluate = evaluate_in_F<Prismatic>,
                                       .bias = Prismatic::bias,
                                       .position_rate = copy_rate<1>,
                                       .from_pose = from_pose,
                                       .move = add_increment<1>,
                                       .kinematics = batch_kinematics<Prismatic>};

}  // namespace carom
