// A convex shape against any other surface, through support mappings.
//
// Against a flat surface the lowest point of the shape decides, support(-z), and whether it
// lies above the outline; beyond it the shape touches nothing. Against round surfaces, and
// another shape, it is the signed distance of two convex bodies (distance.h).
#include <algorithm>
#include <cmath>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/distance.h"
#include "carom/proximity/smooth/surface_algorithms.h"

namespace carom {
namespace {

/// A sphere is a rounded point, a cylinder a rounded segment, whose round ends do not count.
Core core_of(const IdealSurface& s) {
  if (s.form == SurfaceForm::convex) return s.core;
  Core core;
  if (s.form == SurfaceForm::sphere) {
    core.kind = &core_point;
    core.rounding = s.radius;
  } else {
    core.kind = &core_segment;
    core.v[1] = {s.half_length, 0, 0};
    core.rounding = s.radius;
  }
  return core;
}

SurfaceContact touch_flat_convex(const PlacedSurface& flat, const PlacedSurface& shape,
                                 Manifold& out) {
  const Vec3 n = flat.normal();
  const Vec3 n_S = -transpose_times(shape.X.R, n);
  const Vec3 lowest = shape.X.R * surface_point(shape.s.core, n_S) + (shape.X.p - flat.X.p);
  const Vec3 p = transpose_times(flat.X.R, lowest);
  Vec3 foot;
  const double outside = outside_of(flat.s, p, foot);
  if (outside > 0.0) return apart(flat, shape, std::hypot(outside, std::max(0.0, p.z)), out);
  out.n_AB_W = n;
  add_point(out, flat.X.p + lowest, p.z, 1.0, kOnSecond);
  return finish(out, ContactArea::point);
}

}  // namespace

SurfaceContact touch_convex(const PlacedSurface& a, const PlacedSurface& b, Manifold& out) {
  if (a.s.is_flat()) return touch_flat_convex(a, b, out);
  const Contact c = distance(core_of(a.s), a.X, core_of(b.s), b.X);
  const bool at_end = a.s.form == SurfaceForm::cylinder &&
                      std::abs(dot(a.axis(), c.p_WCa - a.X.p)) > a.s.half_length;
  if (at_end) return apart(a, b, std::max(c.phi, 1e-3 * a.s.radius), out);
  out.n_AB_W = c.n_AB_W;
  add_point(out, 0.5 * (c.p_WCa + c.p_WCb), c.phi, 1.0, kMidway);
  return finish(out, ContactArea::point);
}

}  // namespace carom
