#include "carom/verify/own_gaps.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace carom::verify {
namespace {

bool is(const Shape& s, std::string_view kind) { return s.kind->name == kind; }

/// Extent of a bounded shape along the unit d, from its origin; shape axes.
std::optional<double> extent_along(const Shape& s, const Vec3& d) {
  const std::vector<double>& p = s.params;
  const double q = s.edge_radius;
  if (is(s, "sphere")) return p[0];
  if (is(s, "point")) return q;
  if (is(s, "ellipsoid")) return std::hypot(p[0] * d.x, p[1] * d.y, p[2] * d.z);
  if (is(s, "capsule")) return p[0] + 0.5 * p[1] * std::abs(d.x);
  if (is(s, "cylinder")) {  // radius, length; along x
    return (p[0] - q) * std::hypot(d.y, d.z) + (0.5 * p[1] - q) * std::abs(d.x) + q;
  }
  if (is(s, "box")) {
    return (0.5 * p[0] - q) * std::abs(d.x) + (0.5 * p[1] - q) * std::abs(d.y) +
           (0.5 * p[2] - q) * std::abs(d.z) + q;
  }
  return {};
}

/// Half of the line along x that a ball of `radius` covers; a ball has none.
struct Line {
  double half = 0.0, radius = 0.0;
};

std::optional<Line> line_of(const Shape& s) {
  if (is(s, "sphere")) return Line{0.0, s.params[0]};
  if (is(s, "capsule")) return Line{0.5 * s.params[1], s.params[0]};
  return {};
}

double to_plane(const Pose& plane, const Shape& s, const Pose& X) {  // (1)
  const Vec3 n = plane.R.col(2);
  return dot(n, X.p - plane.p) - *extent_along(s, transpose_times(X.R, -n));
}

/// Distance of a point from the line of a shape.
double to_line(const Line& line, const Pose& X, const Vec3& point) {
  const Vec3 r = transpose_times(X.R, point - X.p);
  return std::hypot(r.x - std::clamp(r.x, -line.half, line.half), r.y, r.z);
}

std::optional<double> to_box(const Shape& box, const Pose& X, const Vec3& centre, double radius) {
  const Vec3 r = transpose_times(X.R, centre - X.p);
  double square = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double half = 0.5 * box.params[i] - box.edge_radius;
    const double beyond = std::max(0.0, std::abs(r[i]) - half);
    square += beyond * beyond;
  }
  if (square == 0.0) return {};
  return std::sqrt(square) - box.edge_radius - radius;  // (3)
}

}  // namespace

bool has_own_gap(const Shape& a, const Shape& b) {
  if (is(a, "half_space")) return extent_along(b, {1.0, 0.0, 0.0}).has_value();
  if (is(b, "half_space")) return has_own_gap(b, a);
  if (is(a, "sphere")) return line_of(b) || is(b, "box");
  return is(b, "sphere") && has_own_gap(b, a);
}

std::optional<double> own_gap(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB) {
  if (!has_own_gap(a, b)) return {};
  if (is(a, "half_space")) return to_plane(X_WA, b, X_WB);
  if (is(b, "half_space")) return to_plane(X_WB, a, X_WA);
  if (!is(a, "sphere")) return own_gap(b, X_WB, a, X_WA);
  if (is(b, "box")) return to_box(b, X_WB, X_WA.p, a.params[0]);
  const Line line = *line_of(b);
  return to_line(line, X_WB, X_WA.p) - a.params[0] - line.radius;  // (2)
}

}  // namespace carom::verify
