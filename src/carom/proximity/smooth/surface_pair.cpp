#include "carom/proximity/smooth/surface_pair.h"

#include <algorithm>
#include <cmath>

#include "carom/proximity/smooth/surface_algorithms.h"

namespace carom {
namespace {

/// Order in which the algorithms expect a pair.
int rank(const IdealSurface& s) {
  switch (s.form) {
    case SurfaceForm::sphere: return 0;
    case SurfaceForm::cylinder: return 1;
    case SurfaceForm::convex: return 3;
    default: return 2;
  }
}

SurfaceContact touch(const PlacedSurface& a, const PlacedSurface& b, Manifold& out) {
  const int i = rank(a.s), j = rank(b.s);
  if (j == 3) return touch_convex(a, b, out);
  if (i == 0) {
    return j == 0   ? touch_sphere_sphere(a, b, out)
           : j == 1 ? touch_sphere_cylinder(a, b, out)
                    : touch_sphere_flat(a, b, out);
  }
  if (i == 1) return j == 1 ? touch_cylinders(a, b, out) : touch_cylinder_flat(a, b, out);
  return touch_flats(a, b, out);
}

}  // namespace

SurfaceContact finish(const Manifold& out, ContactArea area) {
  SurfaceContact c;
  c.area = area;
  c.n_AB_W = out.n_AB_W;
  const auto first = out.points.begin();
  const auto deepest = std::min_element(
      first, first + out.count,
      [](const ManifoldPoint& p, const ManifoldPoint& q) { return p.phi < q.phi; });
  c.phi = deepest->phi;
  c.p_WCa = deepest->p_WC - (place_between(*deepest) * c.phi) * c.n_AB_W;
  c.p_WCb = c.p_WCa + c.phi * c.n_AB_W;
  return c;
}

SurfaceContact apart(const PlacedSurface& a, const PlacedSurface& b, double gap, Manifold& out) {
  SurfaceContact c;
  c.phi = gap;
  const Vec3 d = b.X.p - a.X.p;
  const double distance = norm(d);
  c.n_AB_W = distance > 0.0 ? d / distance : Vec3{0, 0, 1};
  c.p_WCa = a.X.p, c.p_WCb = b.X.p;
  out.count = 0;
  out.n_AB_W = c.n_AB_W;
  return c;
}

double outside_of(const IdealSurface& flat, const Vec3& p, Vec3& nearest) {
  if (flat.form == SurfaceForm::circle) {
    const double rho = std::hypot(p.x, p.y);
    nearest = {p.x, p.y, 0.0};
    if (rho <= flat.radius) return 0.0;
    nearest = (flat.radius / rho) * nearest;
    return rho - flat.radius;
  }
  nearest = {std::clamp(p.x, -flat.half_length, flat.half_length),
             std::clamp(p.y, -flat.half_width, flat.half_width), 0.0};
  return std::hypot(p.x - nearest.x, p.y - nearest.y);
}

namespace {

/// Weights count springs so far: their sum is told apart, and what is left are shares.
void share_out(Manifold& out) {
  double sum = 0.0;
  for (int i = 0; i < out.count; ++i) sum += out.points[static_cast<std::size_t>(i)].weight;
  if (!(sum > 0.0)) return;
  out.springs = sum;
  for (int i = 0; i < out.count; ++i) out.points[static_cast<std::size_t>(i)].weight /= sum;
}

}  // namespace

SurfaceContact find_surface_contact(const IdealSurface& A, const Pose& X_WA, const IdealSurface& B,
                                    const Pose& X_WB, Manifold& out) {
  out.count = 0;
  out.has_normals = false;
  out.springs = 1.0;
  out.area = out.length = out.width = 0.0;
  const PlacedSurface a{A, X_WA}, b{B, X_WB};
  const bool in_order = rank(A) <= rank(B);
  SurfaceContact c = in_order ? touch(a, b, out) : touch(b, a, out);
  if (!in_order) {
    c.n_AB_W = out.n_AB_W = -c.n_AB_W;
    std::swap(c.p_WCa, c.p_WCb);
  }
  share_out(out);
  return c;
}

ContactArea usual_area(const IdealSurface& a, const IdealSurface& b) {
  const int i = std::min(rank(a), rank(b)), j = std::max(rank(a), rank(b));
  if (i == 0 || j == 3) return ContactArea::point;
  return i == 1 ? ContactArea::line : ContactArea::plane;
}

const char* area_name(ContactArea area) {
  switch (area) {
    case ContactArea::point: return "point";
    case ContactArea::line: return "line";
    case ContactArea::plane: return "plane";
    default: return "none";
  }
}

double total_weight(ContactArea area) {
  switch (area) {
    case ContactArea::point: return 1.0;
    case ContactArea::line: return 2.0;
    case ContactArea::plane: return 4.0;
    default: return 0.0;
  }
}

}  // namespace carom
