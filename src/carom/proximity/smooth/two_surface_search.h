// All minima of the gap of two smooth surfaces, not only the least.
//
// Both are searched by their trees of cells together. For the ball (c, r) around the points of a
// cell, the cone (n, θ) around its normals and the shape operators K ± δ in it a pair of cells is
// dropped where it is shown that no minimum is in it:
//
//   apart           |c_b - c_a| > r_a + r_b + margin
//   not opposed     angle(n_a, -n_b) > θ_a + θ_b
//   not along n     |tangential part of c_b - c_a| > r_a + r_b + |phi| θ
//   not convex      an eigenvalue of S (two_surfaces.h) is negative all over the cells
//
// The first three follow from guaranteed bounds; K ± δ is taken from places of the cell, with a
// reserve (smooth_surface.h). Where S is positive all over the cells they hold one minimum at most,
// and Newton's method tells which. What is neither is split, down to a ten-thousandth of the
// surfaces, and then asked by Newton's method alone: there a minimum and a saddle are about to
// merge.
#pragma once

#include <vector>

#include "carom/proximity/smooth/two_surfaces.h"
#include "carom/proximity/thin_out.h"

namespace carom {

/// Minima with -deepest <= phi <= margin, and no deeper than half the least radius of curvature of
/// either surface there, in ascending order of their states on A.
void find_minima(const TwoSurfaces& two, double margin, double deepest,
                 std::vector<SurfaceMinimum>& out);

/// The same of a surface over the half space below z = 0 of X_AB.
void find_minima_on_plane(const SmoothSurface& surface, const Pose& X_AB, double margin,
                          double deepest, std::vector<SurfaceMinimum>& out);

}  // namespace carom
