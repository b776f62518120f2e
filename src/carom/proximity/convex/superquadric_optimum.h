// The optimality conditions of optimum.h where a body is a superquadric, solved on its surface.
//
// Newton's method over normals (optimum.cpp) takes the radii of curvature H of both bodies. Those
// of a superquadric run from nearly nothing at an edge to infinity in the middle of a face, within
// a turn of the normal that is lost in rounding. On the surface itself point, normal n and
// curvature K are well known: for a point x of it, a step t along the surface turns n by K t, and
// with d the vector to the other body, phi = n.d and g the tangential part of d
//
//   another superquadric at y, normal n', m the tangential part of n + n':
//     (K + K' + phi K' K) s = K' g - m,    s' = (1 + phi K) s - g                    (1)
//   pieces w_i(n) of another body with radii H_i and weights l_i that add up to 1:
//     (1 + (phi + sum l_i H_i) K) t - sum dl_i w_i = g,   (w_i - w_1).K t = -n.(w_i - w_1)   (2)
//
// Both are regular through phi = 0. Points are put back to the surface along rays.
#pragma once

#include "carom/proximity/convex/optimum.h"

namespace carom {

/// Whether one of the bodies is a superquadric.
bool has_superquadric(const Minkowski& M);

/// As solve_optimum(), for which it stands in where has_superquadric().
bool solve_on_superquadric(const Minkowski& M, const Vec3& n, const ActiveSet& guess, Optimum& out);

}  // namespace carom
