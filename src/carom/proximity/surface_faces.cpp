// Two flat surfaces: rectangles and circles.
//
// Both outlines are projected along the common normal. Each surface brings four points, the
// corners of a rectangle or four points of a circle, the first at its lowest. A point above
// the inside of the other surface stays. One that hangs over is parted between the two places
// where its own outline, followed either way, comes back above the other surface:
//
//   s_1 <- s -> s_2:   weights (s_2 - s) / (s_2 - s_1) and (s - s_1) / (s_2 - s_1)        (1)
//
// with s the length along the outline. For a corner that hangs over one edge by h these are
// the displacements h/|sin phi| and h/|cos phi| of the paper (equation 7), but parallel edges
// need no special case, and nothing jumps when a second corner follows. With l_k the length
// of outline k above the other surface, the four points of surface k count
//
//   l_k / (l_1 + l_2)                                                                   (2)
//
// each, so that the weights add up to 4 whichever surface lies within the other. The common
// normal is that of the surface whose inside is touched,
//
//   n = (l_A (-z_B) + l_B z_A) / |...|                                                  (3)
//
// where l is measured along the bisector of the two normals. A circle is drawn by 16 chords.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/proximity/surface_algorithms.h"
#include "carom/proximity/vec2.h"

namespace carom {
namespace {

constexpr std::size_t kChords = 16;
constexpr double kTurnedAway = -0.1;  ///< cosine of the normals from which flats do not face
constexpr double kNoTilt = 1e-7;      ///< below, a circle's first point lies on its x axis [rad]
constexpr double kSamePlace = 1e-9;   ///< points nearer than this share of the size are one

struct Outline {
  std::size_t count = 0;
  std::array<Vec3, kChords> p;           ///< corners in the world, counter-clockwise about z
  std::array<Vec2, kChords> q;           ///< the same seen along the common normal
  std::array<double, kChords + 1> s;     ///< length of the outline up to a corner
  std::array<double, kChords> from, to;  ///< covered part of each edge, in lengths; none: from > to
  double covered = 0.0;                  ///< l_k
  double area = 0.0;                     ///< its part of the boundary integral
  std::size_t step() const { return count / 4; }  ///< from one of the four points to the next
};

Outline draw(const PlacedSurface& f, const Vec3& other_normal) {
  Outline o;
  const Vec3 x = f.X.R.col(0), y = f.X.R.col(1);
  if (f.s.form == SurfaceForm::rectangle) {
    o.count = 4;
    const Vec3 l = f.s.half_length * x, w = f.s.half_width * y;
    o.p[0] = f.X.p + l + w, o.p[1] = f.X.p - l + w;
    o.p[2] = f.X.p - l - w, o.p[3] = f.X.p + l - w;
    return o;
  }
  o.count = kChords;
  const double u = -dot(other_normal, x) + kNoTilt, v = -dot(other_normal, y);
  const double size = std::hypot(u, v);
  const Vec3 low = size > 0.0 ? (u / size) * x + (v / size) * y : x;
  const Vec3 side = cross(f.normal(), low);
  for (std::size_t i = 0; i < kChords; ++i) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / kChords;
    o.p[i] = f.X.p + f.s.radius * (std::cos(angle) * low + std::sin(angle) * side);
  }
  return o;
}

void project(Outline& o, const Vec3& origin, const Vec3& e1, const Vec3& e2) {
  for (std::size_t i = 0; i < o.count; ++i) {
    const Vec3 d = o.p[i] - origin;
    o.q[i] = {dot(e1, d), dot(e2, d)};
  }
  o.s[0] = 0.0;
  for (std::size_t i = 0; i < o.count; ++i) {
    o.s[i + 1] = o.s[i] + norm(o.q[(i + 1) % o.count] - o.q[i]);
  }
}

/// Parts of the edges of `o` inside `other`, whose corners run counter-clockwise if `way` is
/// +1.
void cover(Outline& o, const Outline& other, double way) {
  o.covered = o.area = 0.0;
  for (std::size_t i = 0; i < o.count; ++i) {
    const Vec2 a = o.q[i], b = o.q[(i + 1) % o.count];
    double t0 = 0.0, t1 = 1.0;
    for (std::size_t j = 0; j < other.count; ++j) {
      const Vec2 c = other.q[j], edge = other.q[(j + 1) % other.count] - c;
      const double fa = way * cross(edge, a - c), fb = way * cross(edge, b - c);
      if (fa < 0.0 && fb < 0.0) t0 = 2.0;
      if (fa < 0.0 && fb >= 0.0) t0 = std::max(t0, fa / (fa - fb));
      if (fb < 0.0 && fa >= 0.0) t1 = std::min(t1, fa / (fa - fb));
    }
    const double length = o.s[i + 1] - o.s[i];
    o.from[i] = o.s[i] + t0 * length, o.to[i] = o.s[i] + t1 * length;
    if (t0 > t1) {
      o.from[i] = 1.0, o.to[i] = 0.0;
      continue;
    }
    o.covered += (t1 - t0) * length;
    o.area += 0.5 * (t1 - t0) * cross(a, b);
  }
}

/// Distance of two outlines that do not overlap, up to the largest gap between an edge line
/// of one and the corners of the other.
double separation(const Outline& o, const Outline& other, double way) {
  double widest = 0.0;
  for (std::size_t j = 0; j < other.count; ++j) {
    const Vec2 c = other.q[j], edge = other.q[(j + 1) % other.count] - c;
    double nearest = -kInf;
    for (std::size_t i = 0; i < o.count; ++i) {
      nearest = std::max(nearest, way * cross(edge, o.q[i] - c));
    }
    widest = std::max(widest, -nearest / norm(edge));
  }
  return widest;
}

Vec3 place_at(const Outline& o, double s) {
  const double total = o.s[o.count];
  if (s >= total) s -= total;
  if (s < 0.0) s += total;
  std::size_t i = 0;
  while (i + 1 < o.count && o.s[i + 1] <= s) ++i;
  const double t = (s - o.s[i]) / (o.s[i + 1] - o.s[i]);
  return o.p[i] + t * (o.p[(i + 1) % o.count] - o.p[i]);
}

/// Where the outline, followed from s forwards, is covered again; a length beyond s.
double next_covered(const Outline& o, std::size_t corner) {
  const double s = o.s[corner], total = o.s[o.count];
  for (std::size_t k = 0; k < o.count; ++k) {
    const std::size_t i = (corner + k) % o.count;
    if (o.from[i] > o.to[i]) continue;
    return (i < corner ? total : 0.0) + o.from[i] - s;
  }
  return 0.0;
}

double last_covered(const Outline& o, std::size_t corner) {
  const double s = o.s[corner], total = o.s[o.count];
  for (std::size_t k = 1; k <= o.count; ++k) {
    const std::size_t i = (corner + o.count - k) % o.count;
    if (o.from[i] > o.to[i]) continue;
    return s - o.to[i] + (i >= corner ? total : 0.0);
  }
  return 0.0;
}

/// Adds points, or weight to one that is there already.
class PointList {
 public:
  PointList(Manifold& out, double size)
      : out_(out), near2_(kSamePlace * kSamePlace * size * size) {}
  /// p lies on A if `on_a`, else on B.
  void add(const Vec3& p, const PlacedSurface& a, const PlacedSurface& b, bool on_a, double weight,
           std::uint32_t feature) {
    if (!(weight > 0.0)) return;
    const Vec3 &n = out_.n_AB_W, zA = a.normal(), zB = b.normal();
    const double phi = on_a ? dot(zB, b.X.p - p) / dot(zB, n) : dot(zA, p - a.X.p) / dot(zA, n);
    const Vec3 middle = p + ((on_a ? 0.5 : -0.5) * phi) * n;
    for (int i = 0; i < out_.count; ++i) {
      ManifoldPoint& known = out_.points[static_cast<std::size_t>(i)];
      const Vec3 known_middle = known.p_WC + ((0.5 - place_between(known)) * known.phi) * n;
      if (norm2(known_middle - middle) > near2_) continue;
      known.p_WC = middle;
      known.weight += weight;
      known.feature = (known.feature & ~kOnSecond) | kMidway;
      return;
    }
    add_point(out_, p, phi, weight, feature | (on_a ? kOnFirst : kOnSecond));
  }

 private:
  Manifold& out_;
  double near2_;
};

void add_points(const Outline& o, const PlacedSurface& a, const PlacedSurface& b, bool on_a,
                double weight, PointList& list) {
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t i = k * o.step();
    const double ahead = next_covered(o, i), behind = last_covered(o, i);
    const auto feature = static_cast<std::uint32_t>((on_a ? 0 : 16) + 4 * k);
    if (!(ahead + behind > 0.0) || ahead == 0.0 || behind == 0.0) {
      list.add(o.p[i], a, b, on_a, weight, feature);
      continue;
    }
    const double share = behind / (ahead + behind);  // (1)
    list.add(place_at(o, o.s[i] - behind), a, b, on_a, (1.0 - share) * weight, feature + 1);
    list.add(place_at(o, o.s[i] + ahead), a, b, on_a, share * weight, feature + 2);
  }
}

/// Lengths of the covered outlines, seen along n.
void compare(Outline& A, Outline& B, const Vec3& origin, const Vec3& n) {
  const Vec3 e1 = any_perpendicular(n), e2 = cross(n, e1);
  project(A, origin, e1, e2);
  project(B, origin, e1, e2);
  cover(A, B, -1.0);  // B faces the other way, so its corners run clockwise
  cover(B, A, 1.0);
}

}  // namespace

SurfaceContact touch_flats(const PlacedSurface& a, const PlacedSurface& b, Manifold& out) {
  const Vec3 zA = a.normal(), zB = b.normal();
  if (dot(zA, zB) > kTurnedAway) {
    return apart(a, b, norm(b.X.p - a.X.p) + surface_radius(a.s), out);
  }
  Outline A = draw(a, zB), B = draw(b, zA);
  const Vec3 origin = 0.5 * (a.X.p + b.X.p);
  compare(A, B, origin, normalized(zA - zB));
  if (A.covered + B.covered > 0.0) {
    out.n_AB_W = normalized(B.covered * zA - A.covered * zB);  // (3)
    compare(A, B, origin, out.n_AB_W);
  }
  const double length = A.covered + B.covered;
  if (!(length > 0.0)) {
    const double gap = std::max(separation(A, B, -1.0), separation(B, A, 1.0));
    const double height = std::max(0.0, dot(normalized(zA - zB), b.X.p - a.X.p));
    return apart(a, b, std::max(std::max(gap, height), 1e-12), out);
  }
  const double size = std::min(surface_radius(a.s), surface_radius(b.s));
  PointList list(out, size);
  add_points(A, a, b, true, A.covered / length, list);  // (2)
  add_points(B, a, b, false, B.covered / length, list);
  out.area = std::min({A.area - B.area, surface_area(a.s), surface_area(b.s)});
  return finish(out, ContactArea::plane);
}

}  // namespace carom
