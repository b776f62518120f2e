// A sphere against a sphere, the lateral surface of a cylinder, a rectangle or a circle.
//
// With h the height of the centre above the surface and l its distance beyond the edge,
//
//   phi = h - r                            above the inside, along the surface's normal   (1)
//   phi = sqrt(h² + l²) - r                beyond the edge, along the line from the edge   (2)
//
// so that a ball rolls over an edge without a jump of force. From behind (h < 0) the edge is
// given way to, phi = sqrt(h² + l²) + |h| - r: what comes from there meets no face.
#include <algorithm>
#include <cmath>

#include "carom/proximity/smooth/surface_algorithms.h"

namespace carom {
namespace {

SurfaceContact touch_at(const PlacedSurface& sphere, const Vec3& n, double phi, Manifold& out) {
  out.n_AB_W = n;
  add_point(out, sphere.X.p + sphere.s.radius * n, phi, 1.0, kOnFirst);
  return finish(out, ContactArea::point);
}

/// `up` is the unit normal of the surface at the foot, `beyond` the unit direction away from
/// its inside.
SurfaceContact touch_edged(const PlacedSurface& sphere, const Vec3& up, double h,
                           const Vec3& beyond, double l, Manifold& out) {
  const double r = sphere.s.radius;
  if (!(l > 0.0)) return touch_at(sphere, -up, h - r, out);  // (1)
  const double distance = std::hypot(h, l);
  const Vec3 n = (-h / distance) * up - (l / distance) * beyond;
  return touch_at(sphere, n, distance - r + std::max(0.0, -h), out);  // (2)
}

}  // namespace

SurfaceContact touch_sphere_sphere(const PlacedSurface& a, const PlacedSurface& b, Manifold& out) {
  const Vec3 d = b.X.p - a.X.p;
  const double distance = norm(d);
  const Vec3 n = distance > 0.0 ? d / distance : Vec3{0, 0, 1};
  const double phi = distance - a.s.radius - b.s.radius;
  out.n_AB_W = n;
  add_point(out, a.X.p + (a.s.radius + 0.5 * phi) * n, phi, 1.0, kMidway);
  return finish(out, ContactArea::point);
}

SurfaceContact touch_sphere_cylinder(const PlacedSurface& a, const PlacedSurface& b,
                                     Manifold& out) {
  const Vec3 d = a.X.p - b.X.p, axis = b.axis();
  const double along = dot(axis, d);
  const Vec3 radial = d - along * axis;
  const double rho = norm(radial);
  const Vec3 up = rho > 0.0 ? radial / rho : any_perpendicular(axis);
  return touch_edged(a, up, rho - b.s.radius, std::copysign(1.0, along) * axis,
                     std::abs(along) - b.s.half_length, out);
}

SurfaceContact touch_sphere_flat(const PlacedSurface& a, const PlacedSurface& b, Manifold& out) {
  const Vec3 p = transpose_times(b.X.R, a.X.p - b.X.p);
  Vec3 foot;
  const double l = outside_of(b.s, p, foot);
  const Vec3 beyond = l > 0.0 ? b.X.R * ((Vec3{p.x, p.y, 0.0} - foot) / l) : Vec3{};
  return touch_edged(a, b.normal(), p.z, beyond, l, out);
}

}  // namespace carom
