#include "carom/verify/own_touch.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace carom::verify {
namespace {

bool is_kind(const Shape& s, std::string_view kind) { return s.kind->name == kind; }

/// The points that may be lowest along the unit n, on the surface.
std::vector<Vec3> low_points(const Shape& s, const Pose& X, const Vec3& n) {
  const std::vector<double>& p = s.params;
  const double q = s.edge_radius;
  if (is_kind(s, "sphere")) return {X.p - p[0] * n};
  if (is_kind(s, "point")) return {X.p - q * n};
  if (is_kind(s, "ellipsoid")) {
    const Vec3 d = transpose_times(X.R, n), r{p[0] * d.x, p[1] * d.y, p[2] * d.z};
    const double size = norm(r);
    return {X * (Vec3{p[0] * r.x, p[1] * r.y, p[2] * r.z} / -size)};
  }
  if (is_kind(s, "capsule")) {
    const Vec3 along = (0.5 * p[1]) * X.R.col(0);
    return {X.p + along - p[0] * n, X.p - along - p[0] * n};
  }
  if (!is_kind(s, "box")) return {};
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k) {
    const auto half = [&](int axis) {
      return ((k >> axis & 1) ? 1.0 : -1.0) * (0.5 * p[static_cast<std::size_t>(axis)] - q);
    };
    corners.push_back(X * Vec3{half(0), half(1), half(2)} - q * n);
  }
  return corners;
}

std::optional<OwnTouch> on_plane(const Pose& plane, const Shape& s, const Pose& X,
                                 double together) {  // (1)
  const Vec3 n = plane.R.col(2);
  OwnTouch out;
  out.normal = n, out.gap = kInf;
  const std::vector<Vec3> all = low_points(s, X, n);
  for (const Vec3& p : all) out.gap = std::min(out.gap, dot(n, p - plane.p));
  for (const Vec3& p : all) {
    if (dot(n, p - plane.p) <= out.gap + together) out.points.push_back(p);
  }
  out.is_one = all.size() == 1;
  if (all.empty()) return {};
  return out;
}

/// The point of a shape's core nearest to c, and the radius around the core.
struct Core {
  Vec3 point;
  double radius = 0.0;
};

std::optional<Core> core_near(const Shape& s, const Pose& X, const Vec3& c) {
  const Vec3 r = transpose_times(X.R, c - X.p);
  const std::vector<double>& p = s.params;
  if (is_kind(s, "sphere")) return Core{X.p, p[0]};
  if (is_kind(s, "capsule")) {
    return Core{X * Vec3{std::clamp(r.x, -0.5 * p[1], 0.5 * p[1]), 0.0, 0.0}, p[0]};
  }
  if (!is_kind(s, "box")) return {};
  Vec3 clamped = r;
  for (std::size_t i = 0; i < 3; ++i) {
    const double half = 0.5 * p[i] - s.edge_radius;
    clamped[i] = std::clamp(r[i], -half, half);
  }
  if (norm2(clamped - r) == 0.0) return {};
  return Core{X * clamped, s.edge_radius};
}

std::optional<OwnTouch> on_ball(double radius, const Vec3& centre, const Shape& s,
                                const Pose& X) {  // (2)
  const std::optional<Core> core = core_near(s, X, centre);
  if (!core) return {};
  const double way = norm(core->point - centre);
  if (!(way > 0.0)) return {};
  OwnTouch out;
  out.normal = (core->point - centre) / way;
  out.gap = way - radius - core->radius;
  out.points = {centre + radius * out.normal};
  out.is_one = true;
  return out;
}

std::optional<OwnTouch> turned(std::optional<OwnTouch> touch) {
  if (touch) touch->normal = -touch->normal;
  return touch;
}

}  // namespace

std::optional<OwnTouch> own_touch(const Shape& a, const Pose& X_WA, const Shape& b,
                                  const Pose& X_WB, double together) {
  if (is_kind(a, "half_space")) return on_plane(X_WA, b, X_WB, together);
  if (is_kind(b, "half_space")) return turned(on_plane(X_WB, a, X_WA, together));
  if (is_kind(a, "sphere")) return on_ball(a.params[0], X_WA.p, b, X_WB);
  if (is_kind(b, "sphere")) return turned(on_ball(b.params[0], X_WB.p, a, X_WA));
  return {};
}

}  // namespace carom::verify
