// How deep a point is in a convex body: its distance from the nearest point of the surface.
//
// Inside it is concave, so the part of a flat triangle that is inside is convex. Of bodies with
// edges it has kinks, where the nearest face changes.
#pragma once

#include <array>

#include "carom/geometry/core.h"

namespace carom {

struct InnerDepth {
  double u = 0.0;  ///< > 0 inside; outside minus the distance, or minus less than that [m]
  Vec3 n;          ///< outward normal where the surface is nearest
};

/// In the axes of the core, which knows_exits().
InnerDepth inner_depth(const Core& core, const Vec3& p);

/// At least the depth; cheaper where that is found by iteration.
double most_inner_depth(const Core& core, const Vec3& p);

/// Where the depth may have kinks along p + t d between 0 and `length`, ascending: of cylinders and
/// cones, between their side and their ends. Returns how many.
int find_depth_kinks(const Core& core, const Vec3& p, const Vec3& d, double length,
                     std::array<double, 4>& out);

bool has_depth_kinks(const Core& core);

/// Planes n.x <= offset whose least distance is the depth; none where the body is not made of them.
struct DepthPlane {
  Vec3 n;
  double offset = 0.0;
};
int depth_plane_count(const Core& core);
DepthPlane depth_plane(const Core& core, int i);

}  // namespace carom
