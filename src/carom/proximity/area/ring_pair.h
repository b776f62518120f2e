// Two tori, crossed, or touching along a circle as coaxial ones do.
//
// A point x of the tube of A is in B by u = r_B - |x - circle_B|, with n along that vector; the
// area is that of the tube of A across n (mesh_area.h). Sections of the tube of A at angles t have
// an interval of u > 0 around their point that is deepest. Sections that touch are found from
// angles all around and from every minimum of the distance of the circles, so that small areas are
// not missed; over each range of them Gauss's points of x with t = x (3 - x²)/2, or equal angles
// where they touch all around.
#pragma once

#include "carom/proximity/area/ring_area.h"

namespace carom {

void find_ring_pair_area(const AreaRing& A, const AreaRing& B, AreaPatch& out);
Contact ring_pair_distance(const AreaRing& A, const AreaRing& B);

}  // namespace carom
