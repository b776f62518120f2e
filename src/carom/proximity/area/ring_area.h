// A torus on a plane. Flat on it, it touches along a circle, where no point could be told from its
// neighbours; its area is known all the same.
//
// With n the normal of the plane, c(t) the middle of the tube at the angle t about the axis, e_r(t)
// the direction to it and e_z the axis, a point of the tube at the angle f of its section has
//
//   u = -n.c(t) - r n.(cos f e_r + sin f e_z) = D(t) + r m(t) cos(f - f0(t)),             (1)
//   dA = m cos(f - f0) r (R + r cos f) df dt                                               (2)
//
// so that every section has an interval of f in closed form, with Gauss's points on it. Sections
// lie at equal angles where the ring touches all around, else at Gauss's points of x with
// t = x (3 - x²)/2 of the part that touches, about the lowest point: the interval shrinks as a root
// at its ends.
#pragma once

#include "carom/proximity/area/area_patch.h"

namespace carom {

struct AreaRing {
  double radius = 0.0, tube = 0.0;  ///< about its z axis [m]
  const Pose& X_WS;
};

/// On the plane z = 0 of X_WP, inside below. `is_first`: the ring is A.
void find_ring_area(const AreaRing& ring, const Pose& X_WP, bool is_first, AreaPatch& out);
Contact ring_distance(const AreaRing& ring, const Pose& X_WP, bool is_first);

}  // namespace carom
