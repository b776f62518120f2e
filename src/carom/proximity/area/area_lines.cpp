// Lines across the area, for bodies of which one at least is round.
//
// The ends of the area along x are the zeros of m(x) = max over y of u(x, y), the ends of a line
// those of u along it. Both functions are concave: Newton's method from outside comes nearer from
// that side, and quadratically. Where a body ends by a wall along n, u ends before it is zero: the
// lines beside it pass the body by, and halving finds the wall.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/geometry/core_kinds.h"
#include "carom/geometry/superquadric_core.h"
#include "carom/proximity/area/depth_field.h"
#include "carom/proximity/area/face_plane.h"
#include "carom/proximity/area/gauss_rule.h"

namespace carom {
namespace {

/// How well lines know their ends.
struct LineAccuracy {
  /// Ends, to this share of the area's size; u vanishes there, so that integrals do not feel it.
  double end = 1e-11;
  /// Highest points. Where lines are cut, the place matters as such.
  double ridge = 1e-13;
  /// From so many depths outside on Newton's method is trusted.
  double near = std::numeric_limits<double>::infinity();
};
/// Superquadrics are dear to ask, and fall off as a high power beyond the rim, where Newton's
/// method creeps. Depths feel the square of what is missing.
constexpr LineAccuracy kOfSteepBodies{1e-6, 1e-7, 2.0};
constexpr int kMostTrials = 80;

struct PlanePoint {
  double x = 0.0, y = 0.0;
};

/// What the area is bounded by, and so where lines lie across it.
enum class Rim {
  round,  ///< as an ellipse: lengths of lines go as the root of 1 - x²
  any,    ///< round, square or pointed
  flat,   ///< so, and the depth may fall off near it only, as at the edge of a die
  cut,    ///< and the depth has a kink where it is greatest on a line, which is cut there
};

/// A line at x in [-1, 1], and its share of the width 2.
struct AcrossLine {
  double x, weight;
};
/// Exact for the root of 1 - x² times polynomials up to degree 2 n - 1.
AcrossLine chebyshev_line(std::size_t i, int count) {
  const double step = std::numbers::pi / (count + 1);
  const double angle = step * static_cast<double>(i + 1);
  return {std::cos(angle), step * std::sin(angle)};
}
/// x = t (3 - t²)/2: 1 - x is about (1 - t)² at the ends.
AcrossLine squared_line(double t, double weight) {
  return {0.5 * t * (3.0 - t * t), 1.5 * (1.0 - t * t) * weight};
}

/// The highest point of a line across the area.
struct Ridge {
  FieldDepth depth;
  double y = 0.0;
};

class AreaLines {
 public:
  AreaLines(const DepthField& field, double size, bool has_walls, const LineAccuracy& accuracy)
      : field_(field), size_(size), has_walls_(has_walls), accuracy_(accuracy) {}

  /// What bounds the area, if walls along n end it: the farthest points of a body along x.
  void end_at(const PlanePoint& left, const PlanePoint& right) {
    if (left.x > walls_[0].x) walls_[0] = left;
    if (right.x < walls_[1].x) walls_[1] = right;
  }

  /// Finds the ends along x from a point within; false where nothing is left of the area.
  bool enclose(const PlanePoint& within) {
    within_ = within;
    if (has_walls_) within_.y = middle_ = middle_of(within.x, within.y);
    left_ = find_end(-1.0), right_ = find_end(1.0);
    return right_.x - left_.x > 0.0;
  }

  void integrate(int order, Rim rim, AreaPatch& out) const {
    const GaussRule& rule = gauss_rule(order);
    const double middle = 0.5 * (left_.x + right_.x), half = 0.5 * (right_.x - left_.x);
    for (std::size_t i = 0; i < static_cast<std::size_t>(order); ++i) {
      const auto [at, weight] =
          rim == Rim::round ? chebyshev_line(i, order) : squared_line(rule.node[i], rule.weight[i]);
      const double x = middle + half * at, width = half * weight;
      const double inside = chord_at(x);
      const double lower = find_rim(x, inside, -1.0), upper = find_rim(x, inside, 1.0);
      if (rim == Rim::flat) {
        put_crowded_line(x, lower, upper, width, order, out);
        continue;
      }
      if (rim != Rim::cut) {
        put_line(x, lower, upper, width, order, out);
        continue;
      }
      const double ridge = std::clamp(climb(x, inside).y, lower, upper);
      put_line(x, lower, ridge, width, order / 2, out);
      put_line(x, ridge, upper, width, order / 2, out);
    }
  }

 private:
  void put_line(double x, double lower, double upper, double width, int count,
                AreaPatch& out) const {
    const GaussRule& rule = gauss_rule(count);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
      const double y = 0.5 * (lower + upper) + 0.5 * (upper - lower) * rule.node[k];
      put(x, y, width * 0.5 * (upper - lower) * rule.weight[k], out);
    }
  }
  /// Points crowd at the ends of the line.
  void put_crowded_line(double x, double lower, double upper, double width, int count,
                        AreaPatch& out) const {
    const GaussRule& rule = gauss_rule(count);
    const double middle = 0.5 * (lower + upper), half = 0.5 * (upper - lower);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
      const auto [at, weight] = squared_line(rule.node[k], rule.weight[k]);
      put(x, middle + half * at, width * half * weight, out);
    }
  }
  void put(double x, double y, double area, AreaPatch& out) const {
    const FieldDepth d = field_.at(x, y);
    const double u = d.hits ? std::max(0.0, d.u) : 0.0;
    out.points[static_cast<std::size_t>(out.count++)] = {field_.point(x, y, d.middle), u, area};
    out.area += area, out.volume += area * u;
  }

  /// A y within the area, by its convexity.
  double chord_at(double x) const {
    const PlanePoint& end = x < within_.x ? left_ : right_;
    if (end.x == within_.x) return within_.y;
    return within_.y + (end.y - within_.y) * (x - within_.x) / (end.x - within_.x);
  }

  /// max over y of u(x, y), uphill from y. The slope in y falls: its zero is bracketed, then found
  /// by false position (u itself feels only the square of what is missing).
  Ridge climb(double x, double y) const {
    Ridge at{field_.at(x, y), y};
    if (!at.depth.hits || at.depth.uy == 0.0) return at;
    const double sign = at.depth.uy > 0.0 ? 1.0 : -1.0;
    Ridge other = at;
    double step = 1e-3 * size_;
    bool is_bracketed = false;
    for (int i = 0; i < kMostTrials && step > accuracy_.end * size_; ++i) {
      const Ridge next{field_.at(x, at.y + sign * step), at.y + sign * step};
      if (!next.depth.hits) {
        step *= 0.5;
        continue;
      }
      if (next.depth.uy * sign <= 0.0) {
        other = next, is_bracketed = true;
        break;
      }
      at = next, step *= 2.0;
    }
    double weight = 1.0;
    for (int i = 0; is_bracketed && i < kMostTrials; ++i) {
      if (std::abs(other.y - at.y) < accuracy_.ridge * size_ || other.depth.uy == 0.0) break;
      double y_next =
          at.y + (other.y - at.y) * at.depth.uy / (at.depth.uy - weight * other.depth.uy);
      if (!(std::abs(y_next - at.y) < std::abs(other.y - at.y))) y_next = 0.5 * (at.y + other.y);
      if (i % 6 == 5) y_next = 0.5 * (at.y + other.y);  // kinks
      const Ridge next{field_.at(x, y_next), y_next};
      if (!next.depth.hits) break;
      if (next.depth.uy * sign > 0.0) {
        at = next, weight = 0.5;
      } else {
        other = next, weight = 1.0;
      }
    }
    return other.depth.hits && other.depth.u > at.depth.u ? other : at;
  }

  /// The middle of the line at x, which a y of it is known of.
  double middle_of(double x, double y) const {
    return 0.5 * (find_rim(x, y, -1.0) + find_rim(x, y, 1.0));
  }

  /// The highest point at x, from the line of a place inside. Where its own highest point was at a
  /// wall, the wall may have come nearer: middles of lines are on a line, or nearly.
  Ridge reach_out(double x, const PlanePoint& in, double y) const {
    Ridge ridge = climb(x, y);
    if (ridge.depth.hits) return ridge;
    const double middle = middle_of(in.x, in.y);
    const double slope = in.x != within_.x ? (middle - middle_) / (in.x - within_.x) : 0.0;
    for (const double guess : {middle + slope * (x - in.x), middle}) {
      ridge = climb(x, guess);
      if (ridge.depth.hits) return ridge;
    }
    return ridge;
  }

  /// The end of the area along x: inside is where m > 0, outside where it is not.
  PlanePoint find_end(double sign) const {
    const PlanePoint& wall = walls_[sign > 0.0];
    if (has_walls_ && std::isfinite(wall.x)) {
      const double x = wall.x - sign * accuracy_.end * size_;
      const FieldDepth d = field_.at(x, wall.y);
      if (d.hits && d.u > 0.0 && sign * (x - within_.x) > 0.0) return {x, wall.y};
    }
    PlanePoint in = within_;
    double out = in.x + sign * 2.5 * size_;
    double y_out = in.y;
    // Outwards by steps that grow, until the area is left.
    Ridge beyond = climb(in.x, in.y);
    in.y = beyond.y;
    const double highest = beyond.depth.u;
    double step = 0.5 * std::sqrt(std::max(beyond.depth.u, 0.0) * size_);
    for (int i = 0; i < kMostTrials; ++i) {
      const double x = in.x + sign * step;
      if (sign * (x - out) >= 0.0) break;
      beyond = reach_out(x, in, in.y);
      if (!beyond.depth.hits || !(beyond.depth.u > 0.0)) {
        out = x, y_out = beyond.depth.hits ? beyond.y : in.y;
        break;
      }
      in = {x, beyond.y}, step *= 2.0;
    }
    for (int i = 0; i < kMostTrials && std::abs(out - in.x) > accuracy_.end * size_of(in.x, out);
         ++i) {
      double x = 0.5 * (in.x + out);
      const bool is_near = beyond.depth.u > -accuracy_.near * highest;
      if (is_near && beyond.depth.hits && beyond.depth.ux * sign < 0.0) {
        const double newton = out - beyond.depth.u / beyond.depth.ux;
        if (sign * (newton - in.x) > 0.0 && sign * (out - newton) >= 0.0) x = newton;
        if (std::abs(x - out) <= accuracy_.end * size_of(in.x, out)) return {x, y_out};
      }
      const Ridge next = reach_out(x, in, in.y + (y_out - in.y) * (x - in.x) / (out - in.x));
      if (next.depth.hits && next.depth.u > 0.0) {
        in = {x, next.y};
      } else {
        out = x, beyond = next;
        y_out = next.depth.hits ? next.y : in.y;
      }
    }
    return in;
  }

  double size_of(double in, double out) const {
    return std::max({std::abs(in - within_.x), std::abs(out - within_.x), 1e-9 * size_});
  }

  /// Where the line at x leaves the area, from a y inside it.
  double find_rim(double x, double y, double sign) const {
    FieldDepth start = field_.at(x, y);
    double in = y, out = y;
    double step = 0.5 * std::sqrt(std::max(start.hits ? start.u : 0.0, 0.0) * size_);
    if (!(step > 0.0)) return y;
    FieldDepth beyond;
    for (int i = 0; i < kMostTrials; ++i) {
      out = in + sign * step;
      beyond = field_.at(x, out);
      if (!beyond.hits || !(beyond.u > 0.0)) break;
      in = out, step *= 2.0;
    }
    for (int i = 0; i < kMostTrials; ++i) {
      const double scale = std::max(std::abs(out - y), 1e-9 * size_);
      if (std::abs(out - in) <= accuracy_.end * scale) break;
      double next = 0.5 * (in + out);
      const bool is_near = beyond.u > -accuracy_.near * start.u;
      if (is_near && beyond.hits && beyond.uy * sign < 0.0) {
        const double newton = out - beyond.u / beyond.uy;
        if (sign * (newton - in) > 0.0 && sign * (out - newton) >= 0.0) next = newton;
        if (std::abs(next - out) <= accuracy_.end * scale) return next;
      }
      const FieldDepth there = field_.at(x, next);
      if (there.hits && there.u > 0.0) {
        in = next;
      } else {
        out = next, beyond = there;
      }
    }
    return in;
  }

  const DepthField& field_;
  double size_;
  bool has_walls_;
  LineAccuracy accuracy_;
  double middle_ = 0.0;  ///< of the line through `within_`
  PlanePoint within_, left_, right_;
  PlanePoint walls_[2] = {{-std::numeric_limits<double>::infinity(), 0.0},
                          {std::numeric_limits<double>::infinity(), 0.0}};
};

/// A round side that ends at flat faces: along its axis the depth has a kink where they meet.
bool is_cut(const Core& c) {
  return c.kind == &core_cylinder || c.kind == &core_frustum || c.kind == &core_stadium;
}
Vec3 axis_of(const AreaBody& body) {
  return body.X_WS.R.col(body.core.kind == &core_stadium ? 2 : 0);
}
/// A direction of the body across its axis.
Vec3 fixed_across_axis(const AreaBody& body) {
  return body.X_WS.R.col(body.core.kind == &core_stadium ? 0 : 1);
}

Rim rim_of(const Core& a, const Core& b) {
  if (is_cut(a) || is_cut(b)) return Rim::cut;
  if (a.kind == &core_superquadric || b.kind == &core_superquadric) return Rim::flat;
  return a.kind == &core_segment || b.kind == &core_segment ? Rim::any : Rim::round;
}

bool is_steep(const Core& c) { return c.kind == &core_superquadric; }

bool is_round(const Core& c) {
  return c.kind == &core_point || c.kind == &core_segment || c.kind == &core_ellipsoid ||
         c.kind == &core_half_space;
}

/// Balls, ellipsoids and planes: areas of two of these are ellipses, all but.
bool has_round_rim(const Core& c) { return is_round(c) && c.kind != &core_segment; }

/// The direction along which the lines of a body should lie, in the world; zero: any. Along the
/// axis of round bodies, so that every line meets their edge once; across the edges of boxes.
Vec3 line_direction(const AreaBody& body, const Vec3& n) {
  const Core& c = body.core;
  if (c.kind == &core_segment) return body.X_WS.R * normalized(c.v[1]);
  if (is_cut(c)) return axis_of(body);
  if (c.kind == &core_superquadric) {
    // One axis for as long as it lies across n: lines that turn from pose to pose make forces
    // rough.
    constexpr double kAcross = 0.8;
    return std::abs(dot(body.X_WS.R.col(0), n)) < kAcross ? body.X_WS.R.col(0) : body.X_WS.R.col(1);
  }
  if (c.kind != &core_box) return {};
  std::size_t most = 0;  // most across n
  for (std::size_t i = 1; i < 3; ++i) {
    if (std::abs(dot(body.X_WS.R.col(i), n)) < std::abs(dot(body.X_WS.R.col(most), n))) most = i;
  }
  return cross(body.X_WS.R.col(most), n);
}

/// The direction across the lines.
Vec3 choose_direction(const AreaBody& A, const AreaBody& B, const Contact& contact) {
  constexpr double kLost = 1e-9;
  const Vec3& n = contact.n_AB_W;
  const bool a_is_box = A.core.kind == &core_box;
  for (const AreaBody* body : {a_is_box ? &B : &A, a_is_box ? &A : &B}) {
    const Vec3 along = line_direction(*body, n), across = cross(along, n);
    // A face that is wholly in the other body has no lowest place to look for.
    const double whole = is_cut(body->core) ? -0.5 * contact.phi / body->reach : 0.0;
    if (norm(across) > std::max(kLost, whole)) return normalized(across);
  }
  // Upright round bodies: lines go round with them. The main curvatures of flat faces have no
  // direction, and lines that turned from one evaluation to the next would make forces rough.
  for (const AreaBody* body : {&A, &B}) {
    if (is_cut(body->core)) return normalized(cross(n, cross(fixed_across_axis(*body), n)));
  }
  const Vec3 main = contact.k1_direction_W - dot(contact.k1_direction_W, n) * n;
  return norm(main) > 0.5 ? normalized(main) : any_perpendicular(n);
}

/// A place well within the area. The deepest point may lie on its rim, where a wall along n ends a
/// body: towards the centres of the bodies is inside.
bool find_within(const DepthField& field, const AreaBody& A, const AreaBody& B, double depth,
                 PlanePoint& out) {
  constexpr double kWell = 0.3;
  const auto place = [&](const AreaBody& body) -> PlanePoint {
    if (!std::isfinite(body.reach)) return {};
    const Vec3 r = body.X_WS * body.centre - field.o_W;
    return {dot(r, field.e1_W), dot(r, field.e2_W)};
  };
  const PlanePoint a = place(A), b = place(B);
  const PlanePoint towards[] = {{}, b, a, {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)}};
  double best = 0.0;
  for (double share = 0.25; share > 1e-7; share *= 0.5) {
    for (const PlanePoint& target : towards) {
      const PlanePoint p{share * target.x, share * target.y};
      const FieldDepth d = field.at(p.x, p.y);
      if (d.hits && d.u > best) best = d.u, out = p;
    }
    if (best > kWell * depth) return true;
  }
  return best > 0.0;
}

}  // namespace

void integrate_lines(const AreaBody& A, const AreaBody& B, const Contact& contact, int order,
                     AreaPatch& out) {
  const DepthField field(A, B, contact, choose_direction(A, B, contact));
  const double size = std::min(A.reach, B.reach);
  PlanePoint within;
  if (!find_within(field, A, B, -contact.phi, within)) return;
  const Rim rim = rim_of(A.core, B.core);
  AreaLines lines(field, size, !is_round(A.core) || !is_round(B.core),
                  is_steep(A.core) || is_steep(B.core) ? kOfSteepBodies : LineAccuracy());
  for (const AreaBody* body : {&A, &B}) {
    if (!std::isfinite(body->reach)) continue;
    const auto farthest = [&](double sign) -> PlanePoint {
      const Vec3 along = transpose_times(body->X_WS.R, sign * field.e1_W);
      const Vec3 r = body->X_WS * surface_point(body->core, along) - field.o_W;
      return {dot(r, field.e1_W), dot(r, field.e2_W)};
    };
    lines.end_at(farthest(-1.0), farthest(1.0));
  }
  if (lines.enclose(within)) lines.integrate(order, rim, out);
}

namespace {

void integrate(const AreaBody& A, const AreaBody& B, const Contact& contact, int order,
               std::span<const AreaRival> rivals, AreaPatch& out) {
  const bool are_rays = A.smooth || B.smooth || (has_round_rim(A.core) && has_round_rim(B.core));
  if (are_rays) return integrate_rays(A, B, contact, order, rivals, out);
  if (has_flat_faces(A.core) && has_flat_faces(B.core)) return integrate_faces(A, B, contact, out);
  if (integrate_ruled(A, B, contact, order, out)) return;
  integrate_lines(A, B, contact, order, out);
}

}  // namespace

void find_area(const AreaBody& A, const AreaBody& B, const Contact& contact, int order,
               AreaPatch& out, std::span<const AreaRival> rivals) {
  out.count = 0, out.area = out.volume = 0.0;
  out.has_normals = false;
  if (!(contact.phi < 0.0)) return;
  const int lines = std::min(order, 8);
  if (A.smooth || B.smooth || (has_flat_faces(A.core) && has_flat_faces(B.core))) {
    return integrate(A, B, contact, lines, rivals, out);
  }
  Core plane;
  plane.kind = &core_half_space;
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  if (const auto below = half_space_under(A, contact.n_AB_W, B)) {
    return integrate({plane, *below, {}, kEndless}, B, contact, lines, rivals, out);
  }
  if (const auto below = half_space_under(B, -contact.n_AB_W, A)) {
    return integrate(A, {plane, *below, {}, kEndless}, contact, lines, rivals, out);
  }
  integrate(A, B, contact, lines, rivals, out);
}

}  // namespace carom
