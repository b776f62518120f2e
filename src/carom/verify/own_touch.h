// Where simple shapes touch, from poses, by closed forms that share nothing with proximity/ and
// with the engine's rigid contacts.
//
//   plane    lowest points of the other shape along the plane's normal: a ball's and an
//            ellipsoid's one, the ends of a capsule, corners of a box                       (1)
//   ball     on a ball, a capsule or a box: along the line to the nearest point of its core  (2)
#pragma once

#include <optional>
#include <vector>

#include "carom/geometry/shape.h"
#include "carom/math/pose.h"

namespace carom::verify {

struct OwnTouch {
  double gap = 0.0;          ///< of the nearest point [m]
  Vec3 normal;               ///< from A to B
  std::vector<Vec3> points;  ///< those as near as it
  /// Every shape has one point at most, so that forces act there.
  bool is_one = false;
};

/// Nothing for pairs without a closed form; points within `together` [m] of the nearest count as
/// near.
std::optional<OwnTouch> own_touch(const Shape& a, const Pose& X_WA, const Shape& b,
                                  const Pose& X_WB, double together);

}  // namespace carom::verify
