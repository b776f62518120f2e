// A line and a convex body have an interval in common, which is where all the conditions hold that
// bound the body: slabs, quadrics, planes. Bodies that are hulls of two round ones are left where
// the last of their parts is.
#include "carom/proximity/area/line_exit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/core_kinds.h"
#include "carom/geometry/superquadric_core.h"

namespace carom {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

/// The part of a line that is inside, and the normal where it ends.
struct LineChord {
  double entry = -kEndless, exit = kEndless;
  Vec3 normal;

  bool is_empty() const { return !(entry <= exit); }
  void clear() { entry = kEndless, exit = -kEndless; }
  /// What is inside of normal.x <= offset, too.
  void cut(const Vec3& n, double offset, const Vec3& p, const Vec3& d) {
    const double speed = dot(n, d), left = offset - dot(n, p);
    if (speed > 0.0) {
      if (left < exit * speed) exit = left / speed, normal = n;
    } else if (speed < 0.0) {
      entry = std::max(entry, left / speed);
    } else if (left < 0.0) {
      clear();
    }
  }
};

Vec3 axis_direction(std::size_t axis, double sign) {
  Vec3 e;
  e[axis] = sign;
  return e;
}

void cut_slab(std::size_t axis, double half, const Vec3& p, const Vec3& d, LineChord& chord) {
  chord.cut(axis_direction(axis, 1.0), half, p, d);
  chord.cut(axis_direction(axis, -1.0), half, p, d);
}

/// A disc of radius r about the origin of the plane of the axes i and k, and all above and below.
struct RoundChord {
  bool hits = false;
  bool is_along = false;  ///< the line is across the plane: inside everywhere
  double entry = 0.0, exit = 0.0;
};

RoundChord meet_round(double pi, double pk, double di, double dk, double r) {
  const double a = di * di + dk * dk;
  constexpr double kAlong = 1e-30;
  if (a < kAlong) return {pi * pi + pk * pk <= r * r, true, -kEndless, kEndless};
  const double lever = (pi * dk - pk * di) / std::sqrt(a);
  const double left = r * r - lever * lever;
  if (left < 0.0) return {};
  const double middle = -(pi * di + pk * dk) / a, half = std::sqrt(left / a);
  return {true, false, middle - half, middle + half};
}

bool take_exit(const LineChord& chord, LineExit& out) {
  if (chord.is_empty() || !std::isfinite(chord.exit)) return false;
  out = {chord.exit, chord.normal};
  return true;
}

bool leave_ball(const Vec3& centre, double r, const Vec3& p, const Vec3& d, LineExit& out) {
  const Vec3 q = p - centre;
  const double along = dot(q, d);
  const double left = r * r - norm2(q - along * d);
  if (left < 0.0) return false;
  const double t = -along + std::sqrt(left);
  out = {t, (q + t * d) / r};
  return true;
}

bool leave_ellipsoid(const Vec3& a, const Vec3& p, const Vec3& d, LineExit& out) {
  const Vec3 q{p.x / a.x, p.y / a.y, p.z / a.z}, e{d.x / a.x, d.y / a.y, d.z / a.z};
  const double e2 = norm2(e), along = dot(q, e) / e2;
  const double left = 1.0 - norm2(q - along * e);
  if (left < 0.0) return false;
  const double t = -along + std::sqrt(left / e2);
  const Vec3 s = q + t * e;
  out = {t, normalized(Vec3{s.x / a.x, s.y / a.y, s.z / a.z})};
  return true;
}

bool leave_capsule(const Core& c, const Vec3& p, const Vec3& d, LineExit& out) {
  const double r = c.rounding, half = norm(c.v[1]);
  bool hits = false;
  out.t = -kEndless;
  LineExit end;
  for (const double sign : {-1.0, 1.0}) {
    if (leave_ball(c.v[0] + sign * c.v[1], r, p, d, end) && end.t > out.t) out = end, hits = true;
  }
  if (!(half > 0.0)) return hits;
  const Vec3 axis = c.v[1] / half, q = p - c.v[0];
  const Vec3 q_across = q - dot(q, axis) * axis, d_across = d - dot(d, axis) * axis;
  const double a = norm2(d_across);
  if (a < 1e-30) return hits;  // along the axis: an end is the exit
  const double middle = -dot(q_across, d_across) / a;
  const double left = r * r - norm2(q_across + middle * d_across);
  if (left < 0.0) return hits;
  const double t = middle + std::sqrt(left / a);
  if (t > out.t && std::abs(dot(q + t * d, axis)) <= half) {
    out = {t, (q_across + t * d_across) / r};
    hits = true;
  }
  return hits;
}

bool leave_cylinder(const Core& c, const Vec3& p, const Vec3& d, LineExit& out) {
  const double r = c.v[0].y;
  LineChord chord;
  cut_slab(0, c.v[0].x, p, d, chord);
  const RoundChord round = meet_round(p.y, p.z, d.y, d.z, r);
  if (!round.hits) return false;
  chord.entry = std::max(chord.entry, round.entry);
  if (round.exit < chord.exit) {
    chord.exit = round.exit;
    const Vec3 x = p + round.exit * d;
    chord.normal = {0.0, x.y / r, x.z / r};
  }
  return take_exit(chord, out);
}

/// A plate that is the hull of two discs: the last of these and of the rectangle between them.
bool leave_stadium(const Core& c, const Vec3& p, const Vec3& d, LineExit& out) {
  const double half = c.v[0].x, r = c.v[0].y;
  LineChord plate, round, between;
  cut_slab(2, c.v[0].z, p, d, plate);
  round.clear();
  for (const double x : {-half, half}) {
    const RoundChord end = meet_round(p.x - x, p.y, d.x, d.y, r);
    if (!end.hits) continue;
    round.entry = std::min(round.entry, end.entry);
    if (!(end.exit > round.exit)) continue;
    round.exit = end.exit;
    const Vec3 q = p + end.exit * d;
    if (!end.is_along) round.normal = {(q.x - x) / r, q.y / r, 0.0};
  }
  cut_slab(0, half, p, d, between), cut_slab(1, r, p, d, between);
  if (!between.is_empty()) {
    round.entry = std::min(round.entry, between.entry);
    if (between.exit > round.exit) round.exit = between.exit, round.normal = between.normal;
  }
  if (round.is_empty()) return false;
  plate.entry = std::max(plate.entry, round.entry);
  if (round.exit < plate.exit) plate.exit = round.exit, plate.normal = round.normal;
  return take_exit(plate, out);
}

/// Inside r(x)² - y² - z² >= 0 between the discs, r(x) linear: alpha t² + 2 beta t + gamma >= 0.
bool leave_frustum(const Core& c, const Vec3& p, const Vec3& d, LineExit& out) {
  const double x0 = c.v[0].x, r0 = c.v[0].y, slope = (c.v[1].y - r0) / (c.v[1].x - x0);
  LineChord chord;
  chord.cut({1.0, 0.0, 0.0}, std::max(x0, c.v[1].x), p, d);
  chord.cut({-1.0, 0.0, 0.0}, -std::min(x0, c.v[1].x), p, d);
  const double r = r0 + slope * (p.x - x0), dr = slope * d.x;
  const double alpha = dr * dr - d.y * d.y - d.z * d.z;
  const double beta = r * dr - p.y * d.y - p.z * d.z;
  const double gamma = r * r - p.y * p.y - p.z * p.z;
  const double root2 = beta * beta - alpha * gamma;
  double lower = -kEndless, upper = kEndless;
  if (alpha < 0.0) {
    if (root2 < 0.0) return false;
    const double root = std::sqrt(root2);
    lower = (-beta + root) / alpha, upper = (-beta - root) / alpha;
  } else if (root2 >= 0.0 && alpha > 0.0) {
    // The line leaves the other half of the double cone before it enters this one, or after.
    const double root = std::sqrt(root2);
    (dr > 0.0 ? lower : upper) = dr > 0.0 ? (-beta + root) / alpha : (-beta - root) / alpha;
  } else if (alpha == 0.0 && beta != 0.0) {
    (beta > 0.0 ? lower : upper) = -0.5 * gamma / beta;
  }
  chord.entry = std::max(chord.entry, lower);
  if (upper < chord.exit) {
    chord.exit = upper;
    const Vec3 x = p + upper * d;
    const double rho = std::hypot(x.y, x.z);
    chord.normal = rho > 0.0 ? normalized(Vec3{-slope, x.y / rho, x.z / rho}) : d;
  }
  return take_exit(chord, out);
}

/// The norm of a superquadric is convex along the line: Newton's method from where the line leaves
/// the box around the body, which is outside, comes nearer from that side. So it does from anywhere
/// that the norm grows, but for the first step, and a neighbour's exit is nearer than the box.
bool leave_superquadric(const Core& c, const Vec3& p, const Vec3& d, double guess, LineExit& out) {
  constexpr int kMostSteps = 60;
  constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
  LineChord box;
  for (std::size_t i = 0; i < 3; ++i) cut_slab(i, c.v[0][i], p, d, box);
  if (box.is_empty()) return false;
  bool is_guess = guess > box.entry && guess < box.exit;
  double t = is_guess ? guess : box.exit;
  for (int i = 0; i < kMostSteps; ++i) {
    const SuperquadricGauge g = superquadric_gauge(c, p + t * d, false);
    const double slope = dot(g.gradient, d), over = g.value - 1.0;
    if (is_guess) {
      is_guess = false;
      const bool leads_out = slope > 0.0 && t - over / slope < box.exit;
      if (!leads_out) t = box.exit;
      if (!leads_out || over < -kRounding) {
        if (leads_out) t -= over / slope;
        continue;
      }
    }
    out = {t, g.gradient};
    if (over <= kRounding) break;
    if (!(slope > 0.0)) return false;  // past the least value, which is outside
    const double next = t - over / slope;
    if (!(next < t)) break;
    t = next;
  }
  if (!(out.t >= box.entry)) return false;
  out.normal = normalized(out.normal);
  return true;
}

bool leave_simplex(const Core& c, const Vec3& p, const Vec3& d, LineExit& out) {
  LineChord chord;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 &a = c.v[(i + 1) % 4], &b = c.v[(i + 2) % 4], &e = c.v[(i + 3) % 4];
    Vec3 n = normalized(cross(b - a, e - a));
    if (dot(n, c.v[i] - a) > 0.0) n = -n;
    chord.cut(n, dot(n, a), p, d);
  }
  return take_exit(chord, out);
}

}  // namespace

bool find_exit(const Core& core, const Vec3& p, const Vec3& d, LineExit& out, double guess) {
  if (core.kind == &core_point) return leave_ball(core.v[0], core.rounding, p, d, out);
  if (core.kind == &core_ellipsoid) return leave_ellipsoid(core.v[0], p, d, out);
  if (core.kind == &core_superquadric) return leave_superquadric(core, p, d, guess, out);
  if (core.kind == &core_segment) return leave_capsule(core, p, d, out);
  if (core.kind == &core_cylinder) return leave_cylinder(core, p, d, out);
  if (core.kind == &core_frustum) return leave_frustum(core, p, d, out);
  if (core.kind == &core_stadium) return leave_stadium(core, p, d, out);
  if (core.kind == &core_simplex) return leave_simplex(core, p, d, out);
  LineChord chord;
  if (core.kind == &core_half_space) {
    chord.cut({0.0, 0.0, 1.0}, 0.0, p, d);
  } else if (core.kind == &core_box) {
    for (std::size_t i = 0; i < 3; ++i) cut_slab(i, core.v[0][i], p, d, chord);
  } else if (core.kind == &core_polytope) {
    for (const PolytopeFace& f : PolytopeCore::polytope(core).faces) {
      chord.cut(f.normal, f.offset, p, d);
    }
  }
  return take_exit(chord, out);
}

bool knows_exits(const Core& core) {
  if (core.kind == &core_point || core.kind == &core_segment) return core.rounding > 0.0;
  if (core.kind == &core_custom || core.rounding > 0.0) return false;
  if (core.kind == &core_simplex) return core.count == 4;
  if (core.kind == &core_polytope) return PolytopeCore::polytope(core).dimension == 3;
  return true;
}

}  // namespace carom
