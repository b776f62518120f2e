// Screw joint: rotation by q about z and, with it, translation by pitch q / (2 pi)
// along z.
#include <numbers>

#include "carom/multibody/joint_batch.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"pitch", "m", "advance along the axis per turn", 0.01},
};

double advance(const double* params) { return params[0] / (2.0 * std::numbers::pi); }

struct Screw : NoBias {
  static constexpr int nv = 1;
  static constexpr Subspace subspace = Subspace::general;
  static void place(const Mat3& R_WF, const double* q, const double* params, Mat3& R_WM, Vec3& p,
                    Motion* H) {
    const double c = std::cos(q[0]), s = std::sin(q[0]);
    const Vec3 x = R_WF.col(0), y = R_WF.col(1), z = R_WF.col(2);
    R_WM = Mat3::from_columns(c * x + s * y, c * y - s * x, z);
    p = (advance(params) * q[0]) * z;
    H[0] = {z, advance(params) * z};
  }
};

bool from_pose(const Pose& X_FM, const double* params, double* q) {
  // The turn count follows from the displacement, the angle from the rotation.
  const double guess = params[0] != 0.0 ? X_FM.p.z / advance(params) : q[0];
  q[0] = unwrap(std::atan2(X_FM.R(1, 0) - X_FM.R(0, 1), X_FM.R(0, 0) + X_FM.R(1, 1)), guess);
  return poses_agree(X_FM, {rotation_z(q[0]), {0, 0, advance(params) * q[0]}});
}

constexpr JointCoordinate kCoordinates[] = {{"angle", true}};

}  // namespace

extern const JointKind joint_screw{
    .name = "screw",
    .doc = "rotation about an axis with a proportional advance along it",
    .fields = kFields,
    .nq = 1,
    .nv = 1,
    .coordinates = kCoordinates,
    .vector_space = true,
    .set_zero = zero_coordinates<1>,
    .evaluate = evaluate_in_F<Screw>,
    .bias = Screw::bias,
    .position_rate = copy_rate<1>,
    .from_pose = from_pose,
    .move = add_increment<1>,
    .kinematics = batch_kinematics<Screw>};

}  // namespace carom
