// Two flat surfaces: rectangles and circles.
//
// Seen along the bisector of their normals, both outlines are convex polygons; the contact area
// P is their intersection and its corners are the contact points, four or five as a rule. A corner
// at which the boundary of P turns by the angle theta_i weighs
//
//   w_i = (2 / pi) theta_i,                                                             (1)
//
// which is 1 at each corner of a rectangle; as the angles of a polygon add up to 2 pi, the
// weights add up to 4 as long as there is an area. A corner that hangs over an edge by h parts
// into two points that move by h/|sin phi| and h/|cos phi| along its sides (equation 7 of the
// paper); they begin in one place and share its weight. (1) is the curvature measure of P,
// which depends continuously on a convex set (Schneider, Convex Bodies, section 4.2), and so
// force and moment depend continuously on the poses, also where edges become parallel: a point
// that then runs along a whole edge has hardly any weight. Angles are those in the planes of A
// and B, by the shares a and b of (2).
//
// With alpha and beta the shares of A and B that P covers, the normal is that of the surface
// whose inside is touched, and the force acts on the one whose corners touch:
//
//   n = (a (-z_B) + b z_A) / |...|,   a = (1 - beta) / (2 - alpha - beta),   b = 1 - a    (2)
//
// A circle is drawn by eight chords, the first corner at its lowest point.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "carom/proximity/surface_algorithms.h"
#include "carom/proximity/vec2.h"

namespace carom {
namespace {

constexpr std::size_t kChords = 8;
constexpr std::size_t kMostCorners = 2 * kChords + 2;
constexpr double kApothem = 0.9238;   ///< of the eight chords over the radius, rounded down
constexpr double kTurnedAway = -0.1;  ///< cosine of the normals from which flats do not face
constexpr double kNoTilt = 1e-7;      ///< below, a circle's first corner lies on its x axis [rad]
constexpr double kSamePlace = 1e-9;   ///< points nearer than this share of the size are one
constexpr double kNoArea = 1e-14;     ///< share of the size² that is no area

template <class Point, std::size_t N>
struct Corners {
  std::size_t count = 0;
  std::array<Point, N> p;
  void add(const Point& point) { p[count++] = point; }
};
using Outline = Corners<Vec3, kChords>;
using Polygon = Corners<Vec2, kMostCorners>;

/// Corners in the world, counter-clockwise about the normal.
Outline draw(const PlacedSurface& f, const Vec3& other_normal) {
  Outline o;
  const Vec3 x = f.X.R.col(0), y = f.X.R.col(1);
  if (f.s.form == SurfaceForm::rectangle) {
    const Vec3 l = f.s.half_length * x, w = f.s.half_width * y;
    for (const Vec3& corner : {l + w, w - l, -l - w, l - w}) o.add(f.X.p + corner);
    return o;
  }
  const double u = -dot(other_normal, x) + kNoTilt, v = -dot(other_normal, y);
  const double size = std::hypot(u, v);
  const Vec3 low = size > 0.0 ? (u / size) * x + (v / size) * y : x;
  const Vec3 side = cross(f.normal(), low);
  constexpr double kHalf = std::numbers::sqrt2 / 2.0;
  for (const Vec2& q : {Vec2{1, 0}, Vec2{kHalf, kHalf}, Vec2{0, 1}, Vec2{-kHalf, kHalf},
                        Vec2{-1, 0}, Vec2{-kHalf, -kHalf}, Vec2{0, -1}, Vec2{kHalf, -kHalf}}) {
    o.add(f.X.p + f.s.radius * (q.x * low + q.y * side));
  }
  return o;
}

/// The plane across the bisector.
struct View {
  Vec3 origin, n, e1, e2;
  View(const Vec3& o, const Vec3& normal)
      : origin(o), n(normal), e1(any_perpendicular(normal)), e2(cross(normal, e1)) {}
  Vec2 see(const Vec3& p) const { return {dot(e1, p - origin), dot(e2, p - origin)}; }
  Vec3 place(const Vec2& q) const { return origin + q.x * e1 + q.y * e2; }
};

double area_of(const Polygon& p) {
  double sum = 0.0;
  for (std::size_t i = 0; i < p.count; ++i) sum += cross(p.p[i], p.p[(i + 1) % p.count]);
  return 0.5 * sum;
}

/// What lies to the left of the line from a to b.
void cut(const Polygon& in, const Vec2& a, const Vec2& b, Polygon& out) {
  out.count = 0;
  const Vec2 edge = b - a;
  for (std::size_t i = 0; i < in.count; ++i) {
    const Vec2 &p = in.p[i], &q = in.p[(i + 1) % in.count];
    const double fp = cross(edge, p - a), fq = cross(edge, q - a);
    if (fp >= 0.0) out.add(p);
    if ((fp < 0.0) != (fq < 0.0)) out.add(p + (fp / (fp - fq)) * (q - p));
  }
}

/// Both outlines and their intersection in one view.
struct Overlap {
  Polygon A, B, P;
  double area_a = 0.0, area_b = 0.0, area = 0.0;

  Overlap(const Outline& a, const Outline& b, const View& view) {
    for (std::size_t i = 0; i < a.count; ++i) A.add(view.see(a.p[i]));
    // B faces the other way: backwards it runs counter-clockwise in this view.
    for (std::size_t i = b.count; i-- > 0;) B.add(view.see(b.p[i]));
    area_a = area_of(A), area_b = area_of(B);
    Polygon other = A;
    Polygon *now = &other, *next = &P;
    for (std::size_t j = 0; j < B.count && now->count > 0; ++j) {
      cut(*now, B.p[j], B.p[(j + 1) % B.count], *next);
      std::swap(now, next);
    }
    if (now != &P) P = *now;
    area = P.count > 2 ? area_of(P) : 0.0;
  }
};

/// Distance of outlines that do not overlap: the widest gap between a side of one and the
/// corners of the other.
double separation(const Polygon& a, const Polygon& b) {
  double widest = 0.0;
  for (std::size_t j = 0; j < b.count; ++j) {
    const Vec2 c = b.p[j], edge = b.p[(j + 1) % b.count] - c;
    double nearest = -kInf;
    for (std::size_t i = 0; i < a.count; ++i) nearest = std::max(nearest, cross(edge, a.p[i] - c));
    widest = std::max(widest, -nearest / norm(edge));
  }
  return widest;
}

/// P without corners that lie in one place.
Polygon distinct(const Polygon& P, double size) {
  const double near = kSamePlace * size;
  Polygon out;
  for (std::size_t i = 0; i < P.count; ++i) {
    if (out.count == 0 || norm(P.p[i] - out.p[out.count - 1]) > near) out.add(P.p[i]);
  }
  while (out.count > 1 && norm(out.p[0] - out.p[out.count - 1]) <= near) --out.count;
  return out;
}

/// Angles by which an outline in the plane with normal z turns at its corners.
void measure_turns(std::span<const Vec3> p, const Vec3& z, std::span<double> turn) {
  const std::size_t count = p.size();
  Vec3 before = p[0] - p[count - 1];
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 after = p[i + 1 < count ? i + 1 : 0] - p[i];
    turn[i] = std::max(0.0, std::atan2(dot(z, cross(before, after)), dot(before, after)));
    before = after;
  }
}

/// The corners of P with their weights. `on_b` is the share by which normal and place of the
/// contact are those of B's corners; gaps and angles are measured from A and B alike.
void add_points(const Polygon& P, const View& view, const PlacedSurface& a, const PlacedSurface& b,
                double on_b, Manifold& out) {
  const Vec3 zA = a.normal(), zB = b.normal(), n = out.n_AB_W;
  const double slope_a = 1.0 / dot(zA, view.n), slope_b = 1.0 / dot(zB, view.n);
  std::array<Vec3, kMostCorners> at_a, at_b;
  std::array<double, kMostCorners> turn_a, turn_b;
  for (std::size_t i = 0; i < P.count; ++i) {
    const Vec3 q = view.place(P.p[i]);
    at_a[i] = q + (dot(zA, a.X.p - q) * slope_a) * view.n;
    at_b[i] = q + (dot(zB, b.X.p - q) * slope_b) * view.n;
  }
  measure_turns({at_a.data(), P.count}, zA, turn_a);
  measure_turns({at_b.data(), P.count}, -zB, turn_b);
  for (std::size_t i = 0; i < P.count; ++i) {
    const double from_a = dot(zB, b.X.p - at_a[i]) / dot(zB, n);
    const double from_b = dot(zA, at_b[i] - a.X.p) / dot(zA, n);
    const double turn = (1.0 - on_b) * turn_a[i] + on_b * turn_b[i];
    add_point(out, at_a[i] + on_b * (at_b[i] - at_a[i]), (1.0 - on_b) * from_a + on_b * from_b,
              2.0 / std::numbers::pi * turn,  // (1)
              static_cast<std::uint32_t>(i));
  }
}

/// Whether all corners of an outline lie above the inside of a flat surface, seen along the
/// bisector: then they are the contact points, and what follows from (1) and (2) is known
/// without cutting.
bool lies_within(const Outline& outline, const PlacedSurface& flat, const Vec3& bisector) {
  const Vec3 b = transpose_times(flat.X.R, bisector);
  const double inner = flat.s.radius * kApothem, x_slope = b.x / b.z, y_slope = b.y / b.z;
  for (std::size_t i = 0; i < outline.count; ++i) {
    const Vec3 p = transpose_times(flat.X.R, outline.p[i] - flat.X.p);
    const Vec2 q{p.x - p.z * x_slope, p.y - p.z * y_slope};
    const bool inside = flat.s.form == SurfaceForm::circle ? dot(q, q) < inner * inner
                                                           : std::abs(q.x) < flat.s.half_length &&
                                                                 std::abs(q.y) < flat.s.half_width;
    if (!inside) return false;
  }
  return true;
}

/// The contact of an outline that lies within the other surface.
SurfaceContact touch_within(const Outline& outline, const PlacedSurface& inner,
                            const PlacedSurface& outer, bool inner_is_a, Manifold& out) {
  const Vec3 z = outer.normal();
  out.n_AB_W = inner_is_a ? -z : z;
  const double weight = 4.0 / static_cast<double>(outline.count);
  for (std::size_t i = 0; i < outline.count; ++i) {
    const double phi = dot(z, outline.p[i] - outer.X.p);
    add_point(out, outline.p[i], phi, weight,
              static_cast<std::uint32_t>(i) | (inner_is_a ? kOnFirst : kOnSecond));
  }
  const double r = inner.s.radius;
  out.area = inner.s.form == SurfaceForm::rectangle ? surface_area(inner.s)
                                                    : 2.0 * std::numbers::sqrt2 * r * r;
  return finish(out, ContactArea::plane);
}

}  // namespace

SurfaceContact touch_flats(const PlacedSurface& a, const PlacedSurface& b, Manifold& out) {
  const Vec3 zA = a.normal(), zB = b.normal();
  const double size = std::min(surface_radius(a.s), surface_radius(b.s));
  if (dot(zA, zB) > kTurnedAway) return apart(a, b, norm(b.X.p - a.X.p) + size, out);
  const Outline A = draw(a, zB), B = draw(b, zA);
  const Vec3 origin = 0.5 * (a.X.p + b.X.p), bisector = normalized(zA - zB);
  if (lies_within(A, b, bisector)) return touch_within(A, a, b, true, out);
  if (lies_within(B, a, bisector)) return touch_within(B, b, a, false, out);
  const View view(origin, bisector);
  const Overlap overlap(A, B, view);
  const Polygon P = distinct(overlap.P, size);
  if (!(overlap.area > kNoArea * size * size) || P.count < 3) {
    const double gap = std::max(separation(overlap.A, overlap.B), separation(overlap.B, overlap.A));
    const double height = std::max(0.0, dot(bisector, b.X.p - a.X.p));
    return apart(a, b, std::max({gap, height, 1e-12}), out);
  }
  const double free_a = std::max(0.0, 1.0 - overlap.area / overlap.area_a) + 1e-12;
  const double free_b = std::max(0.0, 1.0 - overlap.area / overlap.area_b) + 1e-12;
  const double on_b = free_a / (free_a + free_b);
  out.n_AB_W = normalized(on_b * zA - (1.0 - on_b) * zB);  // (2)
  add_points(P, view, a, b, on_b, out);
  out.area = overlap.area;
  SurfaceContact c = finish(out, ContactArea::plane);
  c.p_WCa = c.p_WCa - (on_b * c.phi) * c.n_AB_W;
  c.p_WCb = c.p_WCa + c.phi * c.n_AB_W;
  return c;
}

}  // namespace carom
