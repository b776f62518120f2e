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
  std::size_t after(std::size_t i) const { return i + 1 < count ? i + 1 : 0; }
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
  for (std::size_t i = 0; i < p.count; ++i) sum += cross(p.p[i], p.p[p.after(i)]);
  return 0.5 * sum;
}

/// What lies to the left of the line from a to b; false, and nothing in `out`, if that is all.
bool cut(const Polygon& in, const Vec2& a, const Vec2& b, Polygon& out) {
  std::array<double, kMostCorners> side;
  const Vec2 edge = b - a;
  bool all = true;
  for (std::size_t i = 0; i < in.count; ++i) {
    side[i] = cross(edge, in.p[i] - a);
    all = all && side[i] >= 0.0;
  }
  if (all) return false;
  out.count = 0;
  for (std::size_t i = 0; i < in.count; ++i) {
    const std::size_t j = in.after(i);
    const Vec2 &p = in.p[i], &q = in.p[j];
    if (side[i] >= 0.0) out.add(p);
    if ((side[i] < 0.0) != (side[j] < 0.0)) {
      out.add(p + (side[i] / (side[i] - side[j])) * (q - p));
    }
  }
  return true;
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
      if (cut(*now, B.p[j], B.p[B.after(j)], *next)) std::swap(now, next);
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
    const Vec2 c = b.p[j], edge = b.p[b.after(j)] - c;
    double nearest = -kInf;
    for (std::size_t i = 0; i < a.count; ++i) nearest = std::max(nearest, cross(edge, a.p[i] - c));
    widest = std::max(widest, -nearest / norm(edge));
  }
  return widest;
}

/// P without corners that lie in one place.
Polygon distinct(const Polygon& P, double size) {
  const double near2 = kSamePlace * size * kSamePlace * size;
  const auto lie_apart = [&](const Vec2& a, const Vec2& b) { return dot(a - b, a - b) > near2; };
  Polygon out;
  for (std::size_t i = 0; i < P.count; ++i) {
    if (out.count == 0 || lie_apart(P.p[i], out.p[out.count - 1])) out.add(P.p[i]);
  }
  while (out.count > 1 && !lie_apart(out.p[0], out.p[out.count - 1])) --out.count;
  return out;
}

/// The sides of a corner as multiples of sine and cosine of the angle by which they turn, in the
/// plane with normal z.
struct Turn {
  double s, c;
  Turn(const Vec3& before, const Vec3& after, const Vec3& z)
      : s(dot(z, cross(before, after))), c(dot(before, after)) {}
  double angle() const { return std::max(0.0, std::atan2(s, c)); }
};

/// Angle of b, where that of a is known. Seen in two planes that hardly tilt against each other
/// the angles hardly differ, and d + d³/6 is the arc of the sine d to rounding.
double angle_beside(const Turn& a, double angle_a, const Turn& b) {
  constexpr double kSmall = 1e-3;
  const double d2 = (b.s * a.c - b.c * a.s) * (b.s * a.c - b.c * a.s);
  const double size2 = (a.s * a.s + a.c * a.c) * (b.s * b.s + b.c * b.c);
  if (!(a.s > 0.0 && b.s > 0.0 && d2 < kSmall * kSmall * size2)) return b.angle();
  const double d = (b.s * a.c - b.c * a.s) / std::sqrt(size2);
  return angle_a + d * (1.0 + d * d / 6.0);
}

/// Angles by which an outline, drawn on A and on B, turns at its corners: by the share `on_b`
/// that on B.
void measure_turns(std::span<const Vec3> on_a, const Vec3& z_a, std::span<const Vec3> on_b,
                   const Vec3& z_b, double share_b, std::span<double> turn) {
  const std::size_t count = on_a.size();
  Vec3 before_a = on_a[0] - on_a[count - 1], before_b = on_b[0] - on_b[count - 1];
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t next = i + 1 < count ? i + 1 : 0;
    const Vec3 after_a = on_a[next] - on_a[i], after_b = on_b[next] - on_b[i];
    const Turn a(before_a, after_a, z_a), b(before_b, after_b, z_b);
    const double angle_a = a.angle();
    turn[i] = (1.0 - share_b) * angle_a + share_b * angle_beside(a, angle_a, b);
    before_a = after_a, before_b = after_b;
  }
}

/// The corners of P with their weights. `on_b` is the share by which normal and place of the
/// contact are those of B's corners; gaps and angles are measured from A and B alike.
void add_points(const Polygon& P, const View& view, const PlacedSurface& a, const PlacedSurface& b,
                double on_b, Manifold& out) {
  const Vec3 zA = a.normal(), zB = b.normal(), n = out.n_AB_W;
  const double slope_a = 1.0 / dot(zA, view.n), slope_b = 1.0 / dot(zB, view.n);
  std::array<Vec3, kMostCorners> at_a, at_b;
  std::array<double, kMostCorners> turn;
  for (std::size_t i = 0; i < P.count; ++i) {
    const Vec3 q = view.place(P.p[i]);
    at_a[i] = q + (dot(zA, a.X.p - q) * slope_a) * view.n;
    at_b[i] = q + (dot(zB, b.X.p - q) * slope_b) * view.n;
  }
  measure_turns({at_a.data(), P.count}, zA, {at_b.data(), P.count}, -zB, on_b, turn);
  const double along_a = (1.0 - on_b) / dot(zB, n), along_b = on_b / dot(zA, n);
  for (std::size_t i = 0; i < P.count; ++i) {
    const double phi = along_a * dot(zB, b.X.p - at_a[i]) + along_b * dot(zA, at_b[i] - a.X.p);
    add_point(out, at_a[i] + on_b * (at_b[i] - at_a[i]), phi,
              2.0 / std::numbers::pi * turn[i],  // (1)
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
  if (dot(zA, zB) > kTurnedAway) {
    const double size = std::min(surface_radius(a.s), surface_radius(b.s));
    return apart(a, b, norm(b.X.p - a.X.p) + size, out);
  }
  const Vec3 bisector = normalized(zA - zB);
  const Outline A = draw(a, zB);
  if (lies_within(A, b, bisector)) return touch_within(A, a, b, true, out);
  const Outline B = draw(b, zA);
  if (lies_within(B, a, bisector)) return touch_within(B, b, a, false, out);
  const double size = std::min(surface_radius(a.s), surface_radius(b.s));
  const View view(0.5 * (a.X.p + b.X.p), bisector);
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
