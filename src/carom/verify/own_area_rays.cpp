#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/verify/own_quadrature.h"

namespace carom::verify {
namespace {

/// Where rays begin, and the axes across n in which their angles are equal, of any length.
struct RayFrame {
  Vec3 o, n, e1, e2;
};

struct RayRule {
  int rays = 0;
  int parts = 0;  ///< of Simpson's rule, even; or points in every panel of Gauss's, 3 or 5
  int halvings = 0;
  bool is_round = false;
};

/// Panels of a ray, each half as long as the one before: near the rim of a face u falls to nothing
/// within a hair.
constexpr int kPanels = 8;
struct GaussPoint {
  double at, weight;
};
constexpr std::array<GaussPoint, 3> kGauss3{
    {{-0.7745966692414834, 5.0 / 9.0}, {0.0, 8.0 / 9.0}, {0.7745966692414834, 5.0 / 9.0}}};
constexpr std::array<GaussPoint, 5> kGauss5{{{-0.9061798459386640, 0.2369268850561891},
                                             {-0.5384693101056831, 0.4786286704993665},
                                             {0.0, 0.5688888888888889},
                                             {0.5384693101056831, 0.4786286704993665},
                                             {0.9061798459386640, 0.2369268850561891}}};

/// Area, volume and first moments, with the second moments of the area about o along e1 and e2.
struct RaySums {
  OwnArea of;
  double xx = 0.0, xy = 0.0, yy = 0.0;
};

RaySums integrate_rays(const OwnSolid& A, const OwnSolid& B, const RayFrame& f,
                       const RayRule& rule) {
  const double unit = norm(cross(f.e1, f.e2));
  const double size = std::min(A.reach(), B.reach());
  RaySums sum;
  Vec3 first, pressed;
  for (int ray_of = 0; ray_of < rule.rays; ++ray_of) {
    // Half a step off the axes: sides of boxes lie along those.
    const double angle = 2.0 * std::numbers::pi * (ray_of + 0.5) / rule.rays;
    const double c = std::cos(angle), s = std::sin(angle);
    const Vec3 ray = c * f.e1 + s * f.e2;
    const auto depth = [&](double rho) {
      const auto a = A.top(f.o + rho * ray, f.n), b = B.top(f.o + rho * ray, -f.n);
      return a && b ? *a + *b : -1.0;
    };
    double in = 0.0, out = 2.0 * size / norm(ray);
    for (int i = 0; i < rule.halvings; ++i)
      (depth(0.5 * (in + out)) > 0.0 ? in : out) = 0.5 * (in + out);
    double mean = 0.0, lever = 0.0;  // of u and u rho over the sector
    for (int i = 0; rule.is_round && i <= rule.parts; ++i) {
      const double weight = i == 0 || i == rule.parts ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
      const double x = std::sqrt(static_cast<double>(i) / rule.parts);
      const double u = weight / (3.0 * rule.parts) * std::max(0.0, depth(in * x));
      mean += u, lever += u * in * x;
    }
    for (int i = 0; !rule.is_round && i < kPanels; ++i) {
      const double near = 1.0 - std::ldexp(1.0, -i);
      const double wide = std::ldexp(1.0, i + 1 < kPanels ? -i - 1 : -i);
      for (int k = 0; k < rule.parts; ++k) {
        const auto [at, weight] = rule.parts == 5 ? kGauss5[static_cast<std::size_t>(k)]
                                                  : kGauss3[static_cast<std::size_t>(k)];
        const double x = near + 0.5 * wide * (1.0 + at);
        const double u = weight * wide * x * std::max(0.0, depth(in * x));
        mean += u, lever += u * in * x;
      }
    }
    const double sector = unit * std::numbers::pi * in * in / rule.rays;
    sum.of.length = std::max(sum.of.length, 2.0 * in * norm(ray));
    sum.of.area += sector, sum.of.volume += sector * mean;
    first += (2.0 / 3.0 * sector * in) * ray, pressed += (sector * lever) * ray;
    sum.xx += 0.5 * sector * in * in * c * c, sum.yy += 0.5 * sector * in * in * s * s;
    sum.xy += 0.5 * sector * in * in * c * s;
  }
  sum.of.centre = sum.of.area > 0.0 ? f.o + first / sum.of.area : f.o;
  sum.of.pressure = sum.of.volume > 0.0 ? f.o + pressed / sum.of.volume : f.o;
  return sum;
}

OwnArea with_error(const OwnArea& half, OwnArea all) {
  all.area_error = std::abs(all.area - half.area);
  all.volume_error = std::abs(all.volume - half.volume);
  return all;
}

/// From the middle of the area, along its main axes, each as long as the area is wide there.
RayFrame middle_of(const RaySums& sum, const RayFrame& f) {
  // First along the axes as they are, which need not be square to each other once stretched: so
  // moments are taken of places, not of coordinates.
  const Vec3 a = normalized(f.e1), b = cross(f.n, a);
  const auto along = [&](const Vec3& e) { return std::pair{dot(a, e), dot(b, e)}; };
  const auto [a1, b1] = along(f.e1);
  const auto [a2, b2] = along(f.e2);
  const auto [ca, cb] = along(sum.of.centre - f.o);
  const double m = sum.of.area;
  const double aa = a1 * a1 * sum.xx + 2 * a1 * a2 * sum.xy + a2 * a2 * sum.yy - m * ca * ca;
  const double bb = b1 * b1 * sum.xx + 2 * b1 * b2 * sum.xy + b2 * b2 * sum.yy - m * cb * cb;
  const double ab =
      a1 * b1 * sum.xx + (a1 * b2 + a2 * b1) * sum.xy + a2 * b2 * sum.yy - m * ca * cb;
  const double turn = 0.5 * std::atan2(2.0 * ab, aa - bb);
  const double mid = 0.5 * (aa + bb), off = std::hypot(0.5 * (aa - bb), ab);
  const double longer = std::sqrt((mid + off) / m);
  const double wider = std::sqrt(std::max(mid - off, 1e-6 * mid) / m);
  const Vec3 e = std::cos(turn) * a + std::sin(turn) * b;
  return {sum.of.centre, f.n, longer * e, wider * cross(f.n, e)};
}

RayFrame any_frame(const Vec3& o, const Vec3& n) {
  const Vec3 e = any_perpendicular(n);
  return {o, n, e, cross(n, e)};
}

}  // namespace

OwnArea own_round_area(const OwnSolid& A, const OwnSolid& B, const Vec3& o, const Vec3& n) {
  const RayFrame f = any_frame(o, n);
  return with_error(integrate_rays(A, B, f, {24, 24, 60, true}).of,
                    integrate_rays(A, B, f, {48, 48, 60, true}).of);
}

OwnArea own_edged_area(const OwnSolid& A, const OwnSolid& B, const Vec3& o, const Vec3& n) {
  RayFrame f = any_frame(o, n);
  // A body may be deepest at a corner of the area, where most rays end at once, and a line of
  // contact is seen by few of them: each round begins nearer to the middle and stretched better.
  for (int round = 0; round < 3; ++round) {
    const RaySums sum = integrate_rays(A, B, f, {60, 3, 22, false});
    if (!(sum.of.area > 0.0)) return sum.of;
    f = middle_of(sum, f);
  }
  return with_error(integrate_rays(A, B, f, {120, 3, 36, false}).of,
                    integrate_rays(A, B, f, {240, 5, 36, false}).of);
}

}  // namespace carom::verify
