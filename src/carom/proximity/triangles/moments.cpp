// Per straight segment from p to q of length l, m its middle:
//   ∫ ds = l,   ∫ r ds = l m,   ∫ r rᵀ ds = l (p pᵀ + q qᵀ + 4 m mᵀ) / 6,
// and for the triangle of o, p, q seen along n, with a = ½ n.((p - o) × (q - o)) and r from o:
//   ∫ dA = a,   ∫ r dA = a (p + q) / 3,   ∫ r rᵀ dA = a (p pᵀ + q qᵀ + (p + q)(p + q)ᵀ) / 12.
#include "carom/proximity/triangles/moments.h"

namespace carom::triangles {
namespace {

template <class Visit>
void for_each_segment(const Intersection& x, const TrianglePatch& patch, Visit visit) {
  const Curves& c = x.curves;
  for (std::uint32_t k = 0; k < patch.curves; ++k) {
    const Curve& curve = c.curves[x.curves_by_patch[patch.first_curve + k]];
    for (std::uint32_t i = 0; i < curve.count; ++i) {
      const Segment& s = c.segments[c.order[curve.first + i]];
      visit(c.piercings[s.from].p, c.piercings[s.to].p);
    }
  }
}

/// The part of x across n.
Vec3 across(const Vec3& n, const Vec3& x) { return x - dot(n, x) * n; }

void measure_length(const Intersection& x, const Vec3& o, TrianglePatch& patch) {
  Vec3 first;
  Sym3 second;
  for_each_segment(x, patch, [&](const Vec3& from, const Vec3& to) {
    const Vec3 p = from - o, q = to - o, m = 0.5 * (p + q);
    const double l = norm(q - p);
    patch.length += l;
    first += l * m;
    second += l / 6.0 * (outer(p) + outer(q) + 4.0 * outer(m));
    patch.area_vector += 0.5 * cross(p, q);
  });
  if (!(patch.length > 0.0)) {
    patch.length_centre = o;
    return;
  }
  const Vec3 centre = first / patch.length;
  patch.length_centre = o + centre;
  patch.length_moment = second - patch.length * outer(centre);
}

void measure_area(const Intersection& x, TrianglePatch& patch) {
  const Vec3 o = patch.length_centre, n = patch.normal;
  Vec3 first;
  Sym3 second;
  for_each_segment(x, patch, [&](const Vec3& from, const Vec3& to) {
    const Vec3 p = across(n, from - o), q = across(n, to - o);
    const double a = 0.5 * dot(n, cross(p, q));
    first += a / 3.0 * (p + q);
    second += a / 12.0 * (outer(p) + outer(q) + outer(p + q));
  });
  const Vec3 centre = first / patch.area;
  patch.area_centre = o + centre;
  patch.area_moment = second - patch.area * outer(centre);
}

}  // namespace

void measure_curves(const Intersection& x, TrianglePatch& patch) {
  if (patch.curves == 0) return;
  const Curves& curves = x.curves;
  const Curve& first = curves.curves[x.curves_by_patch[patch.first_curve]];
  const Vec3 o = curves.piercings[curves.segments[curves.order[first.first]].from].p;
  measure_length(x, o, patch);
  patch.area = norm(patch.area_vector);
  patch.area_centre = patch.length_centre;
  if (!(patch.area > 0.0)) return;
  patch.normal = patch.area_vector / patch.area;
  measure_area(x, patch);
}

}  // namespace carom::triangles
