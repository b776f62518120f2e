#include "carom/proximity/tilt_window.h"

#include <algorithm>
#include <numbers>

namespace carom {
namespace {

constexpr double kPi = std::numbers::pi;

/// Share of the unit disc with u_x < u, and its first moment in u_x.
double share_below(double u) {
  const double v = std::clamp(u, -1.0, 1.0);
  return 0.5 + (v * std::sqrt(1.0 - v * v) + std::asin(v)) / kPi;
}
double moment_below(double u) {
  const double v = std::clamp(u, -1.0, 1.0);
  const double c2 = 1.0 - v * v;
  return -2.0 / (3.0 * kPi) * c2 * std::sqrt(c2);
}

/// Between two directions, which need not be unit vectors.
DiscPart sector(const Vec2& from, const Vec2& to, double turn) {
  const Vec2 a = (1.0 / norm(from)) * from, b = (1.0 / norm(to)) * to;
  return {0.5 * turn, {(b.y - a.y) / 3.0, (a.x - b.x) / 3.0}};
}
DiscPart sector(const Vec2& from, const Vec2& to) { return sector(from, to, angle(from, to)); }
DiscPart triangle(const Vec2& a, const Vec2& b) {
  const double area = 0.5 * cross(a, b);
  return {area, (area / 3.0) * (a + b)};
}
DiscPart operator+(const DiscPart& a, const DiscPart& b) {
  return {a.area + b.area, a.moment + b.moment};
}

/// What the radius vector sweeps of the unit disc along the ray from `apex` along unit `n`.
DiscPart swept(const Vec2& apex, const Vec2& n) {
  const double along = dot(apex, n), off = cross(apex, n);
  const double half_chord2 = 1.0 - off * off;
  if (dot(apex, apex) < 1.0) {
    const Vec2 end = apex + (std::sqrt(half_chord2) - along) * n;
    return triangle(apex, end) + sector(end, n);
  }
  if (half_chord2 <= 0.0 || along >= 0.0) return sector(apex, n);
  const double half_chord = std::sqrt(half_chord2);
  const Vec2 in = apex - (along + half_chord) * n, out = apex + (half_chord - along) * n;
  return sector(apex, in) + triangle(in, out) + sector(out, n);
}

}  // namespace

DiscPart part_in_wedge(const Vec2& apex, const Vec2& from, const Vec2& to, double turn) {
  const DiscPart in = swept(apex, from), out = swept(apex, to), far = sector(from, to, turn);
  return {in.area + far.area - out.area, in.moment + far.moment - out.moment};
}

LineLumps line_lumps(double x0, double x1, double slope, double curvature, double tilt) {
  const double middle = 0.5 * (x0 + x1);
  const double m = slope / tilt, c = curvature / tilt;
  // The tilt that selects x is -m - c x: it falls with x.
  const double at[] = {-m - c * x0, -m - c * middle, -m - c * x1};
  const double below[] = {share_below(at[0]), share_below(at[1]), share_below(at[2])};
  const double ends[] = {1.0 - below[0], below[2]};  // selected by all larger tilts
  const double inner[] = {below[0] - below[1], below[1] - below[2]};
  const double end_x[] = {x0, x1};
  LineLumps out{};
  for (int k = 0; k < 2; ++k) {
    double inner_moment = inner[k] * 0.5 * (end_x[k] + middle);
    if (c * (x1 - x0) > 1e-6) {
      inner_moment = (moment_below(at[k + 1]) - moment_below(at[k]) - m * inner[k]) / c;
    }
    out.weight[k] = ends[k] + inner[k];
    const double moment = ends[k] * end_x[k] + inner_moment;
    out.x[k] = out.weight[k] > 1e-12 ? moment / out.weight[k] : middle;
  }
  return out;
}

}  // namespace carom
