// Distances of simple shapes from poses, by closed forms that share nothing with proximity/.
//
//   plane z = 0, normal n, point o    support of the other shape: n·(c - o) - h(-n)        (1)
//   ball, capsule                     centre lines, less the radii                         (2)
//   ball and box                      the centre clamped to the box                        (3)
//
// with h the support of box, cylinder, capsule, ellipsoid or ball; edges rounded inward by q are
// those of a shape smaller by q on all sides, plus q.
#pragma once

#include <optional>

#include "carom/geometry/shape.h"
#include "carom/math/pose.h"

namespace carom::verify {

/// Signed distance, negative in overlap [m]; nothing for pairs without a closed form. For a ball in
/// a box only where its centre is outside of the box less its rounding.
std::optional<double> own_gap(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB);

/// Whether own_gap() knows the pair at all.
bool has_own_gap(const Shape& a, const Shape& b);

}  // namespace carom::verify
