// Lines across the area, for superquadrics on bodies without edges.
//
// Their rims are smooth and their faces flat but for a strip at the rim, where points crowd: few
// points do, always the same ones, so that forces are as smooth as the pose (area_convex.cpp would
// cost ten times as much there).
//
// The ends of the area along x are the zeros of m(x) = max over y of u(x, y), the ends of a line
// those of u along it. Both functions are concave: Newton's method from outside comes nearer from
// that side, and quadratically. Where a body ends by a wall along n, u ends before it is zero: the
// lines beside it pass the body by, and halving finds the wall.
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/core_kinds.h"
#include "carom/geometry/superquadric_core.h"
#include "carom/proximity/area/depth_field.h"
#include "carom/proximity/area/gauss_rule.h"

namespace carom {
namespace {

// Superquadrics are dear to ask, and fall off as a high power beyond the rim, where Newton's method
// creeps: it is trusted from so many depths outside on.
constexpr double kNear = 2.0;
/// Ends and highest points of lines, to these shares of the area's size: integrals feel the square
/// of what is missing.
constexpr double kEnd = 1e-6, kRidge = 1e-7;
constexpr int kMostTrials = 80;

struct PlanePoint {
  double x = 0.0, y = 0.0;
};

/// A line at x in [-1, 1], and its share of the width 2.
struct AcrossLine {
  double x, weight;
};
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
  AreaLines(const DepthField& field, double size) : field_(field), size_(size) {}

  /// What bounds the area, if walls along n end it: the farthest points of a body along x.
  void end_at(const PlanePoint& left, const PlanePoint& right) {
    if (left.x > walls_[0].x) walls_[0] = left;
    if (right.x < walls_[1].x) walls_[1] = right;
  }

  /// Finds the ends along x from a point within; false where nothing is left of the area.
  bool enclose(const PlanePoint& within) {
    within_ = within;
    within_.y = middle_ = middle_of(within.x, within.y);
    left_ = find_end(-1.0), right_ = find_end(1.0);
    return right_.x - left_.x > 0.0;
  }

  void integrate(int order, AreaPatch& out) const {
    const GaussRule& rule = gauss_rule(order);
    const double middle = 0.5 * (left_.x + right_.x), half = 0.5 * (right_.x - left_.x);
    for (std::size_t i = 0; i < static_cast<std::size_t>(order); ++i) {
      const auto [at, weight] = squared_line(rule.node[i], rule.weight[i]);
      const double x = middle + half * at;
      const double inside = chord_at(x);
      put_line(x, find_rim(x, inside, -1.0), find_rim(x, inside, 1.0), half * weight, order, out);
    }
  }

 private:
  /// Points crowd at the ends of the line.
  void put_line(double x, double lower, double upper, double width, int count,
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
    for (int i = 0; i < kMostTrials && step > kEnd * size_; ++i) {
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
      if (std::abs(other.y - at.y) < kRidge * size_ || other.depth.uy == 0.0) break;
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
    if (std::isfinite(wall.x)) {
      const double x = wall.x - sign * kEnd * size_;
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
    for (int i = 0; i < kMostTrials && std::abs(out - in.x) > kEnd * size_of(in.x, out); ++i) {
      double x = 0.5 * (in.x + out);
      const bool is_near = beyond.depth.u > -kNear * highest;
      if (is_near && beyond.depth.hits && beyond.depth.ux * sign < 0.0) {
        const double newton = out - beyond.depth.u / beyond.depth.ux;
        if (sign * (newton - in.x) > 0.0 && sign * (out - newton) >= 0.0) x = newton;
        if (std::abs(x - out) <= kEnd * size_of(in.x, out)) return {x, y_out};
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
      if (std::abs(out - in) <= kEnd * scale) break;
      double next = 0.5 * (in + out);
      const bool is_near = beyond.u > -kNear * start.u;
      if (is_near && beyond.hits && beyond.uy * sign < 0.0) {
        const double newton = out - beyond.u / beyond.uy;
        if (sign * (newton - in) > 0.0 && sign * (out - newton) >= 0.0) next = newton;
        if (std::abs(next - out) <= kEnd * scale) return next;
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
  double middle_ = 0.0;  ///< of the line through `within_`
  PlanePoint within_, left_, right_;
  PlanePoint walls_[2] = {{-std::numeric_limits<double>::infinity(), 0.0},
                          {std::numeric_limits<double>::infinity(), 0.0}};
};

/// The direction across the lines: across one axis of a superquadric for as long as that lies
/// across n, since lines that turned from pose to pose would make forces rough.
Vec3 choose_direction(const AreaBody& A, const AreaBody& B, const Contact& contact) {
  constexpr double kAcross = 0.8;
  const Vec3& n = contact.n_AB_W;
  const Mat3& R = (A.core.kind == &core_superquadric ? A : B).X_WS.R;
  return normalized(cross(std::abs(dot(R.col(0), n)) < kAcross ? R.col(0) : R.col(1), n));
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
  AreaLines lines(field, size);
  for (const AreaBody* body : {&A, &B}) {
    if (!std::isfinite(body->reach)) continue;
    const auto farthest = [&](double sign) -> PlanePoint {
      const Vec3 along = transpose_times(body->X_WS.R, sign * field.e1_W);
      const Vec3 r = body->X_WS * surface_point(body->core, along) - field.o_W;
      return {dot(r, field.e1_W), dot(r, field.e2_W)};
    };
    lines.end_at(farthest(-1.0), farthest(1.0));
  }
  if (lines.enclose(within)) lines.integrate(order, out);
}

}  // namespace carom
