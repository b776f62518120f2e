// Patches that were found in one place, moved along with two bodies.
//
// Detection is what contact of triangles costs. Methods that evaluate forces several times in a
// step may find patches where it begins and move them from there on, as Moisio (2013, chapter 5)
// does. With the motions M_A, M_B of the bodies since, and u(x) = M_B x - M_A x how far they have
// come apart at x,
//
//   δ'(x) = δ(x) - n.u(x),   x' = (M_A x + M_B x) / 2                                       (1)
//
// over the curve that was: its length and area stay. That is how the depth of the places changes
// that are there already; that an overlap grows is left to the next detection. What presses is
// right to first order in the motion for flat faces, and for curved ones changes too fast: by 4/3
// for balls, whose mean depth is half of their approach. So a step of length h brings forces of
// error O(h), on the side that loses energy where overlaps grow with their depth.
//
// The integral of (1) along the circumference is taken by its moments,
//
//   ΔP = L (Δδ + Δg.r),   ΔM = L (Δδ r + (m + r rᵀ) Δg),   r = c_L - c_A,                    (2)
//
// with m the second moments of the length: places that part within the step still count.
#pragma once

#include "carom/proximity/triangles/patch_segments.h"

namespace carom::triangles {

/// Of two bodies, in the world.
struct Motions {
  Pose A, B;
};

/// Of all patches, or of the nearest points where there are none.
void carry(const SurfaceState& found, const Motions& since, SurfaceState& out);

/// Of the segments that belong to `state`.
void carry(const PatchSegments& found, const SurfaceState& state, const Motions& since,
           PatchSegments& out);

}  // namespace carom::triangles
