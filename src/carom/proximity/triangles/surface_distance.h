// The distance of two triangle surfaces that do not cross.
//
// The least distance of two triangles that do not meet is that of a vertex of one from the other,
// or of two edges. Pairs whose boxes are farther apart than what is known already are left out.
#pragma once

#include "carom/proximity/triangles/segments.h"

namespace carom::triangles {

struct SurfaceDistance {
  double distance = 0.0;  ///< [m]
  Vec3 p_a, p_b;          ///< nearest points, in A's frame [m]
  bool is_found = false;  ///< false: nothing is nearer than what was asked for
};

/// Nearer than `most` [m]; the stack of `scratch` is used. Surfaces that cross have distance zero
/// or nearly so. `guess`, which may be null, are two triangles that were the nearest in a pose like
/// this one, and become the nearest in this one: what is farther than they are is not looked at, so
/// the answer is the same with and without.
SurfaceDistance find_distance(const TriangleSurface& A, const TriangleSurface& B, const Pose& X_AB,
                              Faces faces, double most, TreePairs& scratch,
                              ItemPair* guess = nullptr);

}  // namespace carom::triangles
