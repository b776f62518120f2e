// Overlaps that reach through a wall.
//
// A corner that has passed a thin plate meets it in two curves, where it enters and where it leaves
// again. What the plate takes from the corner is then less than what has gone in: the mean depth of
// the rest says nothing of how far the corner has come. Seen along the normal n of the patch, the
// faces of the wall look back where a curve leaves it. Without these curves, and with what lies
// beyond them as a cone,
//
//   d = t / (1 - sqrt(b / a)),   V' = V + b (d - t) / 3,                                    (1)
//
// over the area a where it enters and b where it leaves, t apart along n, the wall is as if it were
// thick. For corners (1) is exact. Where two shells of a hollow body are cut in one plane, t is
// zero and nothing is beyond: such patches stay as they are.
#pragma once

#include "carom/proximity/triangles/intersection.h"

namespace carom::triangles {

/// How the patch would be in a thick wall; nothing, and `patch` as it was, if it reaches through
/// none. Puts the curves where it enters first.
bool fill_wall(const TriangleSurface& A, const TriangleSurface& B, const Pose& X_AB,
               Intersection& x, TrianglePatch& patch);

}  // namespace carom::triangles
