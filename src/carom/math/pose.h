// Rigid poses in monogram notation: X_AB takes coordinates in B to coordinates in A.
#pragma once

#include "carom/math/rotation.h"

namespace carom {

struct Pose {
  Mat3 R;  ///< R_AB
  Vec3 p;  ///< p_AB: origin of B, in A

  static Pose translation(const Vec3& p) { return {Mat3{}, p}; }
  static Pose rotation(const Mat3& R) { return {R, Vec3{}}; }
  bool operator==(const Pose&) const = default;
};

/// X_AC = X_AB * X_BC
inline Pose operator*(const Pose& X_AB, const Pose& X_BC) {
  return {X_AB.R * X_BC.R, X_AB.p + X_AB.R * X_BC.p};
}
/// The point p_B, given in B, in A.
inline Vec3 operator*(const Pose& X_AB, const Vec3& p_B) { return X_AB.p + X_AB.R * p_B; }

inline Pose inverse(const Pose& X_AB) {
  return {transpose(X_AB.R), -transpose_times(X_AB.R, X_AB.p)};
}

}  // namespace carom
