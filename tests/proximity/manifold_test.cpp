// Manifolds against closed forms, against the definition of their weights by sampling, and
// against themselves: exchanged, rotated, renumbered.
#include "carom/proximity/manifold/manifold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>

#include "manifold_scenes.h"

namespace carom {
namespace {

double weight_sum(const Manifold& m) {
  double sum = 0.0;
  for (const ManifoldPoint& p : points(m)) sum += p.weight;
  return sum;
}

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  EXPECT_LE(norm(a - b), tolerance)
      << a.x << ' ' << a.y << ' ' << a.z << " is not " << b.x << ' ' << b.y << ' ' << b.z;
}

/// Where the resultant of parallel springs meets the plane of the contact.
Vec3 centre_of_pressure(const Manifold& m) {
  Vec3 sum;
  double force = 0.0;
  for (const ManifoldPoint& p : points(m)) {
    sum += -p.weight * p.phi * p.p_WC;
    force += -p.weight * p.phi;
  }
  return sum / force;
}

TEST(Manifold, OfABoxAtRestCarriesItBelowItsCentreOfMass) {
  const Shape ground = half_space(), box = a_box({0.3, 0.2, 0.1}, 1e-3);
  const Pose X{rotation_z(0.3), {0.7, -0.4, 0.05 - 1e-6}};
  const Manifold m = manifold_of(ground, {}, box, X);
  ASSERT_EQ(m.count, 4);
  for (const ManifoldPoint& p : points(m)) {
    EXPECT_NEAR(p.weight, 0.25, 1e-15);
    EXPECT_NEAR(p.phi, -1e-6, 1e-15);
  }
  // A lever of 1e-15 m is rounding of the pose; N9 asks for 1e-9.
  const Vec3 c = centre_of_pressure(m);
  EXPECT_NEAR(c.x, 0.7, 1e-14);
  EXPECT_NEAR(c.y, -0.4, 1e-14);
  EXPECT_NEAR(m.area, 0.298 * 0.198, 1e-15);  // the flat part: without the rounded edges
  EXPECT_NEAR(m.length, 0.298, 1e-15);
  EXPECT_NEAR(m.width, 0.198, 1e-15);
  EXPECT_NEAR(std::abs(dot(m.length_direction_W, X.R.col(0))), 1.0, 1e-14);
}

TEST(Manifold, OfABoxTurnedOnAnEqualBoxIsAnOctagon) {
  const Shape box = a_box({0.2, 0.2, 0.2}, 0.0);
  const Manifold m =
      manifold_of(box, {}, box, {rotation_z(0.25 * std::numbers::pi), {0, 0, 0.2 - 1e-6}});
  ASSERT_EQ(m.count, 8);
  for (const ManifoldPoint& p : points(m)) EXPECT_NEAR(p.weight, 0.125, 1e-14);
  EXPECT_NEAR(m.area, 8.0 * (std::sqrt(2.0) - 1.0) * 0.01, 1e-15);
  expect_near(centre_of_pressure(m), {0, 0, 0.1 - 0.5e-6}, 1e-14);
}

TEST(Manifold, OfAnOverhangingBoxEndsAtTheEdge) {
  const Shape table = a_box({1, 1, 0.1}, 0.0), box = a_box({0.2, 0.1, 0.1}, 0.0);
  const Manifold m = manifold_of(table, {}, box, {{}, {0.45, 0.2, 0.1}});
  ASSERT_EQ(m.count, 4);
  EXPECT_NEAR(m.area, 0.15 * 0.1, 1e-15);
  for (const ManifoldPoint& p : points(m)) {
    EXPECT_LE(p.p_WC.x, 0.5 + 1e-15);
    EXPECT_NEAR(p.phi, 0.0, 1e-15);
    EXPECT_NEAR(p.weight, 0.25, 1e-14);
  }
}

TEST(Manifold, OfAStandingCylinderIsItsRim) {
  const Shape ground = half_space(), can = a_cylinder(0.1, 0.3, 1e-3);
  const Pose X{rotation_y(0.5 * std::numbers::pi), {0.2, 0.1, 0.15 - 1e-6}};
  const Manifold m = manifold_of(ground, {}, can, X);
  ASSERT_EQ(m.count, 8);
  for (const ManifoldPoint& p : points(m)) {
    EXPECT_NEAR(p.weight, 0.125, 1e-12);
    EXPECT_NEAR(std::hypot(p.p_WC.x - 0.2, p.p_WC.y - 0.1), 0.099, 1e-13);
    EXPECT_NEAR(p.phi, -1e-6, 1e-15);
  }
  EXPECT_NEAR(m.area, std::numbers::pi * 0.099 * 0.099, 1e-13);
}

TEST(Manifold, OfALyingCylinderOverAnEdgeIsTheSupportedPartOfItsRuling) {
  const Shape table = a_box({1, 1, 0.1}, 0.0), roller = a_cylinder(0.05, 0.4, 0.0);
  const Manifold m = manifold_of(table, {}, roller, {{}, {0.4, 0.1, 0.1 - 1e-6}});
  ASSERT_EQ(m.count, 2);
  EXPECT_NEAR(m.length, 0.3, 1e-12);  // from 0.2 to the edge at 0.5; clipped to 1e-13
  EXPECT_NEAR(m.width, 0.0, 1e-9);    // the root of a difference of rounding size
  EXPECT_EQ(m.area, 0.0);
  for (const ManifoldPoint& p : points(m)) {
    EXPECT_NEAR(p.weight, 0.5, 1e-14);
    EXPECT_NEAR(p.p_WC.y, 0.1, 1e-14);
  }
}

TEST(Manifold, OfStackedDiscsIsTheirLens) {
  const Shape can = a_cylinder(0.1, 0.2, 0.0);
  const Pose lower{rotation_y(0.5 * std::numbers::pi), {}},
      upper{rotation_y(0.5 * std::numbers::pi), {0.1, 0, 0.2}};
  const Manifold m = manifold_of(can, lower, can, upper);
  // Two circles of radius r at distance r: r² (2 pi / 3 - sqrt(3) / 2).
  EXPECT_NEAR(m.area, 0.01 * (2.0 * std::numbers::pi / 3.0 - 0.5 * std::sqrt(3.0)), 1e-14);
  EXPECT_NEAR(weight_sum(m), 1.0, 1e-14);
  EXPECT_NEAR(centre_of_pressure_of_equal_springs(m).x, 0.05, 1e-13);
  const Manifold coaxial = manifold_of(can, lower, can, {lower.R, {0, 0, 0.2}});
  EXPECT_NEAR(coaxial.area, std::numbers::pi * 0.01, 1e-13);
  EXPECT_EQ(coaxial.count, 8);
}

TEST(Manifold, OfADiscOnATriangleHasTheAreaOfTheirIntersection) {
  // A circle through the middle of a half plane's edge: half a disc, by a long triangle.
  const Shape can = a_cylinder(0.1, 0.2, 0.0);
  const Shape plate = make_shape({.kind = find_shape_kind("triangle"),
                                  .params = {-5, 0, 0, 5, 0, 0, 0, 5, 0},
                                  .edge_radius = 0.0});
  const Manifold m = manifold_of(plate, {}, can, {rotation_y(0.5 * std::numbers::pi), {0, 0, 0.1}});
  EXPECT_NEAR(m.area, 0.5 * std::numbers::pi * 0.01, 1e-13);
  EXPECT_NEAR(weight_sum(m), 1.0, 1e-14);
}

TEST(Manifold, OfCurvedBodiesIsThePointOfTheirDistance) {
  const Shape ball = make_shape({.kind = find_shape_kind("sphere"), .params = {0.1}});
  const Shape box = a_box({0.4, 0.3, 0.2}, 0.01);
  const Pose X{rotation_x(0.7), {0.05, 0.1, 0.25}};
  const Contact c = distance(box.core, {}, ball.core, X);
  const Manifold m = manifold_of(box, {}, ball, X);
  ASSERT_EQ(m.count, 1);
  EXPECT_EQ(m.points[0].weight, 1.0);
  EXPECT_NEAR(m.points[0].phi, c.phi, 1e-16);
  expect_near(m.points[0].p_WC, 0.5 * (c.p_WCa + c.p_WCb), 1e-16);
}

TEST(Manifold, OfCrossedCylindersIsOnePointAndOfParallelOnesALine) {
  const Shape rod = a_cylinder(0.05, 0.6, 0.0);
  const Vec3 above{0.01, 0.02, 0.1 - 1e-6};
  const Manifold crossed = manifold_of(rod, {}, rod, {rotation_z(0.5), above});
  for (const ManifoldPoint& p : points(crossed)) {
    expect_near(p.p_WC, crossed.points[0].p_WC, 1e-15);
  }
  const Manifold parallel = manifold_of(rod, {}, rod, {{}, {0.1, 0.0, 0.1 - 1e-6}});
  ASSERT_EQ(parallel.count, 2);
  EXPECT_NEAR(parallel.length, 0.5, 1e-12);
}

/// The definition of the weights, by sampling tilts: the share of those for which a vertex
/// of the hull is the lowest.
TEST(Manifold, WeighsCornersByTheTiltsThatMakeThemLowest) {
  std::mt19937 gen(5);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const double tilt = 1e-2;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Vec3> base{{0, 0, 0.3}};
    for (int i = 0; i < 5; ++i) base.push_back({any(gen), any(gen), 0.0});
    const Shape hull = a_hull(base);
    const Vec3 axis = normalized(Vec3{any(gen), any(gen), 0.0});
    const Pose X{axis_angle(axis, 1.5 * tilt * std::abs(any(gen))), {0, 0, 0.1}};
    const Manifold m = manifold_of(half_space(), {}, hull, X, tilt);
    const auto& vertices = hull.mesh->hull.vertices;
    std::vector<double> share(vertices.size(), 0.0);
    double all = 0.0;
    constexpr int n = 200;
    for (int i = 0; i < n * n; ++i) {
      const double ux = 2.0 * (i % n + 0.5) / n - 1.0, uy = 2.0 * (i / n + 0.5) / n - 1.0;
      if (ux * ux + uy * uy > 1.0) continue;
      const Vec3 tilted{tilt * ux, tilt * uy, 1.0};
      const auto lowest = std::min_element(vertices.begin(), vertices.end(), [&](auto& p, auto& q) {
        return dot(tilted, X * p) < dot(tilted, X * q);
      });
      share[static_cast<std::size_t>(lowest - vertices.begin())] += 1.0;
      all += 1.0;
    }
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      const Vec3 at = X * vertices[v];
      double weight = 0.0;
      for (const ManifoldPoint& p : points(m)) {
        if (std::hypot(p.p_WC.x - at.x, p.p_WC.y - at.y) < 1e-9) weight += p.weight;
      }
      // A boundary of the disc crosses about 4 n of the n² cells: error of half a cell each.
      EXPECT_NEAR(weight, share[v] / all, 2.0 / n) << "trial " << trial << ", vertex " << v;
    }
  }
}

TEST(Manifold, NeverLiesDeeperThanTheDistance) {
  for (const Scene& s : scenes()) {
    for (const double x : {0.0, 0.1, 0.25, 0.5, 0.9}) {
      const Placed p = s.place(x);
      const Manifold m = manifold_of(s.a, p.X_WA, s.b, p.X_WB);
      const Contact c = distance(s.a.core, p.X_WA, s.b.core, p.X_WB);
      EXPECT_NEAR(weight_sum(m), 1.0, 1e-14) << s.name;
      for (const ManifoldPoint& q : points(m)) {
        // Where a rim meets something it is drawn as a circle: r slope³ / 2, slope < 4e-4.
        // The round end of a beam is drawn by tangents: 0.005 r slope, r = 0.03.
        const bool beam = s.name.starts_with("beam");
        EXPECT_GE(q.phi, c.phi - (beam ? 6e-8 : 2e-12)) << s.name << " at " << x;
        EXPECT_GT(q.weight, 0.0);
      }
    }
  }
}

TEST(Manifold, DoesNotDependOnWhichBodyIsCalledA) {
  for (const Scene& s : scenes()) {
    for (const double x : {0.0, 0.3, 0.7, 1.0}) {
      const Placed p = s.place(x);
      const Spring ab = spring_of(manifold_of(s.a, p.X_WA, s.b, p.X_WB));
      const Spring ba = spring_of(manifold_of(s.b, p.X_WB, s.a, p.X_WA));
      const double scale = norm(ab.force);
      // Normals of distance() agree to 1e-11, and turn a tilt of 1e-4: 1e-7 of the weights.
      EXPECT_LE(norm(ab.force + ba.force), 1e-6 * scale) << s.name << " at " << x;
      EXPECT_LE(norm(ab.moment + ba.moment), 1e-6 * scale) << s.name << " at " << x;
    }
  }
}

TEST(Manifold, TurnsWithTheWorld) {
  const Pose T{axis_angle(normalized(Vec3{1, -2, 0.5}), 1.1), {0.3, 0.2, -0.4}};
  for (const Scene& s : scenes()) {
    for (const double x : {0.0, 0.3, 0.7, 1.0}) {
      const Placed p = s.place(x);
      const Spring here = spring_of(manifold_of(s.a, p.X_WA, s.b, p.X_WB));
      const Spring there = spring_of(manifold_of(s.a, T * p.X_WA, s.b, T * p.X_WB));
      const Vec3 force = T.R * here.force;
      const Vec3 moment = T.R * here.moment + cross(T.p, force);
      const double scale = norm(force);
      EXPECT_LE(norm(there.force - force), 1e-6 * scale) << s.name << " at " << x;
      EXPECT_LE(norm(there.moment - moment), 1e-6 * scale) << s.name << " at " << x;
    }
  }
}

TEST(Manifold, DoesNotDependOnTheNumberingOfVertices) {
  std::mt19937 gen(9);
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back({i & 1 ? 0.1 : -0.1, i & 2 ? 0.15 : -0.15, i & 4 ? 0.05 : -0.05});
  }
  const Shape box = a_box({0.2, 0.3, 0.1}, 0.0), table = a_box({1, 0.25, 0.1}, 0.0);
  for (const double angle : {0.0, 2e-5, 3e-4, 0.1}) {
    const Pose X{rotation_z(0.4) * rotation_x(angle), {0.1, 0.05, 0.1 + 0.15 * std::sin(angle)}};
    const Spring expected = spring_of(manifold_of(table, {}, box, X));
    for (int k = 0; k < 5; ++k) {
      std::shuffle(corners.begin(), corners.end(), gen);
      const Spring s = spring_of(manifold_of(table, {}, a_hull(corners), X));
      EXPECT_LE(norm(s.force - expected.force), 1e-7 * norm(expected.force) + 1e-15) << angle;
      EXPECT_LE(norm(s.moment - expected.moment), 1e-7 * norm(expected.force) + 1e-15) << angle;
    }
  }
}

TEST(RegimeShares, GoFromPointToLineToFace) {
  Manifold m;
  m.length = m.width = 0.0;
  EXPECT_EQ(regime_shares(m, 1e-3).point, 1.0);
  m.length = 0.2;
  EXPECT_GT(regime_shares(m, 1e-4).line, 0.999);
  m.width = 0.2;
  EXPECT_GT(regime_shares(m, 1e-4).face, 0.999);
  const RegimeShares s = regime_shares(m, 0.1);
  EXPECT_NEAR(s.point + s.line + s.face, 1.0, 1e-15);
  EXPECT_NEAR(s.point, 0.5, 1e-15);
}

}  // namespace
}  // namespace carom
