// A cylinder on a flat surface, and two cylinders.
//
// Cylinder on a flat surface with normal z: the lowest line of the lateral surface runs along
// the axis a at
//
//   R d,   d = -(z - (z.a) a) / |z - (z.a) a|                                           (1)
//
// from the axis. Its ends are the two points; where one lies beyond the outline it is moved
// along the line to where the line enters it. (For a circle that is the law of cosines,
// R² = s² + b² - 2 s b cos(gamma), solved for b.) A cylinder that stands on end has no lowest
// line; over the last three degrees its weight fades.
//
// Two cylinders touch along the overlap of their axes if these are parallel, and at the point
// where they cross if not. With theta their angle,
//
//   kappa = 1 / (1 + (sin theta / theta_0)²),   theta_0 = 0.01                          (2)
//
// the two points lie at the ends of the overlap, drawn in to a share kappa of it about the
// crossing, each with weight (1 + kappa) / 2: two springs for a line, one for a point.
#include <algorithm>
#include <cmath>

#include "carom/proximity/smooth/surface_algorithms.h"

namespace carom {
namespace {

constexpr double kFadeBelow = 0.05;   ///< cosine of the axis' angle to the surface
constexpr double kParallel = 0.01;    ///< theta_0 of (2) [rad]
constexpr double kMostOblique = 0.5;  ///< of the normal to an axis: beyond, ends meet
constexpr double kStraight = 1e-14;   ///< sin² of an angle that counts as parallel
constexpr double kUpright = 1e-9;     ///< cosine at which the line of (1) has no direction left
constexpr double kNoLength = 1e-12;   ///< of a sum of unit vectors: they cancel
/// What is beside an outline is apart, however near: a gap of zero would be a contact [m].
constexpr double kLeastGap = 1e-12;

/// Part of a line through p0 and p1, from 0 to 1, that an outline covers.
struct Span {
  double from = 0.0, to = 1.0;
  double gap = 0.0;  ///< where it is empty: how far the line is from the outline [m]
  bool is_empty() const { return !(from <= to); }
};

/// Cuts away what lies beyond the straight edge where f < 0; f0 and f1 are in metres.
void cut(double f0, double f1, Span& span) {
  if (f0 < 0.0 && f1 < 0.0) {
    span.from = 1.0, span.to = 0.0;
    span.gap = std::max(span.gap, -std::max(f0, f1));
  } else if (f0 < 0.0) {
    span.from = std::max(span.from, f0 / (f0 - f1));
  } else if (f1 < 0.0) {
    span.to = std::min(span.to, f0 / (f0 - f1));
  }
}

Span cover_by_circle(double radius, const Vec3& p0, const Vec3& p1) {
  const Vec3 d = p1 - p0;
  const double a = d.x * d.x + d.y * d.y;
  const double nearest = a > 0.0 ? -(p0.x * d.x + p0.y * d.y) / a : 0.0;
  const double x = p0.x + nearest * d.x, y = p0.y + nearest * d.y;
  const double rest = radius * radius - (x * x + y * y);
  Span span;
  if (!(rest > 0.0)) {
    span.from = 1.0, span.to = 0.0;
    span.gap = std::hypot(x, y) - radius;
    return span;
  }
  const double half = a > 0.0 ? std::sqrt(rest / a) : 1.0;
  span.from = std::max(0.0, nearest - half);
  span.to = std::min(1.0, nearest + half);
  span.gap = std::max(0.0, span.from - span.to) * std::sqrt(a);
  return span;
}

Span cover(const IdealSurface& flat, const Vec3& p0, const Vec3& p1) {
  if (flat.form == SurfaceForm::circle) return cover_by_circle(flat.radius, p0, p1);
  Span span;
  cut(flat.half_length - p0.x, flat.half_length - p1.x, span);
  cut(flat.half_length + p0.x, flat.half_length + p1.x, span);
  cut(flat.half_width - p0.y, flat.half_width - p1.y, span);
  cut(flat.half_width + p0.y, flat.half_width + p1.y, span);
  if (span.is_empty()) {
    const double length = std::hypot(p1.x - p0.x, p1.y - p0.y);
    span.gap = std::max(span.gap, (span.from - span.to) * length);
  }
  return span;
}

struct AxisPoints {
  double s = 0.0, t = 0.0;  ///< along the first and the second axis
};

/// Nearest points of two axes within their lengths.
AxisPoints crossing(const Vec3& d, const Vec3& e1, double h1, const Vec3& e2, double h2,
                    double cosine, double sine2) {
  const double d1 = dot(d, e1), d2 = dot(d, e2);  // d leads from the first to the second centre
  AxisPoints p;
  p.s = std::clamp((d1 - cosine * d2) / sine2, -h1, h1);
  p.t = std::clamp(cosine * p.s - d2, -h2, h2);
  p.s = std::clamp(cosine * p.t + d1, -h1, h1);
  return p;
}

/// Middle and half length of what the second axis covers of the first.
void overlap(double centre, double h1, double h2, double& middle, double& half) {
  const double low = std::max(-h1, centre - h2), high = std::min(h1, centre + h2);
  middle = std::clamp(0.5 * (low + high), -h1, h1);
  half = std::max(0.0, 0.5 * (high - low));
}

}  // namespace

SurfaceContact touch_cylinder_flat(const PlacedSurface& a, const PlacedSurface& b, Manifold& out) {
  const Vec3 z = b.normal(), axis = a.axis();
  const Vec3 across = z - dot(z, axis) * axis;
  const double cosine = norm(across);
  if (cosine < kUpright) return apart(a, b, norm(b.X.p - a.X.p) + a.s.radius, out);
  const Vec3 middle = a.X.p - (a.s.radius / cosine) * across;  // (1)
  const Vec3 ends[] = {middle - a.s.half_length * axis, middle + a.s.half_length * axis};
  const Vec3 p0 = transpose_times(b.X.R, ends[0] - b.X.p);
  const Vec3 p1 = transpose_times(b.X.R, ends[1] - b.X.p);
  const Span span = cover(b.s, p0, p1);
  if (span.is_empty()) {
    const double height = std::max(0.0, std::min(p0.z, p1.z));
    return apart(a, b, std::max(std::hypot(span.gap, height), kLeastGap), out);
  }
  const double fade = std::min(1.0, cosine / kFadeBelow);
  out.n_AB_W = -z;
  out.length = (span.to - span.from) * 2.0 * a.s.half_length;
  std::uint32_t end = 0;
  for (const double t : {span.from, span.to}) {
    const Vec3 p = ends[0] + t * (ends[1] - ends[0]);
    add_point(out, p, dot(z, p - b.X.p), fade * fade, kOnFirst + end++);
  }
  return finish(out, ContactArea::line);
}

SurfaceContact touch_cylinders(const PlacedSurface& a, const PlacedSurface& b, Manifold& out) {
  const Vec3 e1 = a.axis(), e2 = b.axis(), d = b.X.p - a.X.p;
  const double h1 = a.s.half_length, h2 = b.s.half_length;
  const double cosine = dot(e1, e2), sine2 = norm2(cross(e1, e2));
  const double kappa = 1.0 / (1.0 + sine2 / (kParallel * kParallel));  // (2)
  double s_mid, t_mid, s_half, t_half;
  overlap(dot(d, e1), h1, h2 * std::abs(cosine), s_mid, s_half);
  overlap(-dot(d, e2), h2, h1 * std::abs(cosine), t_mid, t_half);
  AxisPoints centre{s_mid, t_mid};
  if (sine2 > kStraight) {
    const AxisPoints p = crossing(d, e1, h1, e2, h2, cosine, sine2);
    centre.s = (1.0 - kappa) * p.s + kappa * s_mid;
    centre.t = (1.0 - kappa) * p.t + kappa * t_mid;
  }
  const double way = std::copysign(kappa, cosine);
  Vec3 first[2], gap[2], n;
  for (int k = 0; k < 2; ++k) {
    const double side = k == 0 ? -1.0 : 1.0;
    first[k] = (centre.s + side * kappa * s_half) * e1;
    gap[k] = d + (centre.t + side * way * t_half) * e2 - first[k];
    const double length = norm(gap[k]);
    if (length > 0.0) n += gap[k] / length;
  }
  // Axes that meet: any direction across both pushes them apart.
  if (!(norm(n) > kNoLength)) n = sine2 > kStraight ? cross(e1, e2) : any_perpendicular(e1);
  n = normalized(n);
  if (std::max(std::abs(dot(n, e1)), std::abs(dot(n, e2))) > kMostOblique) {
    return apart(a, b, std::max({norm(gap[0]), norm(gap[1]), kLeastGap}), out);
  }
  out.n_AB_W = n;
  out.length = 2.0 * kappa * s_half;
  for (std::uint32_t k = 0; k < 2; ++k) {
    const double phi = dot(n, gap[k]) - a.s.radius - b.s.radius;
    const Vec3 p = a.X.p + first[k] + 0.5 * (gap[k] + (a.s.radius - b.s.radius) * n);
    add_point(out, p, phi, 0.5 * (1.0 + kappa), kMidway + k);
  }
  return finish(out, kappa > 0.5 ? ContactArea::line : ContactArea::point);
}

}  // namespace carom
