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
#include <cstdint>
#include <limits>

#include "carom/geometry/core.h"
#include "carom/math/pose.h"

namespace carom {

inline constexpr int kOwnCorners = 32;

/// Point and normal are in world coordinates, the corners of a polygon in the shape's: they
/// stay where they are, and X_WS takes them to the world. The rounding is left out.
struct SupportFace {
  enum Kind { none, plane, polygon, disc } kind = none;
  double slope = std::numeric_limits<double>::infinity();
  Vec3 point, normal;   ///< of its plane; the normal is outward
  double radius = 0.0;  ///< of a disc about `point`
  Vec3 mark;            ///< unit vector in the plane, fixed to the body
  bool exact = true;    ///< not a polygon in place of something round
  int count = 0;        ///< corners of a polygon, counter-clockwise seen from outside
  const Vec3* vertex = nullptr;
  const std::uint32_t* index = nullptr;  ///< null: the vertices in their order
  const Pose* X_WS = nullptr;
  Vec3 own[kOwnCorners];  ///< vertices of shapes that do not store them

  Vec3 corner(int i) const {
    return *X_WS * vertex[index ? index[i] : static_cast<std::uint32_t>(i)];
  }
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

/// Along the unit `d_W`, which points out of the body. The answer refers to core and pose,
/// and to itself: it must not be copied.
void find_support_feature(const Core& core, const Pose& X_WS, const Vec3& d_W, SupportFeature& out);

}  // namespace carom
