// Minima of the gap of smooth surfaces: reference tables, identities of a contact, and a search by
// many starts that must not find one more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "carom/geometry/shape.h"
#include "carom/proximity/finder.h"
#include "carom/proximity/smooth/smooth_search.h"

namespace carom {
namespace {

struct EggcrateRow {
  Vec3 point, surface_point, normal;
  double distance;
};
#include "data/eggcrate.inc"

Shape graph(const std::string& z, double x0, double x1, double y0, double y1) {
  ShapeInput input{.kind = find_shape_kind("graph")};
  input.formulas.texts = {{"z", z}};
  input.formulas.ranges = {{"x", x0, x1}, {"y", y0, y1}};
  return make_shape(std::move(input));
}

Core ball(double radius) { return make_point_core({}, radius); }

std::vector<SmoothMinimum> minima(const Shape& shape, const Core& body, const Vec3& p,
                                  double margin) {
  std::vector<SmoothMinimum> found;
  const Pose X = Pose::translation(p);
  find_minima(*shape.surface, {body, X}, margin, found);
  return found;
}

TEST(SmoothSurface, NearestPointsOfAnEggcrate) {
  const Shape shape = graph("0.1*cos(2*pi*x)*cos(2*pi*y)", -1.5, 1.5, -1.5, 1.5);
  const Core point = ball(0.0);
  for (const EggcrateRow& row : kEggcrate) {
    std::vector<SmoothMinimum> found;
    const Pose X = Pose::translation(row.point);
    find_minima(*shape.surface, {point, X}, 1.0, found, 1.0);
    ASSERT_FALSE(found.empty());
    const auto nearest =
        std::ranges::min_element(found, {}, [](const SmoothMinimum& m) { return std::abs(m.phi); });
    EXPECT_NEAR(nearest->phi, row.distance, 1e-14);
    EXPECT_LT(norm(nearest->at.p - row.surface_point), 1e-14);
    EXPECT_LT(norm(nearest->at.n - row.normal), 1e-14);
  }
}

/// Local minima of |c - p(x, y)| by steepest descent with halving from many starts: it shares no
/// code with the search.
std::vector<Vec3> minima_by_descent(double (*z)(double, double), const Vec3& c, double half,
                                    double most) {
  const auto value = [&](double x, double y) {
    const double h = z(x, y) - c.z;
    return (x - c.x) * (x - c.x) + (y - c.y) * (y - c.y) + h * h;
  };
  std::vector<Vec3> found;
  constexpr int kStarts = 24;
  for (int i = 0; i <= kStarts; ++i) {
    for (int j = 0; j <= kStarts; ++j) {
      double x = half * (2.0 * i / kStarts - 1.0), y = half * (2.0 * j / kStarts - 1.0);
      for (double step = 0.05; step > 1e-10;) {  // pattern search
        const double here = value(x, y);
        double best = here, bx = x, by = y;
        for (const auto& [dx, dy] :
             {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}) {
          const double v = value(x + dx * step, y + dy * step);
          if (v < best) best = v, bx = x + dx * step, by = y + dy * step;
        }
        if (best < here) {
          x = bx, y = by;
        } else {
          step *= 0.5;
        }
      }
      if (std::max(std::abs(x), std::abs(y)) > half || std::sqrt(value(x, y)) > most) continue;
      if (z(x, y) > c.z) continue;  // seen from inside
      const auto is_same = [&](const Vec3& p) { return std::hypot(p.x - x, p.y - y) < 1e-3; };
      if (std::ranges::none_of(found, is_same)) found.push_back({x, y, z(x, y)});
    }
  }
  return found;
}

TEST(SmoothSurface, NoMinimumIsMissed) {
  const auto z = [](double x, double y) {
    return 0.08 * std::cos(7.0 * x) * std::sin(5.0 * y) + 0.1 * x * x;
  };
  const Shape shape = graph("0.08*cos(7*x)*sin(5*y) + 0.1*x^2", -1, 1, -1, 1);
  std::mt19937 random(20);
  std::uniform_real_distribution<double> side(-0.6, 0.6), up(0.15, 0.5);
  for (int i = 0; i < 12; ++i) {
    const Vec3 c{side(random), side(random), up(random)};
    const double radius = 0.2, margin = 0.4;
    const std::vector<SmoothMinimum> found = minima(shape, ball(radius), c, margin);
    for (const Vec3& p : minima_by_descent(z, c, 1.0, radius + margin - 1e-6)) {
      const auto is_same = [&](const SmoothMinimum& m) { return norm(m.at.p - p) < 1e-3; };
      EXPECT_TRUE(std::ranges::any_of(found, is_same))
          << "case " << i << ": " << p.x << ", " << p.y << " is missing";
    }
  }
}

TEST(SmoothSurface, WitnessPointsAreOnTheNormal) {
  const Shape shape = graph("0.05*sin(6*x)*cos(4*y)", -1, 1, -1, 1);
  ShapeInput egg{.kind = find_shape_kind("ellipsoid"), .params = {0.2, 0.15, 0.1}};
  const Shape ellipsoid = make_shape(std::move(egg));
  std::mt19937 random(7);
  std::uniform_real_distribution<double> side(-0.5, 0.5), up(0.02, 0.3);
  std::normal_distribution<double> gauss;
  int count = 0;
  for (int i = 0; i < 300; ++i) {
    const Quat q = normalized(Quat{gauss(random), gauss(random), gauss(random), gauss(random)});
    const Pose X{to_matrix(q), {side(random), side(random), up(random)}};
    std::vector<SmoothMinimum> found;
    find_minima(*shape.surface, {ellipsoid.core, X}, 0.1, found);
    for (const SmoothMinimum& m : found) {
      ++count;
      EXPECT_LT(norm(m.y - m.at.p - m.phi * m.at.n), 2e-14);
      const Vec3 y_B = transpose_times(X.R, m.y - X.p);
      const double on = std::hypot(y_B.x / 0.2, y_B.y / 0.15, y_B.z / 0.1);
      EXPECT_NEAR(on, 1.0, 1e-13);
      const Vec3 n_B = transpose_times(X.R, -m.at.n);
      const Vec3 gradient{y_B.x / 0.04, y_B.y / 0.0225, y_B.z / 0.01};
      EXPECT_LT(norm(normalized(gradient) - n_B), 1e-12);
      // Nothing of the surface nearby comes closer along the normal than the body allows.
      EXPECT_NEAR(m.at.p.z, 0.05 * std::sin(6 * m.at.p.x) * std::cos(4 * m.at.p.y), 1e-15);
    }
  }
  EXPECT_GT(count, 100);
}

TEST(SmoothSurface, ASphereOfGraphsEqualsTheBuiltInOne) {
  // The upper half of a ball of radius 1, as far as its slope is finite.
  const Shape cap = graph("sqrt(1 - x^2 - y^2)", -0.6, 0.6, -0.6, 0.6);
  for (const Vec3& c : {Vec3{0.1, 0.2, 1.3}, {-0.3, 0.25, 1.1}, {0.0, 0.0, 1.2}}) {
    const std::vector<SmoothMinimum> found = minima(cap, ball(0.25), c, 0.5);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].phi, norm(c) - 1.25, 1e-14);
    EXPECT_LT(norm(found[0].at.n - normalized(c)), 1e-14);
    EXPECT_NEAR(trace(found[0].at.K), 2.0, 1e-12);
  }
}

TEST(SmoothSurface, AMinimumIsFollowedAndNeverTakenForAnother) {
  // A large ball over a valley touches on both sides; each side stays itself for any long move.
  const Shape shape = graph("0.1*cos(2*pi*x)", -2, 3, -1, 1);
  const Core body = ball(0.4);
  const std::vector<SmoothMinimum> found = minima(shape, body, {0.5, 0, 0.42}, 0.2);
  ASSERT_EQ(found.size(), 2u);
  const Pose from = Pose::translation({0.5, 0, 0.42});
  for (std::size_t i = 0; i < 2; ++i) {
    for (const double x : {0.45, 0.5, 0.55}) {
      SmoothMinimum at_end;
      const FollowEnd end = follow_minimum(*shape.surface, body, from, found[i].state,
                                           Pose::translation({x, 0.3, 0.40}), at_end);
      ASSERT_EQ(end, FollowEnd::found);
      EXPECT_EQ(at_end.at.p.x > 0.5, i == 1);
      SmoothMinimum direct;
      const Pose X = Pose::translation({x, 0.3, 0.40});
      ASSERT_TRUE(find_minimum(*shape.surface, {body, X}, at_end.state, direct));
      EXPECT_LT(norm(direct.at.p - at_end.at.p), 1e-14) << "independent of the start";
    }
    SmoothMinimum at_end;  // far to one side only one is left
    const FollowEnd end = follow_minimum(*shape.surface, body, from, found[i].state,
                                         Pose::translation({1.0, 0, 0.55}), at_end);
    EXPECT_EQ(end, i == 1 ? FollowEnd::found : FollowEnd::merged);
  }
  SmoothMinimum beyond;
  EXPECT_EQ(follow_minimum(*shape.surface, body, from, found[1].state,
                           Pose::translation({0.5, 1.4, 0.42}), beyond),
            FollowEnd::left);
}

TEST(SmoothSurface, WhatIsWrongIsTold) {
  const auto problem = [](const std::string& z, double x0, double x1) {
    ShapeInput input{.kind = find_shape_kind("graph")};
    input.formulas.texts = {{"z", z}};
    input.formulas.ranges = {{"x", x0, x1}, {"y", -1, 1}};
    Diagnostics out;
    EXPECT_FALSE(make_shape(std::move(input), out)) << z;
    return out.error_count() > 0 ? out.all().front().message : std::string();
  };
  EXPECT_NE(problem("cos(q)", -1, 1).find("there is no 'q'"), std::string::npos);
  EXPECT_NE(problem("x", 1, 1).find("upper end"), std::string::npos);
  EXPECT_NE(problem("1/x", -1, 1).find("bounded"), std::string::npos);
  EXPECT_NE(problem("exp(exp(x))", -1, 1e5).find("bounded"), std::string::npos);
  EXPECT_NE(problem("sqrt(x)", -1, 1).find("no value"), std::string::npos);
  EXPECT_NE(problem("0/0*x", -1, 1), "");
}

}  // namespace
}  // namespace carom
