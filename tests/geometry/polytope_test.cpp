// Convex hulls and the search for support vertices, against brute force.
#include "carom/geometry/polytope.h"

#include <gtest/gtest.h>

#include <random>

#include "carom/geometry/mass_properties.h"
#include "carom/geometry/tessellation.h"
#include "example_shapes.h"

namespace carom {
namespace {

std::vector<Vec3> random_points(std::size_t count, unsigned seed) {
  std::mt19937 gen(seed);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  std::vector<Vec3> points(count);
  for (Vec3& p : points) p = {u(gen), u(gen), u(gen)};
  return points;
}

/// Points in the corners, edges and faces of many cells: nothing is in general position.
std::vector<Vec3> lattice(int n) {
  std::vector<Vec3> points;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      for (int k = 0; k <= n; ++k) points.push_back({0.1 * i, 0.1 * j, 0.1 * k});
    }
  }
  return points;
}

std::vector<Vec3> drum(int n) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) {
    const double a = 6.283185307179586 * i / n;
    for (const double x : {-0.3, 0.3}) points.push_back({x, std::cos(a), std::sin(a)});
  }
  return points;
}

/// Support values of hull and cloud agree, and no point lies outside a face.
void expect_hull_of(const Polytope& p, const std::vector<Vec3>& points) {
  std::mt19937 gen(7);
  double size = 0.0;
  for (const Vec3& q : points) size = std::max(size, norm(q));
  EXPECT_EQ(p.radius, [&] {
    double r = 0.0;
    for (const Vec3& q : p.vertices) r = std::max(r, norm(q));
    return r;
  }());
  for (int i = 0; i < 2000; ++i) {
    Vec3 d = random_direction(gen);
    if (i % 4 == 0) d = Vec3{std::round(d.x), std::round(d.y), std::round(2 * d.z)};
    if (d == Vec3{}) continue;
    double highest = -kInf;
    for (const Vec3& q : points) highest = std::max(highest, dot(d, q));
    ASSERT_NEAR(dot(d, p.vertices[support_vertex(p, d)]), highest, 1e-14 * size);
    ASSERT_EQ(dot(d, p.vertices[support_vertex_by_scan(p, d)]), highest);
  }
  for (const PolytopeFace& f : p.faces) {
    EXPECT_NEAR(norm(f.normal), 1.0, 4 * kEps);
    for (const Vec3& q : points) ASSERT_LE(dot(f.normal, q), f.offset + 1e-13 * size);
    for (const std::uint32_t v : p.vertices_of(f)) {
      ASSERT_NEAR(dot(f.normal, p.vertices[v]), f.offset, 1e-13 * size);
    }
  }
}

TriangleMesh surface(const Polytope& p) { return {p.vertices, triangulate(p)}; }

TEST(ConvexHull, OfRandomPointsHoldsThemAllAndClimbsToTheBestVertex) {
  for (const std::size_t count : {4u, 10u, 100u, 3000u}) {
    const std::vector<Vec3> points = random_points(count, 5);
    const Polytope p = make_polytope(points);
    EXPECT_EQ(p.dimension, 3);
    expect_hull_of(p, points);
    EXPECT_TRUE(inspect(surface(p)).bounds_a_body());
  }
}

TEST(ConvexHull, OfPointsOnASphereKeepsThemAll) {
  const std::vector<Vec3> points = spread_directions(5000);
  const Polytope p = make_polytope(points);
  EXPECT_EQ(p.vertices.size(), 5000u);
  EXPECT_FALSE(p.start.empty());
  expect_hull_of(p, points);
  // 10000 nearly equilateral triangles of side a lie a²/8 below the sphere on average:
  // with a² = 4 A / sqrt(3), A = 4 pi / 10000, the volume misses 3/8 a² = 1.09e-3 of itself.
  const double volume = 4.0 / 3.0 * 3.141592653589793;
  EXPECT_NEAR(1.0 - polyhedron_properties(surface(p)).volume / volume, 1.09e-3, 1e-4);
}

TEST(ConvexHull, OfALatticeIsABoxOfSixSquares) {
  const std::vector<Vec3> points = lattice(6);
  const Polytope p = make_polytope(points);
  EXPECT_EQ(p.vertices.size(), 8u);
  ASSERT_EQ(p.faces.size(), 6u);
  for (const PolytopeFace& f : p.faces) EXPECT_EQ(f.count, 4u);
  expect_hull_of(p, points);
  EXPECT_NEAR(polyhedron_properties(surface(p)).volume, 0.216, 1e-15);
}

TEST(ConvexHull, OfADrumHasTwoRoundFacesAndClimbsAcrossThem) {
  const std::vector<Vec3> points = drum(100);
  const Polytope p = make_polytope(points);
  EXPECT_EQ(p.vertices.size(), 200u);
  EXPECT_EQ(p.faces.size(), 102u);
  EXPECT_FALSE(p.start.empty());
  expect_hull_of(p, points);
}

TEST(ConvexHull, DoesNotMindDuplicatesOrDistanceFromTheOrigin) {
  std::vector<Vec3> points = random_points(200, 9);
  points.insert(points.end(), points.begin(), points.begin() + 100);
  const double volume = polyhedron_properties(surface(make_polytope(points))).volume;
  for (Vec3& p : points) p += Vec3{4096, -2048, 1024};
  // Coordinates of 4096 have a rounding of 5e-13, so has the volume of a size 8 body.
  EXPECT_NEAR(polyhedron_properties(surface(make_polytope(points))).volume, volume, 1e-11);
}

TEST(ConvexHull, KnowsTheDimensionOfFlatInput) {
  std::vector<Vec3> square{{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {0.5, 0.5, 1}, {0.5, 0, 1}};
  Polytope p = make_polytope(square);
  EXPECT_EQ(p.dimension, 2);
  EXPECT_EQ(p.vertices.size(), 4u);
  EXPECT_EQ(p.faces.size(), 2u);
  expect_hull_of(p, square);
  const std::vector<Vec3> line{{0, 0, 0}, {1, 2, 3}, {2, 4, 6}, {-1, -2, -3}};
  p = make_polytope(line);
  EXPECT_EQ(p.dimension, 1);
  EXPECT_EQ(p.vertices.size(), 2u);
  expect_hull_of(p, line);
  EXPECT_EQ(make_polytope(std::vector<Vec3>(5, Vec3{1, 1, 1})).dimension, 0);
  EXPECT_TRUE(make_polytope({}).vertices.empty());
  EXPECT_TRUE(make_polytope(std::vector<Vec3>{{0, 0, kInf}}).vertices.empty());
}

TEST(ConvexHull, OfAlmostFlatInputIsEitherFlatOrABodyAndNeverWrong) {
  for (double thickness = 1e-1; thickness > 1e-17; thickness *= 0.1) {
    std::vector<Vec3> points = random_points(300, 11);
    for (Vec3& p : points) p.z *= thickness;
    const Polytope p = make_polytope(points);
    ASSERT_GE(p.dimension, 2);
    EXPECT_EQ(p.dimension, thickness > 2e-10 ? 3 : 2) << thickness;
    std::mt19937 gen(3);
    for (int i = 0; i < 200; ++i) {
      const Vec3 d = random_direction(gen);
      double highest = -kInf;
      for (const Vec3& q : points) highest = std::max(highest, dot(d, q));
      EXPECT_NEAR(dot(d, p.vertices[support_vertex(p, d)]), highest, 1e-9) << thickness;
    }
  }
}

TEST(HullShape, TellsWhatToUseForFlatPoints) {
  Diagnostics d;
  ShapeInput input{.kind = find_shape_kind("hull")};
  input.mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  EXPECT_FALSE(make_shape(input, d));
  EXPECT_EQ(d.all().back().message, "the points of the hull lie in a plane; use a polygon");
  input.kind = find_shape_kind("polygon");
  EXPECT_TRUE(make_shape(input, d));
  input.mesh.vertices[0].z = 0.5;
  EXPECT_FALSE(make_shape(input, d));
  EXPECT_EQ(d.all().back().message, "the points of the polygon do not lie in a plane; use a hull");
}

}  // namespace
}  // namespace carom
