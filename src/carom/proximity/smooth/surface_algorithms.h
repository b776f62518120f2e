// The pair algorithms behind surface_pair.h, each for one order of the pair. Internal.
#pragma once

#include "carom/proximity/smooth/surface_pair.h"

namespace carom {

/// A surface and where it is.
struct PlacedSurface {
  const IdealSurface& s;
  const Pose& X;
  Vec3 axis() const { return X.R.col(0); }
  Vec3 normal() const { return X.R.col(2); }
};

// n_AB_W points from the first to the second.
SurfaceContact touch_sphere_sphere(const PlacedSurface& a, const PlacedSurface& b, Manifold& out);
SurfaceContact touch_sphere_cylinder(const PlacedSurface& a, const PlacedSurface& b, Manifold& out);
SurfaceContact touch_sphere_flat(const PlacedSurface& a, const PlacedSurface& b, Manifold& out);
SurfaceContact touch_cylinders(const PlacedSurface& a, const PlacedSurface& b, Manifold& out);
SurfaceContact touch_cylinder_flat(const PlacedSurface& a, const PlacedSurface& b, Manifold& out);
SurfaceContact touch_flats(const PlacedSurface& a, const PlacedSurface& b, Manifold& out);
/// The first is anything, the second a convex shape.
SurfaceContact touch_convex(const PlacedSurface& a, const PlacedSurface& b, Manifold& out);

/// The outward side of a flat outline: 0 inside, and by how much a point of its plane, given
/// in the frame of the surface, lies outside. `nearest` is the nearest point of the outline's
/// inside.
double outside_of(const IdealSurface& flat, const Vec3& p, Vec3& nearest);

/// Where a point lies between the surfaces is part of its feature: on the first one, on the
/// second, or midway.
inline constexpr std::uint32_t kOnFirst = 0, kOnSecond = 1u << 8, kMidway = 1u << 9;

/// How far along phi from the first surface a point lies.
inline double place_between(const ManifoldPoint& p) {
  return p.feature & kMidway ? 0.5 : p.feature & kOnSecond ? 1.0 : 0.0;
}

inline void add_point(Manifold& out, const Vec3& p_W, double phi, double weight,
                      std::uint32_t feature) {
  out.points[static_cast<std::size_t>(out.count++)] = {p_W, phi, weight, feature};
}

/// Takes the deepest point of `out` as that of the contact.
SurfaceContact finish(const Manifold& out, ContactArea area);

/// Nothing touches; `gap` > 0.
SurfaceContact apart(const PlacedSurface& a, const PlacedSurface& b, double gap, Manifold& out);

}  // namespace carom
