// The convex core of a shape: what contact sees of it.
//
// Every bounded convex contact body is the Minkowski sum K + q B of a core K and
// a ball of radius q >= 0 (`rounding`). The core is known by its support function
//
//   h(n) = max over x in K of n.x,     support(n) = a maximiser = grad h(n)     (1)
//
// The Hessian of h at a unit n has n in its null space; on the tangent plane it is
// the matrix of the radii of curvature of the surface where its normal is n. It is
// zero where the support point does not move (vertices), and q adds q (1 - n nᵀ).
//
// A core is a plain value of fixed size, so a batch of them lies in one array; its
// kind is a pointer to a small table, so new kinds come without editing a list.
#pragma once

#include <cstdint>

#include "carom/math/mat3.h"

namespace carom {

struct Core;

struct SupportDerivatives {
  Vec3 point;    ///< of the core, without rounding
  Sym3 hessian;  ///< radii of curvature [m], without rounding
};

/// The functions of one kind of core. Directions need not be unit vectors for
/// `support`, but must not be zero; `derivatives` wants a unit vector.
struct CoreKind {
  const char* name;
  Vec3 (*support)(const Core&, const Vec3& direction);
  SupportDerivatives (*derivatives)(const Core&, const Vec3& unit_direction);
  /// Largest distance of a point of the core from the shape's origin [m].
  double (*radius)(const Core&);
};

struct Core {
  const CoreKind* kind = nullptr;
  double rounding = 0.0;       ///< q [m]
  Vec3 v[4];                   ///< meaning by kind, see core_kinds.h
  const void* data = nullptr;  ///< Polytope or CustomSupport, kept alive by the Shape
  std::int32_t count = 0;      ///< vertices of a simplex
};

/// A point of the core farthest along `direction`.
inline Vec3 support(const Core& core, const Vec3& direction) {
  return core.kind->support(core, direction);
}
inline SupportDerivatives support_derivatives(const Core& core, const Vec3& unit_direction) {
  return core.kind->derivatives(core, unit_direction);
}

/// A surface point of the rounded body with outward normal `n`.
inline Vec3 surface_point(const Core& core, const Vec3& n) {
  return core.kind->support(core, n) + core.rounding * n;
}
/// h(n) of the rounded body: the extent from the origin along `n` [m].
inline double extent(const Core& core, const Vec3& n) {
  return dot(n, core.kind->support(core, n)) + core.rounding;
}
/// Surface point and radii of curvature of the rounded body.
inline SupportDerivatives surface_derivatives(const Core& core, const Vec3& n) {
  SupportDerivatives d = core.kind->derivatives(core, n);
  const double q = core.rounding;
  d.point += q * n;
  d.hessian += q * (Sym3{1, 1, 1, 0, 0, 0} - outer(n));
  return d;
}
/// Largest distance of a point of the rounded body from the shape's origin [m].
inline double bounding_radius(const Core& core) { return core.kind->radius(core) + core.rounding; }

struct BoundingBox {
  Vec3 lower, upper;
};
/// Tight box of the rounded body in the shape's axes; infinite for a half space.
BoundingBox bounding_box(const Core& core);

}  // namespace carom
