// Areas of superquadrics on a half space beside their sections: the area is the section by the
// plane, along bisected rays of the gauge, and the volume the sum of the sections below
// (Cavalieri).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "carom/geometry/shape.h"
#include "carom/geometry/superquadric_core.h"
#include "carom/math/rotation.h"
#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/distance.h"

namespace carom {
namespace {

Core superquadric(const Vec3& a, double p, double q) {
  ShapeInput input{.kind = find_shape_kind("superquadric"), .params = {a.x, a.y, a.z}};
  input.formulas.ranges = {{"exponents", p, q}};
  return make_shape(std::move(input)).core;
}

/// Of the section of the body by the plane at a height, around a point of it.
double section_area(const Core& body, const Pose& X, const Vec3& inside, int rays) {
  double sum = 0.0;
  for (int i = 0; i < rays; ++i) {
    const double angle = 2.0 * std::numbers::pi * (i + 0.5) / rays;
    const Vec3 way{std::cos(angle), std::sin(angle), 0.0};
    double in = 0.0, out = 3.0 * bounding_radius(body);
    for (int k = 0; k < 40; ++k) {
      const double r = 0.5 * (in + out);
      const Vec3 x = transpose_times(X.R, inside + r * way - X.p);
      (superquadric_gauge(body, x, false).value < 1.0 ? in : out) = r;
    }
    sum += in * in;
  }
  return sum * std::numbers::pi / rays;
}

struct Patch {
  double area = 0.0, volume = 0.0;
};
Patch by_sections(const Core& body, const Pose& X, double depth) {
  constexpr int kLevels = 40, kRays = 600;
  const Vec3 lowest = X * surface_point(body, transpose_times(X.R, Vec3{0.0, 0.0, -1.0}));
  const auto inside = [&](double above) {  // on the way from the lowest point to the middle
    return lowest + (above / (X.p.z - lowest.z)) * (X.p - lowest);
  };
  Patch out;
  out.area = section_area(body, X, inside(depth), 4 * kRays);
  for (int i = 0; i < kLevels; ++i) {  // z = d s²: sections grow fast from the lowest point
    const double s = (i + 0.5) / kLevels;
    out.volume += section_area(body, X, inside(depth * s * s), kRays) * 2.0 * depth * s / kLevels;
  }
  return out;
}

TEST(SuperquadricArea, AreaAndVolumeAreThoseOfSections) {
  const Core plane = make_shape({.kind = find_shape_kind("half_space")}).core;
  std::mt19937_64 dice(11);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(dice);
  };
  for (const double p : {4.0, 8.0, 20.0, 60.0, 200.0}) {
    for (const double tilt : {0.003, 0.05, 0.6}) {
      const Core body = superquadric({0.01, uniform(0.006, 0.01), uniform(0.006, 0.01)}, p, p);
      const double way = uniform(0.0, 6.3), depth = 0.01 * std::pow(10.0, uniform(-2.5, -1.5));
      const Mat3 R =
          to_matrix(quat_exp({tilt * std::cos(way), tilt * std::sin(way), uniform(-0.5, 0.5)}));
      const Pose X_WP,
          X{R, {0.0, 0.0, extent(body, transpose_times(R, Vec3{0.0, 0.0, -1.0})) - depth}};
      AreaPatch patch;
      find_area({plane, X_WP, {}, std::numeric_limits<double>::infinity(), nullptr},
                {body, X, {}, bounding_radius(body), nullptr}, distance(plane, X_WP, body, X), 8,
                patch);
      const Patch expected = by_sections(body, X, depth);
      EXPECT_NEAR(patch.area / expected.area, 1.0, 1e-3) << p << " " << tilt;
      EXPECT_NEAR(patch.volume / expected.volume, 1.0, 1.5e-3) << p << " " << tilt;
    }
  }
}

TEST(SuperquadricArea, NothingIsDeeperThanTheDeepestPointDownToRounding) {
  const Core plane = make_shape({.kind = find_shape_kind("half_space")}).core;
  std::mt19937_64 dice(3);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(dice);
  };
  for (const double p : {8.0, 20.0, 200.0}) {
    const Core body = superquadric({0.01, 0.01, 0.01}, p, p);
    for (int trial = 0; trial < 200; ++trial) {
      const double tilt = std::pow(10.0, uniform(-9.0, -0.3)), way = uniform(0.0, 6.3),
                   depth = std::pow(10.0, uniform(-17.0, -9.0));
      const Mat3 R =
          to_matrix(quat_exp({tilt * std::cos(way), tilt * std::sin(way), uniform(-1.0, 1.0)}));
      const Pose X_WP,
          X{R, {0.0, 0.0, extent(body, transpose_times(R, Vec3{0.0, 0.0, -1.0})) - depth}};
      const Contact contact = distance(plane, X_WP, body, X);
      AreaPatch patch;
      find_area({plane, X_WP, {}, std::numeric_limits<double>::infinity(), nullptr},
                {body, X, {}, bounding_radius(body), nullptr}, contact, 8, patch);
      ASSERT_LT(patch.count, 20000) << p << " " << tilt << " " << depth;
      for (int i = 0; i < patch.count; ++i) {
        ASSERT_LE(patch.points[static_cast<std::size_t>(i)].u, -contact.phi);
      }
    }
  }
}

}  // namespace
}  // namespace carom
