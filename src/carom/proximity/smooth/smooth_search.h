// All minima of the gap of a smooth surface and a convex body, not only the least.
//
// The surface is searched by its tree of cells, and cells of which nothing can be shown are split.
// A cell is dropped where its bounds prove that it holds no minimum: it is too far away, its
// normals look elsewhere (the vector to the body is nowhere along one of them), or the gap is
// nowhere convex in it. Where the gap is convex in the whole cell it holds one minimum at most, and
// Newton's method tells which. What is neither, down to a ten-thousandth of the surface, is asked
// by Newton's method alone: there a minimum and a saddle are about to merge.
#pragma once

#include <vector>

#include "carom/proximity/smooth/smooth_pair.h"
#include "carom/proximity/thin_out.h"

namespace carom {

/// How deep a body may be for its minima to be looked for: its least radius of curvature. Deeper,
/// it would be taken for one that has come from the other side.
inline constexpr double kToCurvature = -1.0;

/// Minima with -deepest <= phi <= margin, in ascending order of their states.
void find_minima(const SmoothSurface& surface, const ConvexBody& body, double margin,
                 std::vector<SmoothMinimum>& out, double deepest = kToCurvature);

/// The least minimum, however far; false where nothing of the surface faces the body.
bool find_nearest(const SmoothSurface& surface, const ConvexBody& body, SmoothMinimum& out);

/// The sharpest hollow of the surface, seen at the middles of its cells, times the largest radius
/// of curvature of the body. Below 1 the body fits into every hollow, and where it touches, the gap
/// has a minimum of its own. From 1 on it may touch along a line, on which no point is one.
double calc_conformity(const SmoothSurface& surface, const Core& body);

}  // namespace carom
