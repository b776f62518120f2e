// A smooth surface and a convex body: one local minimum of the gap, found to rounding.
//
// For a point p of the surface with outward normal n let y be the point of the body farthest along
// -n, H its radii of curvature there, d = y - p, phi = n.d and g the tangential part of d. Where
// g = 0, the two touch the same pair of parallel planes, phi apart. A step t along the surface
// turns n by K t, y moves by -H K t, so Newton's method solves
//
//   (1 + (phi + H) K) t = g                                                          (1)
//
// which is regular at phi = 0, in overlap and apart alike. The stationary point is a minimum of the
// gap where both eigenvalues of the matrix are positive; at zero a minimum and a saddle merge.
// Where an eigenvalue is zero to rounding, the minima are a line (a ball that lies in a ring): a
// point of it is found, and steps along the line are not made.
//
// A minimum is followed from a pose where it is known: Newton's steps have to shrink by half, and
// the matrix has to stay positive; otherwise the way from pose to pose is halved. So one minimum
// is never taken for another, and the answer does not depend on how the way was cut.
#pragma once

#include "carom/proximity/shape_piece.h"

namespace carom {

/// The convex body against which the surface is asked, in the axes of the surface.
struct ConvexBody {
  const Core& core;
  Pose X_AB;
};

enum class FollowEnd : std::uint8_t {
  found,
  merged,  ///< there is no such minimum: it has met a saddle on the way
  left,    ///< the surface ends before it
};

/// A minimum of the gap, in the axes of the surface.
struct SmoothMinimum {
  Vec3 state;
  SurfacePoint at;
  Vec3 y;            ///< of the body
  double phi = 0.0;  ///< along at.n
  Sym3 radii;        ///< H, with rounding
};

/// Newton's method from `state`. False where it does not settle, or not on a minimum.
bool find_minimum(const SmoothSurface& surface, const ConvexBody& body, const Vec3& state,
                  SmoothMinimum& out);

/// The minimum at `to` that is `state` at `from`. `out` is the last that was found.
FollowEnd follow_minimum(const SmoothSurface& surface, const Core& core, const Pose& from,
                         const Vec3& state, const Pose& to, SmoothMinimum& out);

/// Whether the finder knows the contact of a smooth surface with such a body. Flat faces are not
/// known: a ring lies on one along a circle.
bool is_strictly_convex(const Core& core);

}  // namespace carom
