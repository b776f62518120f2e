// Circles among the idealised surfaces: their rim is round, and areas that it bounds are those
// of closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "carom/proximity/smooth/surface_pair.h"

namespace carom::round_surfaces {
namespace {

using std::numbers::pi;

IdealSurface rectangle(double length, double width) {
  IdealSurface s;
  s.form = SurfaceForm::rectangle, s.half_length = 0.5 * length, s.half_width = 0.5 * width;
  return s;
}
IdealSurface circle(double r) {
  IdealSurface s;
  s.form = SurfaceForm::circle, s.radius = r;
  return s;
}

/// A flat surface that faces down, turned about the vertical, at a height just below zero.
Pose facing_down(double x, double y, double turn = 0.0) {
  return {to_matrix(quat_exp({0, 0, turn})) * to_matrix(quat_exp({pi, 0, 0})), {x, y, -1e-4}};
}

double sum_of_weights(const Manifold& m) {
  double sum = 0.0;
  for (int i = 0; i < m.count; ++i) sum += m.points[static_cast<std::size_t>(i)].weight;
  return sum * m.springs;
}

/// Area common to two circles at a distance d.
double lens(double R, double r, double d) {
  if (d >= R + r) return 0.0;
  if (d <= std::abs(R - r)) return pi * std::min(R, r) * std::min(R, r);
  const double a = std::acos((d * d + R * R - r * r) / (2 * d * R));
  const double b = std::acos((d * d + r * r - R * R) / (2 * d * r));
  return R * R * (a - 0.5 * std::sin(2 * a)) + r * r * (b - 0.5 * std::sin(2 * b));
}

TEST(RoundSurfaces, TwoCirclesShareALens) {
  std::mt19937_64 random(20240611);
  std::uniform_real_distribution<double> any(0.0, 1.0);
  for (int trial = 0; trial < 1000; ++trial) {
    const double R = 0.01 + any(random), r = 0.01 + any(random);
    const double d = 1.1 * (R + r) * any(random), way = 2 * pi * any(random);
    Manifold m;
    const SurfaceContact c = find_surface_contact(
        circle(r), facing_down(d * std::cos(way), d * std::sin(way), way), circle(R), Pose{}, m);
    const double area = lens(R, r, d);
    if (area < 1e-6 * std::min(R, r) * std::min(R, r)) continue;
    EXPECT_EQ(c.area, ContactArea::plane) << trial;
    EXPECT_NEAR(m.area, area, 1e-12 * std::max(R, r) * std::max(R, r)) << trial;
    EXPECT_NEAR(sum_of_weights(m), 4.0, 1e-9) << trial;
    // No point lies outside, and the two corners lie on both rims.
    int corners = 0;
    for (int i = 0; i < m.count; ++i) {
      const Vec3 p = m.points[static_cast<std::size_t>(i)].p_WC;
      const double out_R = std::hypot(p.x, p.y) - R;
      const double out_r = std::hypot(p.x - d * std::cos(way), p.y - d * std::sin(way)) - r;
      EXPECT_LT(std::max(out_R, out_r), 1e-12) << trial;
      corners += std::max(std::abs(out_R), std::abs(out_r)) < 1e-12;
    }
    const bool do_cut = d > std::abs(R - r) + 1e-6;
    EXPECT_EQ(corners, do_cut ? 2 : 0) << trial;
  }
}

TEST(RoundSurfaces, ACircleOverAnEdgeKeepsItsSegment) {
  const double R = 0.05;
  for (int k = -98; k < 99; ++k) {
    const double x = 0.01 * k * R;  // of the edge, from the centre
    Manifold m;
    // A desk whose edge lies at x, and which reaches far beyond the circle otherwise.
    find_surface_contact(circle(R), facing_down(0, 0, 0.3), rectangle(2.0, 2.0),
                         Pose::translation({x - 1.0, 0, 0}), m);
    const double a = std::acos(-x / R);  // half of the arc that is kept
    const double area = R * R * (a - 0.5 * std::sin(2 * a));
    EXPECT_NEAR(m.area, area, 1e-13) << x;
    EXPECT_NEAR(sum_of_weights(m), 4.0, 1e-10) << x;
    int on_rim = 0;
    for (int i = 0; i < m.count; ++i) {
      const Vec3 p = m.points[static_cast<std::size_t>(i)].p_WC;
      EXPECT_LT(p.x, x + 1e-14) << x;
      EXPECT_LT(std::hypot(p.x, p.y), R + 1e-14) << x;
      // What stands for an arc that is whole, and what lies on the edge, lies on the rim.
      const double way = std::atan2(std::hypot(p.y, 0.0), p.x);
      const bool is_whole = way - pi / 4 > std::acos(x / R) + 1e-9;
      const bool is_corner = std::abs(p.x - x) < 1e-13;
      if (is_whole || is_corner) {
        EXPECT_NEAR(std::hypot(p.x, p.y), R, 1e-14) << x;
        ++on_rim;
      }
    }
    EXPECT_GE(on_rim, 2) << x;
  }
}

// Any circle on any rectangle, both tilted a little: the area by Monte Carlo's place, a grid.
TEST(RoundSurfaces, AreasAgreeWithAGrid) {
  std::mt19937_64 random(77001);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (int trial = 0; trial < 40; ++trial) {
    const double R = 0.5 + 0.4 * any(random), l = 0.5 + 0.4 * any(random);
    const double w = 0.5 + 0.4 * any(random);
    const Vec3 at{0.4 * any(random), 0.4 * any(random), -1e-4};
    const double turn = pi * any(random);
    Manifold m;
    find_surface_contact(circle(R), {to_matrix(quat_exp({pi, 0, 0})), at}, rectangle(l, w),
                         {to_matrix(quat_exp({0, 0, turn})), {0, 0, 0}}, m);
    constexpr int kSteps = 500;
    int inside = 0;
    for (int i = 0; i < kSteps; ++i) {
      for (int j = 0; j < kSteps; ++j) {
        const double x = l * ((i + 0.5) / kSteps - 0.5), y = w * ((j + 0.5) / kSteps - 0.5);
        const double X = x * std::cos(turn) - y * std::sin(turn) - at.x;
        const double Y = x * std::sin(turn) + y * std::cos(turn) - at.y;
        inside += X * X + Y * Y < R * R;
      }
    }
    const double area = l * w * inside / (1.0 * kSteps * kSteps);
    EXPECT_NEAR(m.area, area, 2e-3 * l * w) << trial;
    if (area < 1e-3) continue;
    EXPECT_NEAR(sum_of_weights(m), 4.0, 1e-9) << trial;
  }
}

// Equal circles on each other, and nearly so, have one rim.
TEST(RoundSurfaces, EqualCirclesCountTheirRimOnce) {
  for (const double d : {0.0, 1e-16, 1e-14, 1e-12, 1e-10, 1e-7, 1e-5}) {
    Manifold m;
    find_surface_contact(circle(0.1), facing_down(d, 0), circle(0.1), Pose{}, m);
    // Where the rims are nearer than rounding tells, the area is that of either.
    const double area = 0.01 * pi - 0.2 * d;
    EXPECT_NEAR(m.area, area, 1e-9 + 1e-5 * d) << d;
    EXPECT_NEAR(sum_of_weights(m), 4.0, 1e-6) << d;
  }
}

/// Force of springs c max(0, -phi)^(3/2) at the points, and its moment about the origin.
void push(const Manifold& m, Vec3& force, Vec3& moment) {
  force = moment = {};
  for (int i = 0; i < m.count; ++i) {
    const ManifoldPoint& p = m.points[static_cast<std::size_t>(i)];
    const Vec3 f = (p.weight * m.springs * std::pow(std::max(0.0, -p.phi), 1.5)) * m.n_AB_W;
    force += f, moment += cross(p.p_WC, f);
  }
}

// Moved and tilted along a way at two step sizes: what changes between steps halves with them.
TEST(RoundSurfaces, ForceAndMomentAreContinuousAlongAnyWay) {
  std::mt19937_64 random(5150);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (int trial = 0; trial < 30; ++trial) {
    const bool two_circles = trial % 2;
    const IdealSurface a = circle(0.04 + 0.02 * any(random));
    const IdealSurface b = two_circles ? circle(0.05 + 0.02 * any(random)) : rectangle(0.1, 0.07);
    const Vec3 from{0.12 * any(random), 0.12 * any(random), 0},
        to{0.12 * any(random), 0.12 * any(random), 0};
    const Vec3 tilt{0.02 * any(random), 0.02 * any(random), any(random)};
    double largest[2] = {0.0, 0.0}, size = 0.0;
    for (const int fine : {0, 1}) {
      const int steps = fine ? 2000 : 1000;
      Vec3 force, moment, last_force, last_moment;
      for (int i = 0; i <= steps; ++i) {
        // Not from the flat: there a rim's points turn to its lowest place within 1e-7 rad.
        const double t = 0.1 + 0.9 * i / steps;
        const Pose X{to_matrix(quat_exp(t * tilt)) * to_matrix(quat_exp({pi, 0, 0})),
                     from + t * (to - from) + Vec3{0, 0, -2e-3}};
        Manifold m;
        find_surface_contact(a, X, b, Pose{}, m);
        push(m, force, moment);
        size = std::max(size, norm(force));
        if (i > 0) {
          const double change = norm(force - last_force) + 20.0 * norm(moment - last_moment);
          largest[fine] = std::max(largest[fine], change);
        }
        last_force = force, last_moment = moment;
      }
    }
    // Weight is lost at once where the area ends; before that nothing jumps.
    const bool ends = largest[0] > 0.2 * size;
    if (!ends && size > 0.0) {
      EXPECT_LT(largest[1], 0.8 * largest[0] + 1e-9 * size) << trial << ": " << largest[0];
    }
  }
}

}  // namespace
}  // namespace carom::round_surfaces
