// Two smooth surfaces, convex or not: one local minimum of the gap, found to rounding.
//
// For points p_a, p_b with outward normals n_a, n_b and shape operators K let d = p_b - p_a,
// phi = n_a.d, g the part of d and m that of n_a + n_b in the tangent plane of a. At a contact both
// vanish. With w = (1 + phi K_a) s_a a step s_a of a and s_b of b changes g by s_b - w and m by
// K_a s_a + K_b s_b, so Newton's method solves
//
//   S w = K_b g - m,   S = K_a (1 + phi K_a)⁻¹ + K_b,   s_b = w - g                    (1)
//
// which is regular through phi = 0, where the Hessian of the squared distance has only half its
// rank. It is a minimum of the gap where 1 + phi K_a, 1 + phi K_b and S are positive definite.
// Where an eigenvalue of S is zero to rounding, minima are a line: a point of it is found, and
// steps along the line are not made. A half space is a surface without curvature.
#pragma once

#include "carom/proximity/smooth/smooth_pair.h"

namespace carom {

struct TwoSurfaces {
  const SmoothSurface &a, &b;
  Pose X_AB;
};

/// A minimum of the gap, in the axes of A.
struct SurfaceMinimum {
  Vec3 state_a, state_b;
  SurfacePoint at_a, at_b;
  double phi = 0.0;  ///< along at_a.n
};

/// Newton's method from two states. False where it does not settle, or not on a minimum.
bool find_minimum(const TwoSurfaces& two, const Vec3& state_a, const Vec3& state_b,
                  SurfaceMinimum& out);

/// The minimum at `two` that is at two states where B was at `from`. `out` is the last that was
/// found.
FollowEnd follow_minimum(const TwoSurfaces& two, const Pose& from, const Vec3& state_a,
                         const Vec3& state_b, SurfaceMinimum& out);

/// z = 0, solid below it; a state is a point of it.
const SmoothSurface& plane_surface();

}  // namespace carom
