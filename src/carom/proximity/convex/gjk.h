// Distance of the origin from M by the algorithm of Gilbert, Johnson and Keerthi, ended
// by Newton's method as soon as the active pieces are known.
#pragma once

#include "carom/proximity/convex/optimum.h"
#include "carom/proximity/convex/simplex.h"

namespace carom {

enum class Separation {
  apart,        ///< `optimum` is the answer
  overlapping,  ///< the origin is in M (or nearer to it than can be told); see `simplex`,
                ///< and if `optimum` has any pieces it is a local maximum
};

/// The direction of the point v of M nearest to the origin, held by a simplex of fixed points,
/// where it is far enough off to tell one: `optimum` is the answer if no other point is nearer.
bool is_nearest(const Minkowski& M, const Vec3& v, const Simplex& simplex, Optimum& optimum);

/// Starts from the direction `n`, for which any choice will do, and leaves the last one
/// in it. If `optimum` has pieces it is a local maximum that is known already.
Separation find_separation(const Minkowski& M, Vec3& n, Optimum& optimum, Simplex& simplex);

}  // namespace carom
