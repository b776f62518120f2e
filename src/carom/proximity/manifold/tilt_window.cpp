#include "carom/proximity/manifold/tilt_window.h"

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

DiscPart sector_to(const Vec2& from, const Vec2& n) {
  return sector((1.0 / norm(from)) * from, n, angle(from, n));
}
DiscPart triangle(const Vec2& a, const Vec2& b) {
  const double area = 0.5 * cross(a, b);
  return {area, (area / 3.0) * (a + b)};
}

}  // namespace

DiscPart sector(const Vec2& a, const Vec2& b, double turn) {
  return {0.5 * turn, {(b.y - a.y) / 3.0, (a.x - b.x) / 3.0}};
}

DiscPart swept(const Vec2& apex, const Vec2& n) {
  const double along = dot(apex, n), off = cross(apex, n);
  const double half_chord2 = 1.0 - off * off;
  if (dot(apex, apex) < 1.0) {
    const Vec2 end = apex + (std::sqrt(half_chord2) - along) * n;
    return triangle(apex, end) + sector_to(end, n);
  }
  if (half_chord2 <= 0.0 || along >= 0.0) return sector_to(apex, n);
  const double half_chord = std::sqrt(half_chord2);
  const Vec2 in = apex - (along + half_chord) * n, out = apex + (half_chord - along) * n;
  return sector_to(apex, in) + triangle(in, out) + sector_to(out, n);
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
