// Superquadrics about the origin, with half axes a, b, c and exponents p, q >= 2:
//
//   N(x) = ‖(‖(x/a, y/b)‖_p, z/c)‖_q <= 1                                            (1)
//
// An ellipsoid for 2, 2; nearly a box for large exponents, nearly a cylinder along z for 2 and a
// large one. N is a norm, so the support function is its dual, of the exponents p/(p - 1) and
// q/(q - 1):
//
//   h(n) = ‖(‖(a n_x, b n_y)‖, c n_z)‖                                               (2)
//
// Values and witness points for half spaces and bounding boxes come from (2). It is nearly that of
// a polytope where exponents are large, so contact is solved on the surface itself, by (1) and its
// derivatives: normals and curvatures are well determined there, where points by (2) are not.
#pragma once

#include "carom/geometry/core.h"

namespace carom {

/// v[0] = half axes, v[1] = {p, q, radius of a ball that rolls inside the whole surface}.
extern const CoreKind core_superquadric;

Core make_superquadric_core(const Vec3& half_axes, double p, double q);

/// N of (1) with its derivatives.
struct SuperquadricGauge {
  double value = 0.0;
  Vec3 gradient;
  Sym3 hessian;
};
/// `with_hessian` may be false where only the value and its slope are asked for.
SuperquadricGauge superquadric_gauge(const Core& core, const Vec3& x, bool with_hessian = true);

/// The point of the surface on the ray through x, its outward normal, and the turn of the normal
/// along the surface, dn = K t. Radii of curvature are 1/K.
struct SuperquadricPoint {
  Vec3 p, n;
  Sym3 K;
};
SuperquadricPoint superquadric_point(const Core& core, const Vec3& x);

}  // namespace carom
