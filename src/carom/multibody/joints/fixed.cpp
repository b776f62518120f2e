// Fixed joint: no motion. A weld keeps its own link, so that the reaction in it is
// available like any other.
#include "carom/multibody/joint_batch.h"

namespace carom {
namespace {

struct Fixed : NoBias {
  static constexpr int nv = 0;
  static constexpr Subspace subspace = Subspace::general;
  static void place(const Mat3& R_WF, const double*, const double*, Mat3& R_WM, Vec3& p, Motion*) {
    R_WM = R_WF;
    p = {};
  }
};

bool from_pose(const Pose& X_FM, const double*, double*) { return poses_agree(X_FM, Pose{}); }

}  // namespace

extern const JointKind joint_fixed{.name = "fixed",
                                   .doc = "no relative motion (weld)",
                                   .fields = {},
                                   .nq = 0,
                                   .nv = 0,
                                   .coordinates = {},
                                   .vector_space = true,
                                   .set_zero = zero_coordinates<0>,
                                   .evaluate = evaluate_in_F<Fixed>,
                                   .bias = Fixed::bias,
                                   .position_rate = copy_rate<0>,
                                   .from_pose = from_pose,
                                   .move = add_increment<0>,
                                   .kinematics = batch_kinematics<Fixed>};

}  // namespace carom
