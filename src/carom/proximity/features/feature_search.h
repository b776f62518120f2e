// All minima of the gap of a smooth surface and a convex body with corners, edges and faces.
//
// Every feature of the body (body_features.h) is asked beside every cell of the surface. For the
// ball (c, r) around the points of a cell, the cone (n, θ) around its normals and the shape
// operators K ± δ in it, a feature is dropped where it is shown that no minimum of it is in the
// cell:
//
//   apart          distance of c from the feature > r + margin
//   looks away     no normal of the cone is one of the feature
//   not along n    the part of y - c across n > r + |D| θ, y the nearest point of the feature
//   not convex     the least eigenvalue of S (feature_pair.h) is negative all over the cell
//
// Where S is positive all over the cell it holds one minimum of the feature at most, and Newton's
// method tells which. What is neither is split, down to a ten-thousandth of the surface, and then
// asked by Newton's method alone. Along a line on which the gap does not change, its ends stand for
// it; of a rim that lies flat, points well apart do.
#pragma once

#include <vector>

#include "carom/proximity/features/feature_pair.h"

namespace carom {

/// Minima with -deepest <= phi <= margin, in ascending order of their states.
void find_minima(const SmoothSurface& surface, const FeatureBody& body, double margin,
                 double deepest, std::vector<FeatureMinimum>& out);

}  // namespace carom
