#include "carom/multibody/joint_kind.h"

#include <numbers>

#include "carom/multibody/joint_batch.h"

namespace carom {

const JointKind* find_joint_kind(std::string_view name) {
  for (const JointKind* kind : joint_catalogue()) {
    if (name == kind->name) return kind;
  }
  return nullptr;
}

bool poses_agree(const Pose& a, const Pose& b) {
  constexpr double kTolerance = 1e-9;
  const Vec3 turn = quat_log(to_quat(transpose(a.R) * b.R));
  return norm(a.p - b.p) <= kTolerance && norm(turn) <= kTolerance;
}

double unwrap(double angle, double guess) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  return angle + kTurn * std::round((guess - angle) / kTurn);
}

}  // namespace carom
