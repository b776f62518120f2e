// Convex hulls of points of any dimension up to three. Internal to geometry.
#pragma once

#include <span>

#include "carom/geometry/polytope.h"

namespace carom {

/// Vertices, faces and dimension; the rest of the polytope is left empty. Points
/// nearer than `flatness` times their extent to a plane (line, point) span only that.
Polytope convex_hull(std::span<const Vec3> points, double flatness);

/// Faces of a body's hull by qhull; vertices are indices into `points`. False if
/// qhull finds the points flat.
bool hull_faces(std::span<const Vec3> points, Polytope& out);

}  // namespace carom
