// Named smooth shapes against closed forms, against each other and against tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "carom/geometry/shape.h"
#include "carom/proximity/piece_contacts.h"
#include "carom/proximity/smooth/smooth_search.h"

namespace carom {
namespace {

Shape torus(double R, double r) {
  return make_shape({.kind = find_shape_kind("torus"), .params = {R, r}});
}

Shape torus_by_formula(double R, double r) {
  ShapeInput input{.kind = find_shape_kind("implicit")};
  input.formulas.texts = {{"h", "(sqrt(x^2+y^2)-R)^2 + z^2 - r^2"}};
  input.formulas.ranges = {{"x", -0.2, 0.21}, {"y", -0.2, 0.19}, {"z", -0.1, 0.11}};
  input.formulas.with = {{"R", R}, {"r", r}};
  return make_shape(std::move(input));
}

TEST(Torus, DistanceFromABallIsThatOfItsCircle) {
  const Shape ring = torus(0.1, 0.03);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-0.2, 0.2);
  const Core ball = make_point_core({}, 0.02);
  int apart = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3 c{u(random), u(random), u(random)};
    const double phi = std::hypot(std::hypot(c.x, c.y) - 0.1, c.z) - 0.05;
    if (phi < -0.01 || std::hypot(c.x, c.y) < 0.01) continue;
    const Pose X = Pose::translation(c);
    SmoothMinimum m;
    ASSERT_TRUE(find_nearest(*ring.surface, {ball, X}, m)) << i;
    EXPECT_NEAR(m.phi, phi, 1e-14) << i;
    ++apart;
  }
  EXPECT_GT(apart, 300);
}

TEST(Torus, ByAFormulaEqualsTheNamedOne) {
  const Shape named = torus(0.1, 0.03), written = torus_by_formula(0.1, 0.03);
  EXPECT_TRUE(written.surface->is_closed());
  std::mt19937 random(6);
  std::uniform_real_distribution<double> u(-0.15, 0.15);
  const Core ball = make_point_core({}, 0.02);
  std::size_t count = 0;
  for (int i = 0; i < 40; ++i) {
    const Pose X = Pose::translation({u(random), u(random), u(random)});
    std::vector<SmoothMinimum> a, b;
    find_minima(*named.surface, {ball, X}, 0.2, a);
    find_minima(*written.surface, {ball, X}, 0.2, b);
    EXPECT_EQ(a.size(), b.size()) << i;
    for (const SmoothMinimum& m : a) {
      const auto is_same = [&](const SmoothMinimum& o) {
        return norm(o.at.p - m.at.p) < 1e-13 && std::abs(o.phi - m.phi) < 1e-14;
      };
      EXPECT_TRUE(std::ranges::any_of(b, is_same)) << i;
      ++count;
    }
  }
  EXPECT_GT(count, 30u);
}

TEST(Implicit, MassIsThatOfTheTorus) {
  const Shape ring = torus_by_formula(0.1, 0.03);
  const MassProperties a = mass_properties(ring, 1.0), b = mass_properties(torus(0.1, 0.03), 1.0);
  std::printf("  volume off by %.1e, Izz by %.1e\n", a.volume / b.volume - 1.0,
              a.inertia.zz / b.inertia.zz - 1.0);
  EXPECT_NEAR(a.volume / b.volume, 1.0, 1e-4);
  EXPECT_NEAR(a.inertia.xx / b.inertia.xx, 1.0, 1e-4);
  EXPECT_NEAR(a.inertia.zz / b.inertia.zz, 1.0, 1e-4);
  EXPECT_LT(norm(a.com), 1e-6);
}

TEST(Implicit, WhatIsWrongIsTold) {
  const auto problem = [](const std::string& h) {
    ShapeInput input{.kind = find_shape_kind("implicit")};
    input.formulas.texts = {{"h", h}};
    input.formulas.ranges = {{"x", -1, 1.1}, {"y", -1, 1.2}, {"z", -1, 1.3}};
    Diagnostics out;
    EXPECT_FALSE(make_shape(std::move(input), out)) << h;
    return out.error_count() > 0 ? out.all().front().message : std::string();
  };
  EXPECT_NE(problem("x^2 + y^2 + z^2 + 1").find("nothing"), std::string::npos);
  EXPECT_NE(problem("x^2 + y^2 + z^2 - q").find("there is no 'q'"), std::string::npos);
  EXPECT_NE(problem("(x^2 + y^2 + z^2 - 0.25)^2"), "") << "touches zero, and has no inside";
  EXPECT_NE(problem("(x^2 + y^2 + z^2 - 0.25)^3").find("gradient"), std::string::npos);
}

TEST(Paraboloid, ANormalLeadsBackToItsPoint) {
  const Shape bowl =
      make_shape({.kind = find_shape_kind("paraboloid"), .params = {0.5, 0.4, 0.3, 0.3}});
  const Core ball = make_point_core({}, 0.05);
  for (const double x : {-0.2, 0.0, 0.1}) {
    for (const double y : {-0.1, 0.15}) {
      const Vec3 p{x, y, x * x / 1.0 + y * y / 0.8};
      const Vec3 n = normalized(Vec3{-x / 0.5, -y / 0.4, 1.0});
      std::vector<SmoothMinimum> found;
      const Pose X = Pose::translation(p + 0.08 * n);
      find_minima(*bowl.surface, {ball, X}, 0.1, found);
      ASSERT_EQ(found.size(), 1u);
      EXPECT_NEAR(found[0].phi, 0.03, 1e-15);
      EXPECT_LT(norm(found[0].at.p - p), 1e-15);
    }
  }
}

}  // namespace
}  // namespace carom
