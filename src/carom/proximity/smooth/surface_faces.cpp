// Two flat surfaces: rectangles here, circles in surface_rounds.cpp.
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
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "carom/proximity/features/flat_pair.h"

namespace carom {
namespace {

constexpr std::size_t kSides = 4;
constexpr std::size_t kMostCorners = 2 * kSides + 2;
constexpr double kTurnedAway = -0.1;  ///< cosine of the normals from which flats do not face
constexpr double kSamePlace = 1e-9;   ///< points nearer than this share of the size are one

template <class Point, std::size_t N>
struct Corners {
  std::size_t count = 0;
  std::array<Point, N> p;
  void add(const Point& point) { p[count++] = point; }
  std::size_t after(std::size_t i) const { return i + 1 < count ? i + 1 : 0; }
};
using Outline = Corners<Vec3, kSides>;
using Polygon = Corners<Vec2, kMostCorners>;

/// Corners in the world, counter-clockwise about the normal.
Outline draw(const PlacedSurface& f) {
  Outline o;
  const Vec3 l = f.s.half_length * f.X.R.col(0), w = f.s.half_width * f.X.R.col(1);
  for (const Vec3& corner : {l + w, w - l, -l - w, l - w}) o.add(f.X.p + corner);
  return o;
}

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
  std::array<Vec3, kMostCorners> at_a, at_b;
  std::array<double, kMostCorners> turn;
  for (std::size_t i = 0; i < P.count; ++i) {
    const Vec3 q = view.place(P.p[i]);
    at_a[i] = foot_on(a, q, view), at_b[i] = foot_on(b, q, view);
  }
  const std::span<const Vec3> on_a(at_a.data(), P.count), beside(at_b.data(), P.count);
  measure_turns(on_a, a.normal(), beside, -b.normal(), on_b, turn);
  add_corners(on_a, beside, {turn.data(), P.count}, a, b, on_b, out);
}

/// Whether all corners of an outline lie above the inside of a flat surface, seen along the
/// bisector: then they are the contact points, and what follows from (1) and (2) is known
/// without cutting.
bool lies_within(const Outline& outline, const PlacedSurface& flat, const Vec3& bisector) {
  const Vec3 b = transpose_times(flat.X.R, bisector);
  const double x_slope = b.x / b.z, y_slope = b.y / b.z;
  for (std::size_t i = 0; i < outline.count; ++i) {
    const Vec3 p = transpose_times(flat.X.R, outline.p[i] - flat.X.p);
    const Vec2 q{p.x - p.z * x_slope, p.y - p.z * y_slope};
    const bool inside = std::abs(q.x) < flat.s.half_length && std::abs(q.y) < flat.s.half_width;
    if (!inside) return false;
  }
  return true;
}

}  // namespace

Vec3 foot_on(const PlacedSurface& flat, const Vec3& q, const View& view) {
  const Vec3 z = flat.normal();
  return q + (dot(z, flat.X.p - q) * (1.0 / dot(z, view.n))) * view.n;
}

double blend_normals(double area, double area_a, double area_b, const Vec3& z_a, const Vec3& z_b,
                     Manifold& out) {
  const double free_a = std::max(0.0, 1.0 - area / area_a) + 1e-12;
  const double free_b = std::max(0.0, 1.0 - area / area_b) + 1e-12;
  const double on_b = free_a / (free_a + free_b);
  out.n_AB_W = normalized(on_b * z_a - (1.0 - on_b) * z_b);  // (2)
  return on_b;
}

void add_corners(std::span<const Vec3> on_a, std::span<const Vec3> on_b,
                 std::span<const double> turn, const PlacedSurface& a, const PlacedSurface& b,
                 double share_b, Manifold& out) {
  const Vec3 zA = a.normal(), zB = b.normal(), n = out.n_AB_W;
  const double along_a = (1.0 - share_b) / dot(zB, n), along_b = share_b / dot(zA, n);
  for (std::size_t i = 0; i < turn.size(); ++i) {
    const double phi = along_a * dot(zB, b.X.p - on_a[i]) + along_b * dot(zA, on_b[i] - a.X.p);
    add_point(out, on_a[i] + share_b * (on_b[i] - on_a[i]), phi,
              2.0 / std::numbers::pi * turn[i],  // (1)
              static_cast<std::uint32_t>(i));
  }
}

SurfaceContact finish_flats(double area, double on_b, Manifold& out) {
  out.area = area;
  SurfaceContact c = finish(out, ContactArea::plane);
  c.p_WCa = c.p_WCa - (on_b * c.phi) * c.n_AB_W;
  c.p_WCb = c.p_WCa + c.phi * c.n_AB_W;
  return c;
}

SurfaceContact touch_within(std::span<const Vec3> outline, const PlacedSurface& inner,
                            const PlacedSurface& outer, bool inner_is_a, Manifold& out) {
  const Vec3 z = outer.normal();
  out.n_AB_W = inner_is_a ? -z : z;
  const double weight = 4.0 / static_cast<double>(outline.size());
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const double phi = dot(z, outline[i] - outer.X.p);
    add_point(out, outline[i], phi, weight,
              static_cast<std::uint32_t>(i) | (inner_is_a ? kOnFirst : kOnSecond));
  }
  out.area = surface_area(inner.s);
  return finish(out, ContactArea::plane);
}

SurfaceContact touch_flats(const PlacedSurface& a, const PlacedSurface& b, Manifold& out) {
  const Vec3 zA = a.normal(), zB = b.normal();
  if (dot(zA, zB) > kTurnedAway) {
    const double size = std::min(surface_radius(a.s), surface_radius(b.s));
    return apart(a, b, norm(b.X.p - a.X.p) + size, out);
  }
  const Vec3 bisector = normalized(zA - zB);
  if (a.s.form == SurfaceForm::circle || b.s.form == SurfaceForm::circle) {
    return touch_rounds(a, b, bisector, out);
  }
  const Outline A = draw(a), B = draw(b);
  if (lies_within(A, b, bisector)) return touch_within({A.p.data(), A.count}, a, b, true, out);
  if (lies_within(B, a, bisector)) return touch_within({B.p.data(), B.count}, b, a, false, out);
  const double size = std::min(surface_radius(a.s), surface_radius(b.s));
  const View view(0.5 * (a.X.p + b.X.p), bisector);
  const Overlap overlap(A, B, view);
  const Polygon P = distinct(overlap.P, size);
  if (!(overlap.area > kNoArea * size * size) || P.count < 3) {
    const double gap = std::max(separation(overlap.A, overlap.B), separation(overlap.B, overlap.A));
    const double height = std::max(0.0, dot(bisector, b.X.p - a.X.p));
    return apart(a, b, std::max({gap, height, 1e-12}), out);
  }
  const double on_b = blend_normals(overlap.area, overlap.area_a, overlap.area_b, zA, zB, out);
  add_points(P, view, a, b, on_b, out);
  return finish_flats(overlap.area, on_b, out);
}

}  // namespace carom
