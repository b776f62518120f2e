// The shallowest direction among the normals of a lateral surface.
//
// A small body deep inside a cylinder, or a cone over the vertex of a large body, can
// leave equally well in any direction around the axis, up to the size of the smaller
// body: an expanding polytope would need thousands of faces to tell them apart. Along the
// ring n(s) of normals of the lateral surface of A the support function of A is known,
//
//   g(s) = n(s).(t + b(s)) - |n(s).straight| - extent                            (1)
//
// with b(s) the support point of B: a problem in the plane, of the size of B alone. It
// is solved by bisection with the bound g <= min(n.z_1, n.z_2) between two samples, z = t + b.
//
// At the tilt y off the ring the two ends of the ruling push with m, and g is at most
// cos(y) g(s) - sin(y) m(s): within a band the ring holds the best directions.
#pragma once

#include "carom/proximity/convex/known_maxima.h"

namespace carom {

struct RingBest {
  Optimum optimum;
  bool held;  ///< the ruling itself carries it: `optimum` is a local maximum
  Band band;  ///< in which nothing is better than the best of the ring and `known`
};

/// The ring of A (`of_a`) or of B; `known` is the best phi so far. False if this body has
/// no ring.
bool search_ring(const Minkowski& M, bool of_a, double known, RingBest& out);

}  // namespace carom
