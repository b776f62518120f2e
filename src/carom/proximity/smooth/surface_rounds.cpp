// Two flat surfaces of which one is a circle, or both are.
//
// Seen along the bisector of their normals, a circle is an ellipse,
//
//   p(alpha) = c + u cos(alpha) + v sin(alpha),   u towards its lowest point,            (1)
//
// and the contact area P is bounded by pieces of both outlines: sides of rectangles, and arcs,
// cut at every eighth of a turn. The turning of P's boundary, by which its points are weighed
// (surface_faces.cpp), happens at corners, where two pieces meet at an angle, and along arcs.
// That of arcs is shared by eight points a of the rim, each by the hat
//
//   h(alpha) = max(0, 1 - |alpha - a| / (pi/4)),    W = int h over the arcs of P.           (2)
//
// As long as all of its arc is there, W = pi/4 and the point lies on the rim; the first one is
// the lowest. What is cut away draws it to the mean place of what it stands for, which lies in P as
// P is convex. An edge that cuts a rim by the depth d leaves corners of the small angle
// theta = sqrt(2 d / R), which takes the place of an arc. A share 1 - theta/theta_0 of it still
// goes to the points of the rim by (2), so that force and moment change in proportion to d, and
// not to its root.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/proximity/features/flat_pair.h"
#include "carom/proximity/features/flat_region.h"

namespace carom {
namespace {

constexpr double kNoTilt = 1e-7;     ///< below, a circle's first point lies on its x axis [rad]
constexpr double kSameLine = 1e-14;  ///< outlines nearer than this share of their size coincide
constexpr double kNothing = 1e-12;   ///< parts of a side and angles that are none
constexpr double kShallow = 0.3;     ///< theta_0: corners from it on are all corner [rad]
constexpr double kAround = 1.08240;  ///< corner of the octagon around a circle over its radius
constexpr double kDrawnIn = 0.3;     ///< loss of W at which a point lies at the mean [rad]
constexpr std::size_t kMostPieces = 40;
constexpr std::size_t kMostPoints = 56;  ///< corners, and the eighths of both rims
/// Unit vectors along and across the lowest direction of a circle's face.
void lowest(const PlacedSurface& f, const Vec3& other_normal, Vec3& low, Vec3& side) {
  const Vec3 x = f.X.R.col(0), y = f.X.R.col(1);
  const double u = -dot(other_normal, x) + kNoTilt, v = -dot(other_normal, y);
  const double size = std::hypot(u, v);
  low = size > 0.0 ? (u / size) * x + (v / size) * y : x;
  side = cross(f.normal(), low);
}

/// `is_b`: it faces the other way, and runs backwards in this view.
Region see(const PlacedSurface& f, const Vec3& other_normal, const View& view, bool is_b) {
  Region r;
  r.is_round = f.s.form == SurfaceForm::circle;
  if (r.is_round) {
    Vec3 low, side;
    lowest(f, other_normal, low, side);
    r.c = view.see(f.X.p);
    r.u = f.s.radius * view.along(low);
    r.v = (is_b ? -f.s.radius : f.s.radius) * view.along(side);
    return r;
  }
  const Vec3 l = f.s.half_length * f.X.R.col(0), w = f.s.half_width * f.X.R.col(1);
  const Vec3 order[] = {l + w, w - l, -l - w, l - w};
  for (std::size_t i = 0; i < 4; ++i) {
    r.corner[i] = view.see(f.X.p + order[is_b ? 3 - i : i]);
  }
  return r;
}

/// A part of an outline that bounds the area.
struct Piece {
  Vec2 start, end, start_tangent, end_tangent;
  double middle_angle = 0.0;  ///< about a point inside [rad]
  Vec2 middle;
  int edge = 0;  ///< of its outline
  double from = 0.0, to = 0.0;
  bool of_b = false;
};

/// What a point of a rim stands for.
struct RimPoint {
  double weight = 0.0;  ///< W of (2) [rad]
  Vec2 moment{0, 0};    ///< of the places, by h [m.rad]
};
using Rim = std::array<RimPoint, kEighths>;

/// Adds a weight at an angle of eighth i to the two points at its ends, by (2).
void add_weight(const Region& r, int i, double t, double weight, Rim& rim) {
  const double share = (t - r.first(i)) / kEighth;
  const Vec2 p = r.point(i, t);
  const auto put = [&](int k, double w) {
    RimPoint& point = rim[static_cast<std::size_t>(k % kEighths)];
    point.weight += w, point.moment = point.moment + w * p;
  };
  put(i, (1.0 - share) * weight), put(i + 1, share * weight);
}

/// Adds the part of an arc from s to e, in eighth i, to the two points at its ends. Five points of
/// Gauss are exact to rounding over an eighth of a turn.
void add_arc(const Region& r, int i, double s, double e, Rim& rim) {
  constexpr double kNodes[] = {0.0, 0.5384693101056831, 0.9061798459386640};
  constexpr double kWeights[] = {128.0 / 225, 0.4786286704993665, 0.2369268850561891};
  for (int k = -2; k <= 2; ++k) {
    const auto n = static_cast<std::size_t>(std::abs(k));
    const double t = 0.5 * (s + e) + std::copysign(0.5 * (e - s) * kNodes[n], k);
    add_weight(r, i, t, 0.5 * (e - s) * kWeights[n], rim);
  }
}

struct Border {
  std::size_t count = 0;
  std::array<Piece, kMostPieces> pieces;
  double area = 0.0;
  std::span<Piece> all() { return {pieces.data(), count}; }
};

/// Adds the parts of A's outline that lie inside B. Where both outlines are one line it is A's if
/// `keeps_shared`.
void add_pieces(const Region& a, const Region& b, bool keeps_shared, Border& out, Rim& rim) {
  const double limit = keeps_shared ? kSameLine : -kSameLine;
  for (int i = 0; i < a.edges(); ++i) {
    const Cuts cuts = cuts_of(a, i, b);
    for (std::size_t k = 0; k + 1 < cuts.count; ++k) {
      const double s = cuts.t[k], e = cuts.t[k + 1], m = 0.5 * (s + e);
      if (!(e - s > kNothing) || b.beyond(a.point(i, m)) > limit) continue;
      if (out.count == kMostPieces) return;
      Piece& p = out.pieces[out.count++];
      p = {a.point(i, s),
           a.point(i, e),
           a.tangent(i, s),
           a.tangent(i, e),
           0.0,
           a.point(i, m),
           i,
           s,
           e,
           !keeps_shared};
      const double chord = a.is_round ? cross(a.c, p.end - p.start) : cross(p.start, p.end);
      if (a.is_round) add_arc(a, i, s, e, rim);
      out.area += 0.5 * (chord + (a.is_round ? (e - s) * cross(a.u, a.v) : 0.0));
    }
  }
}

/// In the order in which they follow each other, counter-clockwise.
void sort_pieces(Border& border) {
  Vec2 inside{0, 0};
  for (const Piece& p : border.all())
    inside = inside + (1.0 / static_cast<double>(border.count)) * p.middle;
  for (Piece& p : border.all()) {
    const Vec2 d = p.middle - inside;
    p.middle_angle = std::atan2(d.y, d.x);
  }
  std::ranges::sort(border.all(), {}, &Piece::middle_angle);
}

/// Places and the turning that they stand for.
struct Turns {
  std::size_t count = 0;
  std::array<Vec2, kMostPoints> place;
  std::array<double, kMostPoints> turn;
  void add(const Vec2& p, double angle) {
    if (!(angle > kNothing)) return;
    place[count] = p, turn[count++] = angle;
  }
};

/// What turns by angles in the planes of A and B.
struct Bend {
  const View& view;
  Vec3 z_a, z_b;
  double on_b;
  double operator()(const Vec2& before, const Vec2& after) const {
    const auto in_plane = [&](const Vec3& z) {
      const auto lift = [&](const Vec2& t) {
        const Vec3 d = t.x * view.e1 + t.y * view.e2;
        return d - (dot(z, d) / dot(z, view.n)) * view.n;
      };
      return Turn(lift(before), lift(after), z).angle();
    };
    return (1.0 - on_b) * in_plane(z_a) + on_b * in_plane(-z_b);
  }
};

/// Corners of the border, where the end of a piece and the start of the next make an angle; of
/// shallow ones a share goes to the rims that make them.
void add_corners_of(std::span<const Piece> pieces, const Region (&regions)[2], const Bend& bend,
                    Rim (&rims)[2], Turns& out) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece &p = pieces[i], &next = pieces[i + 1 < pieces.size() ? i + 1 : 0];
    const double angle = bend(p.end_tangent, next.start_tangent);
    const Region &before = regions[p.of_b], &after = regions[next.of_b];
    const int rounds = int{before.is_round} + int{after.is_round};
    const double deep = rounds > 0 ? std::min(1.0, angle / kShallow) : 1.0;
    out.add(p.end, deep * angle);
    const double share = rounds > 0 ? (1.0 - deep) * angle / rounds : 0.0;
    if (before.is_round) add_weight(before, p.edge, p.to, share, rims[p.of_b]);
    if (after.is_round) add_weight(after, next.edge, next.from, share, rims[next.of_b]);
  }
}

void add_rim(const Region& r, const Rim& rim, Turns& out) {
  for (int i = 0; r.is_round && i < kEighths; ++i) {
    const RimPoint& point = rim[static_cast<std::size_t>(i)];
    if (!(point.weight > 0.0)) continue;
    const Vec2 mean = (1.0 / point.weight) * point.moment;
    const double kept = std::max(0.0, 1.0 - std::max(0.0, kEighth - point.weight) / kDrawnIn);
    out.add(mean + kept * (r.point(i, r.first(i)) - mean), point.weight);
  }
}

/// How far outlines that do not overlap are apart, at least; exact where neither is tilted.
double separation(const Region& a, const Region& b) {
  double widest = 0.0;
  const auto across = [&](const Vec2& n) {
    widest = std::max(widest, -b.extent(-1.0 * n) - a.extent(n));
  };
  const auto by_sides = [&](const Region& r, double sign) {
    for (int i = 0; !r.is_round && i < 4; ++i) {
      const Vec2 d = r.side(i);
      across((sign / norm(d)) * Vec2{d.y, -d.x});
    }
  };
  by_sides(a, 1.0), by_sides(b, -1.0);
  const auto towards = [&](const Vec2& d) {
    if (norm(d) > 0.0) across((1.0 / norm(d)) * d);
  };
  if (a.is_round && b.is_round) towards(b.c - a.c);
  for (const Vec2& q : b.corner) {
    if (a.is_round && !b.is_round) towards(q - a.c);
  }
  for (const Vec2& q : a.corner) {
    if (b.is_round && !a.is_round) towards(b.c - q);
  }
  return widest;
}

/// Points of an outline: corners of a rectangle, eighths of a circle drawn larger by `factor`.
std::size_t draw(const PlacedSurface& f, const Vec3& other_normal, double factor,
                 std::array<Vec3, kEighths>& out) {
  const Vec3 x = f.X.R.col(0), y = f.X.R.col(1);
  if (f.s.form == SurfaceForm::rectangle) {
    const Vec3 l = f.s.half_length * x, w = f.s.half_width * y;
    const Vec3 order[] = {l + w, w - l, -l - w, l - w};
    for (std::size_t i = 0; i < 4; ++i) out[i] = f.X.p + order[i];
    return 4;
  }
  Vec3 low, side;
  lowest(f, other_normal, low, side);
  for (std::size_t i = 0; i < kEighths; ++i) {
    const double t = kEighth * static_cast<double>(i), r = factor * f.s.radius;
    out[i] = f.X.p + r * (std::cos(t) * low + std::sin(t) * side);
  }
  return kEighths;
}

/// Whether an outline lies above the inside of a flat surface, seen along the bisector.
bool lies_within(std::span<const Vec3> outline, const PlacedSurface& flat, const Vec3& bisector) {
  const Vec3 b = transpose_times(flat.X.R, bisector);
  for (const Vec3& q : outline) {
    const Vec3 p = transpose_times(flat.X.R, q - flat.X.p);
    const double x = p.x - p.z * b.x / b.z, y = p.y - p.z * b.y / b.z;
    const bool inside = flat.s.form == SurfaceForm::circle
                            ? x * x + y * y < flat.s.radius * flat.s.radius
                            : std::abs(x) < flat.s.half_length && std::abs(y) < flat.s.half_width;
    if (!inside) return false;
  }
  return true;
}

/// The whole outline of `inner` presses.
SurfaceContact touch_all(const PlacedSurface& inner, const PlacedSurface& outer, bool inner_is_a,
                         Manifold& out) {
  std::array<Vec3, kEighths> points;
  const std::size_t count = draw(inner, outer.normal(), 1.0, points);
  return touch_within({points.data(), count}, inner, outer, inner_is_a, out);
}

bool touch_inside(const PlacedSurface& inner, const PlacedSurface& outer, const Vec3& bisector,
                  bool inner_is_a, Manifold& out, SurfaceContact& contact) {
  std::array<Vec3, kEighths> points;
  const Vec3 z = outer.normal();
  const std::size_t around = draw(inner, z, kAround, points);
  if (!lies_within({points.data(), around}, outer, bisector)) return false;
  contact = touch_all(inner, outer, inner_is_a, out);
  return true;
}

/// Circles that are one to rounding: which arcs of which bound the area is not decided then.
bool is_one_rim(const PlacedSurface& a, const PlacedSurface& b, const View& view) {
  constexpr double kOneRim = 1e-9;
  if (a.s.form != SurfaceForm::circle || b.s.form != SurfaceForm::circle) return false;
  const double apart = norm(view.along(b.X.p - a.X.p)) + std::abs(a.s.radius - b.s.radius);
  return apart < kOneRim * a.s.radius;
}

}  // namespace

SurfaceContact touch_rounds(const PlacedSurface& a, const PlacedSurface& b, const Vec3& bisector,
                            Manifold& out) {
  SurfaceContact contact;
  if (touch_inside(a, b, bisector, true, out, contact)) return contact;
  if (touch_inside(b, a, bisector, false, out, contact)) return contact;
  const View view(0.5 * (a.X.p + b.X.p), bisector);
  const Vec3 zA = a.normal(), zB = b.normal();
  const Region outline[2] = {see(a, zB, view, false), see(b, zA, view, true)};
  const Region &A = outline[0], &B = outline[1];
  if (is_one_rim(a, b, view)) return touch_all(a, b, true, out);
  Border border;
  Rim rims[2];
  add_pieces(A, B, true, border, rims[0]);
  add_pieces(B, A, false, border, rims[1]);
  const double size = std::min(surface_radius(a.s), surface_radius(b.s));
  if (!(border.area > kNoArea * size * size) || border.count < 2) {
    const double height = std::max(0.0, dot(bisector, b.X.p - a.X.p));
    return apart(a, b, std::max({separation(A, B), height, 1e-12}), out);
  }
  sort_pieces(border);
  const double on_b = blend_normals(border.area, A.area(), B.area(), zA, zB, out);
  Turns turns;
  add_corners_of(border.all(), outline, Bend{view, zA, zB, on_b}, rims, turns);
  add_rim(A, rims[0], turns), add_rim(B, rims[1], turns);
  // Seen from the plane of the other surface a rim turns a little otherwise: in all it is once.
  double once = 0.0;
  for (std::size_t i = 0; i < turns.count; ++i) once += turns.turn[i];
  std::array<Vec3, turns.place.size()> at_a, at_b;
  for (std::size_t i = 0; i < turns.count; ++i) {
    turns.turn[i] *= 2.0 * std::numbers::pi / once;
    const Vec3 q = view.place(turns.place[i]);
    at_a[i] = foot_on(a, q, view), at_b[i] = foot_on(b, q, view);
  }
  const std::size_t n = turns.count;
  add_corners({at_a.data(), n}, {at_b.data(), n}, {turns.turn.data(), n}, a, b, on_b, out);
  return finish_flats(border.area, on_b, out);
}

}  // namespace carom
