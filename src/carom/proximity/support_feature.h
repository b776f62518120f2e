// The flat face and the straight line of a core that are nearest to facing a direction.
//
// What touches along the unit normal d is the support set of the core: a face if d is its
// normal, an edge or a ruling if d is perpendicular to it, else a point. Near such a
// direction the face or line is the one that would be reached by the least tilt:
//   the line of least slope among those through the support point, and
//   of the faces at that line the one of least slope,
// slope being the tangent of the tilt that is missing. If tilts are small compared with
// the angles between faces, all points that a small tilt can select are on this face.
#pragma once

#include <array>
#include <limits>

#include "carom/geometry/core.h"
#include "carom/math/pose.h"
#include "carom/proximity/patch.h"

namespace carom {

/// All in world coordinates, of the core without its rounding.
struct SupportFace {
  enum Kind { none, plane, polygon, disc } kind = none;
  double slope = std::numeric_limits<double>::infinity();
  Vec3 point, normal;  ///< of its plane; the normal is outward
  int count = 0;       ///< corners of a polygon, counter-clockwise seen from outside
  std::array<Vec3, kMaxFaceCorners> corner;
  double radius = 0.0;  ///< of a disc about `point`
  Vec3 mark;            ///< unit vector in a disc's plane, fixed to the body
};

struct SupportLine {
  bool exists = false;
  Vec3 p, q;            ///< its ends
  double radius = 0.0;  ///< of the core across the line
};

struct SupportFeature {
  SupportFace face;
  SupportLine line;
};

/// Along the unit `d_W`, which points out of the body.
void find_support_feature(const Core& core, const Pose& X_WS, const Vec3& d_W, SupportFeature& out);

}  // namespace carom
