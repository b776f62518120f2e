// The way of a minimum from a pose where it is known to another one, cut into strides that are
// halved where it cannot be followed: one minimum is never taken for another.
#pragma once

#include <algorithm>
#include <cmath>

#include "carom/math/pose.h"
#include "carom/math/rotation.h"

namespace carom {

/// Whether the step after one of Newton's steps would be lost in rounding: steps that fall from
/// `last` to `length` fall on as their square does.
inline bool is_last_step(double length, double last, double rounding) {
  if (length <= 4.0 * rounding) return true;
  constexpr double kSmall = 1e-2;  // steps that shrink by less do not fall as squares yet
  const double share = length / last;
  return std::isfinite(last) && share < kSmall && share * share * length <= 0.25 * rounding;
}

/// The pose that a share of the way from one to the other leads to.
inline Pose pose_between(const Pose& from, const Pose& to, double share) {
  Pose X;
  X.p = (1.0 - share) * from.p + share * to.p;
  const Mat3 turn = transpose(from.R) * to.R;
  const Vec3 r = quat_log(to_quat(turn));
  X.R = from.R * to_matrix(quat_exp(share * r));
  return X;
}

/// Calls `settle(share)` for growing shares of the way up to 1; true of it: known up to there.
/// False where strides of a 512th do not get on.
template <class Settle>
bool follow_way(Settle&& settle) {
  constexpr double kShortest = 1.0 / 512.0;
  double done = 0.0, stride = 1.0;
  while (done < 1.0) {
    const double next = std::min(1.0, done + stride);
    if (settle(next)) {
      done = next;
      stride *= 2.0;
      continue;
    }
    stride *= 0.5;
    if (stride < kShortest) return false;
  }
  return true;
}

}  // namespace carom
