#include "carom/proximity/area/inner_depth.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/geometry/core_kinds.h"
#include "carom/geometry/superquadric_core.h"
#include "carom/proximity/distance.h"

namespace carom {
namespace {

constexpr double kTiny = 1e-300;

InnerDepth from_centre(const Vec3& off, double radius) {
  const double r = norm(off);
  return {radius - r, r > kTiny ? off / r : Vec3{0.0, 0.0, 1.0}};
}

InnerDepth in_capsule(const Core& c, const Vec3& p) {
  const double half2 = norm2(c.v[1]);
  const double t = half2 > 0.0 ? std::clamp(dot(p - c.v[0], c.v[1]) / half2, -1.0, 1.0) : 0.0;
  return from_centre(p - c.v[0] - t * c.v[1], c.rounding);
}

InnerDepth nearer(const InnerDepth& a, const InnerDepth& b) { return b.u < a.u ? b : a; }

/// The line of a body of revolution that is its side: normal in the plane of axis and radius.
struct SideLine {
  double along = 0.0, across = 1.0, offset = 0.0;  ///< along x + across rho <= offset
  double low = 0.0, high = 0.0;                    ///< ends of the body
};

SideLine side_of(const Core& c) {
  if (c.kind == &core_cylinder) return {0.0, 1.0, c.v[0].y, -c.v[0].x, c.v[0].x};
  const Vec3 &a = c.v[0].x < c.v[1].x ? c.v[0] : c.v[1], &b = c.v[0].x < c.v[1].x ? c.v[1] : c.v[0];
  const double slope = (b.y - a.y) / (b.x - a.x), k = 1.0 / std::sqrt(1.0 + slope * slope);
  return {-k * slope, k, k * (a.y - slope * a.x), a.x, b.x};
}

InnerDepth in_revolved(const Core& c, const Vec3& p) {
  const SideLine s = side_of(c);
  const double rho = std::hypot(p.y, p.z), k = rho > kTiny ? s.across / rho : 0.0;
  InnerDepth out{s.offset - s.along * p.x - s.across * rho, {s.along, k * p.y, k * p.z}};
  if (!(rho > kTiny)) out.n = {s.along, s.across, 0.0};
  out = nearer(out, {s.high - p.x, {1.0, 0.0, 0.0}});
  return nearer(out, {p.x - s.low, {-1.0, 0.0, 0.0}});
}

InnerDepth in_stadium(const Core& c, const Vec3& p) {
  const Vec3& s = c.v[0];
  const InnerDepth side = from_centre({p.x - std::clamp(p.x, -s.x, s.x), p.y, 0.0}, s.y);
  return nearer(side, {s.z - std::abs(p.z), {0.0, 0.0, p.z < 0.0 ? -1.0 : 1.0}});
}

/// The nearest point is a_i² p_i/(a_i² + t) with
///
///   sum (a_i p_i/(a_i² + t))² = 1,   t > -min a_i²,                                      (1)
///
/// a convex falling function of t: Newton's method comes to the root from the left. The term of
/// the least axis alone is at most 1, which bounds t from below.
InnerDepth in_ellipsoid(const Vec3& a, const Vec3& p) {
  constexpr int kMostSteps = 60;
  double t = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) t = std::max(t, a[i] * std::abs(p[i]) - a[i] * a[i]);
  const double least = std::min({a.x, a.y, a.z});
  const double floor = -least * least * (1.0 - 1e-14);
  t = std::max(t, floor);
  const auto sum = [&](double at, double& slope) {
    double value = -1.0;
    slope = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double below = a[i] * a[i] + at, term = a[i] * p[i] / below;
      value += term * term, slope -= 2.0 * term * term / below;
    }
    return value;
  };
  double slope = 0.0;
  for (int i = 0; i < kMostSteps; ++i) {
    const double value = sum(t, slope);
    if (!(value > 0.0) || !(slope < 0.0)) break;
    const double next = t - value / slope;
    if (!(next > t)) break;
    t = next;
  }
  Vec3 x, n;
  for (std::size_t i = 0; i < 3; ++i) {
    x[i] = a[i] * a[i] * p[i] / (a[i] * a[i] + t);
    n[i] = x[i] / (a[i] * a[i]);
  }
  // On the middle plane of the least axis, and deep: the nearest points are two.
  if (t <= floor) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (a[i] != least) continue;
      double left = 1.0;
      for (std::size_t k = 0; k < 3; ++k) left -= k == i ? 0.0 : x[k] * x[k] / (a[k] * a[k]);
      x[i] = std::copysign(least * std::sqrt(std::max(0.0, left)), p[i]),
      n[i] = x[i] / (least * least);
      break;
    }
  }
  const double length = norm(n);
  if (!(length > 0.0)) return {least, {0.0, 0.0, 1.0}};
  n = n / length;
  return {dot(n, x - p), n};
}

InnerDepth in_superquadric(const Core& c, const Vec3& p) {
  const Contact contact = distance(c, Pose{}, make_point_core(p, 0.0), Pose{});
  return {-contact.phi, contact.n_AB_W};
}

}  // namespace

int depth_plane_count(const Core& c) {
  if (c.kind == &core_half_space) return 1;
  if (c.kind == &core_box) return 6;
  if (c.kind == &core_simplex) return 4;
  if (c.kind == &core_polytope) return static_cast<int>(PolytopeCore::polytope(c).faces.size());
  return 0;
}

DepthPlane depth_plane(const Core& c, int i) {
  if (c.kind == &core_half_space) return {{0.0, 0.0, 1.0}, 0.0};
  if (c.kind == &core_box) {
    const std::size_t axis = at(i / 2);
    DepthPlane out{{}, c.v[0][axis]};
    out.n[axis] = i % 2 == 0 ? 1.0 : -1.0;
    return out;
  }
  if (c.kind == &core_simplex) {
    const Vec3 &a = c.v[at((i + 1) % 4)], &b = c.v[at((i + 2) % 4)], &e = c.v[at((i + 3) % 4)];
    Vec3 n = normalized(cross(b - a, e - a));
    if (dot(n, c.v[at(i)] - a) > 0.0) n = -n;
    return {n, dot(n, a)};
  }
  const PolytopeFace& f = PolytopeCore::polytope(c).faces[at(i)];
  return {f.normal, f.offset};
}

InnerDepth inner_depth(const Core& c, const Vec3& p) {
  if (c.kind == &core_half_space) return {-p.z, {0.0, 0.0, 1.0}};
  if (c.kind == &core_point) return from_centre(p - c.v[0], c.rounding);
  if (c.kind == &core_segment) return in_capsule(c, p);
  if (c.kind == &core_cylinder || c.kind == &core_frustum) return in_revolved(c, p);
  if (c.kind == &core_stadium) return in_stadium(c, p);
  if (c.kind == &core_ellipsoid) return in_ellipsoid(c.v[0], p);
  if (c.kind == &core_superquadric) return in_superquadric(c, p);
  InnerDepth out{std::numeric_limits<double>::infinity(), {0.0, 0.0, 1.0}};
  const int planes = depth_plane_count(c);
  for (int i = 0; i < planes; ++i) {
    const DepthPlane plane = depth_plane(c, i);
    out = nearer(out, {plane.offset - dot(plane.n, p), plane.n});
  }
  return out;
}

double most_inner_depth(const Core& c, const Vec3& p) {
  if (c.kind != &core_superquadric) return inner_depth(c, p).u;
  // The gauge N is a norm, and its unit ball holds the ball of the least half axis: outside the
  // distance is at least (N - 1) times that. Inside no point is farther from the surface than along
  // its own ray.
  const double N = superquadric_gauge(c, p, false).value;
  const double least = std::min({c.v[0].x, c.v[0].y, c.v[0].z});
  if (N >= 1.0) return -(N - 1.0) * least;
  return N > 0.0 ? std::min(least, norm(p) * (1.0 / N - 1.0)) : least;
}

bool has_depth_kinks(const Core& c) { return c.kind == &core_cylinder || c.kind == &core_frustum; }

int find_depth_kinks(const Core& c, const Vec3& p, const Vec3& d, double length,
                     std::array<double, 4>& out) {
  if (!has_depth_kinks(c)) return 0;
  const SideLine s = side_of(c);
  int count = 0;
  // offset - along x - across rho = e - sign x, so rho = g + h t on the line; squared.
  for (const double sign : {1.0, -1.0}) {
    const double e = sign > 0.0 ? s.high : -s.low, slope = (sign - s.along) / s.across;
    const double g = (s.offset - e) / s.across + slope * p.x, h = slope * d.x;
    const double a = d.y * d.y + d.z * d.z - h * h, b = p.y * d.y + p.z * d.z - g * h,
                 k = p.y * p.y + p.z * p.z - g * g;
    const double root2 = b * b - a * k;
    if (!(root2 > 0.0)) continue;
    const double q = -(b + std::copysign(std::sqrt(root2), b));
    for (const double t : {q / a, k / q}) {
      if (t > 0.0 && t < length && g + h * t >= 0.0) out[at(count++)] = t;
    }
  }
  std::sort(out.begin(), out.begin() + count);
  return count;
}

}  // namespace carom
