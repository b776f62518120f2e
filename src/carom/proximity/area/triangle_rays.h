// The part of a triangle that is inside a convex body which is not made of planes, as points with
// areas: rays to its rim (mesh_area.h).
#pragma once

#include <array>
#include <functional>

#include "carom/geometry/core.h"

namespace carom {

/// The corners are in the axes of the core, `m` is the unit normal of the triangle. `is_small`
/// against the body: few points will do. `put` is called with every point and its area.
void integrate_triangle_rays(const Core& core, const std::array<Vec3, 3>& corners, const Vec3& m,
                             bool is_small, const std::function<void(const Vec3&, double)>& put);

}  // namespace carom
