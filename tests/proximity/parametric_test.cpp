// Parametric surfaces against the ellipsoid and the torus that they are: poles, seams, orientation.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "carom/geometry/parametric_surface.h"
#include "carom/proximity/distance.h"
#include "carom/proximity/smooth/smooth_search.h"

namespace carom {
namespace {

constexpr double kHalfTurn = std::numbers::pi;

ShapeInput parametric(const char* x, const char* y, const char* z, double v_low, double v_high) {
  ShapeInput input{.kind = find_shape_kind("parametric")};
  input.formulas.texts = {{"x", x}, {"y", y}, {"z", z}};
  input.formulas.ranges = {{"u", -kHalfTurn, kHalfTurn}, {"v", v_low, v_high}};
  input.formulas.with = {{"a", 0.1}, {"b", 0.07}, {"c", 0.05}, {"r", 0.03}};
  return input;
}

Shape written_ellipsoid() {
  return make_shape(parametric("a*cos(u)*cos(v)", "b*sin(u)*cos(v)", "c*sin(v)", -0.5 * kHalfTurn,
                               0.5 * kHalfTurn));
}
Shape written_torus() {
  return make_shape(parametric("(a + r*cos(v))*cos(u)", "(a + r*cos(v))*sin(u)", "-r*sin(v)",
                               -kHalfTurn, kHalfTurn));
}
std::string description(const Shape& s) {
  return static_cast<const ParametricSurface&>(*s.surface).describe();
}

TEST(Parametric, EdgesAndOrientationAreFound) {
  EXPECT_EQ(description(written_ellipsoid()),
            "u closes, v shrinks to a point at both ends; r_u x r_v points outward");
  EXPECT_EQ(description(written_torus()),
            "u closes, v closes; r_u x r_v points inward, and was turned");
  const Shape pipe = make_shape(parametric("a*cos(u)", "a*sin(u)", "v", 0.0, 1.0));
  EXPECT_EQ(description(pipe), "u closes, v is open; outside is where r_u x r_v points");
  EXPECT_FALSE(pipe.surface->is_closed());
  EXPECT_NE(mass_problem(pipe), "");
}

TEST(Parametric, WhatIsNoSmoothSurfaceIsRefused) {
  const auto problem = [](const char* x, const char* y, const char* z) {
    Diagnostics out;
    EXPECT_FALSE(make_shape(parametric(x, y, z, 0.0, 1.0), out)) << x;
    return out.error_count() > 0 ? out.all().front().message : std::string();
  };
  EXPECT_NE(problem("v*cos(u)", "v*sin(u)", "v").find("a tip"), std::string::npos);
  EXPECT_NE(problem("a", "b", "c").find("single point"), std::string::npos);
  EXPECT_NE(problem("v", "v", "v").find("a line"), std::string::npos);
  EXPECT_NE(problem("u", "v", "1/(v - 0.5)").find("no value"), std::string::npos);
  EXPECT_NE(problem("u", "w", "v").find("there is no 'w'"), std::string::npos);
}

TEST(Parametric, WhatPassesThroughItselfIsTold) {
  const auto doubt = [](const char* x, const char* y, const char* z, double low, double high) {
    ShapeInput input = parametric(x, y, z, low, high);
    input.formulas.ranges[0] = {"u", low, high};
    return make_shape(std::move(input)).surface->doubt();
  };
  constexpr double pi = std::numbers::pi;
  // A figure of eight along v meets itself along x = y = 0.
  EXPECT_NE(doubt("cos(u)", "sin(2*u)", "v", -pi, pi).find("through itself at [0, 0, "),
            std::string::npos);
  // Enneper's minimal surface does from a radius of the square root of 3 on.
  const char *x = "u - u^3/3 + u*v^2", *y = "v - v^3/3 + v*u^2", *z = "u^2 - v^2";
  EXPECT_EQ(doubt(x, y, z, -1.1, 1.1), "");
  EXPECT_NE(doubt(x, y, z, -2.0, 2.0), "");
  // Seams, poles and sheets that lie close to each other do not.
  EXPECT_EQ(doubt("cos(u)", "sin(u)", "v", -pi, pi), "");
  EXPECT_EQ(doubt("(1 + 0.02*u)*cos(u)", "(1 + 0.02*u)*sin(u)", "v", 0.0, 12.0), "");
  EXPECT_EQ(written_ellipsoid().surface->doubt(), "");
}

TEST(Parametric, MassIsThatOfTheBodiesThatTheyAre) {
  const MassProperties egg = mass_properties(written_ellipsoid(), 1.0),
                       ring = mass_properties(written_torus(), 1.0);
  const MassProperties torus =
      mass_properties(make_shape({.kind = find_shape_kind("torus"), .params = {0.1, 0.03}}), 1.0);
  EXPECT_NEAR(egg.volume / (4.0 / 3.0 * kHalfTurn * 0.1 * 0.07 * 0.05), 1.0, 1e-12);
  EXPECT_NEAR(egg.inertia.zz / (0.2 * egg.volume * (0.01 + 0.0049)), 1.0, 1e-12);
  EXPECT_NEAR(ring.volume / torus.volume, 1.0, 1e-12);
  EXPECT_NEAR(ring.inertia.xx / torus.inertia.xx, 1.0, 1e-12);
}

TEST(Parametric, BallsAreFoundOverPolesSeamsAndElsewhere) {
  const Shape written = written_ellipsoid(),
              known =
                  make_shape({.kind = find_shape_kind("ellipsoid"), .params = {0.1, 0.07, 0.05}});
  const Core ball = make_point_core({}, 0.02);
  std::mt19937 random(11);
  std::normal_distribution<double> gauss;
  for (int i = 0; i < 120; ++i) {
    Vec3 d{gauss(random), gauss(random), gauss(random)};
    if (i % 4 == 1) d = {0.0, 0.0, i % 8 == 1 ? 1.0 : -1.0};
    if (i % 4 == 2) d = {1e-3 * d.x, 1e-3 * d.y, 1.0};
    if (i % 4 == 3) d = {-1.0, 1e-9 * d.y, 0.3 * d.z};
    const Vec3 n = normalized(d);
    const Pose X = Pose::translation(support(known, n) + (i % 2 ? 0.021 : 0.01999) * n);
    const Contact c = distance(known.core, {}, ball, X);
    std::vector<SmoothMinimum> found;
    find_minima(*written.surface, {ball, X}, 0.005, found);
    ASSERT_EQ(found.size(), 1u) << i;
    EXPECT_NEAR(found[0].phi, c.phi, 1e-15) << i;
    EXPECT_LT(norm(found[0].at.n - c.n_AB_W), 1e-13) << i;
  }
}

TEST(Parametric, ABallIsFollowedAcrossAPoleAndTheSeam) {
  const Shape written = written_ellipsoid(),
              known =
                  make_shape({.kind = find_shape_kind("ellipsoid"), .params = {0.1, 0.07, 0.05}});
  const Core ball = make_point_core({}, 0.02);
  for (const bool over_pole : {true, false}) {
    Vec3 state;
    Pose before;
    for (int i = 0; i <= 200; ++i) {
      const double a = -0.5 + i / 200.0;
      const Vec3 d = normalized(over_pole ? Vec3{std::sin(a), 0.0, std::cos(a)}
                                          : Vec3{-std::cos(a), std::sin(a), 0.2});
      const Pose X = Pose::translation(support(known, d) + 0.0201 * d);
      SmoothMinimum m;
      if (i == 0) {
        ASSERT_TRUE(find_nearest(*written.surface, {ball, X}, m));
      } else {
        ASSERT_EQ(follow_minimum(*written.surface, ball, before, state, X, m), FollowEnd::found)
            << i;
      }
      EXPECT_NEAR(m.phi, 1e-4, 1e-15) << i;
      state = m.state, before = X;
    }
  }
}

}  // namespace
}  // namespace carom
