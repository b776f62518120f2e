// The point of a simplex nearest to the origin, by the regions of its vertices, edges
// and faces [Ericson 2005, section 5.1].
#pragma once

#include "carom/proximity/convex/minkowski.h"

namespace carom {

/// The first `count` points are meant; the rest is not cleared.
struct Simplex {
  union {
    MinkowskiPoint point[4];
  };
  double weight[4] = {1.0, 0.0, 0.0, 0.0};  ///< of the nearest point
  int count = 0;

  Simplex() {}
};

/// Reduces `s` to the smallest face that holds the nearest point, and returns that
/// point. A simplex of four is left whole if the origin is inside.
Vec3 reduce_to_nearest(Simplex& s);

}  // namespace carom
