// Sets of convex pieces: found through trees of boxes, and as if every pair were tried.
#include "carom/proximity/piece_contacts.h"
#include "carom/geometry/superquadric_core.h"

#include <gtest/gtest.h>

#include "geometry/example_shapes.h"
#include "support/allocation_counter.h"

namespace carom {
namespace {

/// A square plate of 2 n² triangles in z = height(x, y), side 2.
Shape plate(int n, double (*height)(double, double), double layer = 0.0) {
  ShapeInput input{.kind = find_shape_kind("triangle_mesh"), .edge_radius = layer};
  const auto row = static_cast<std::uint32_t>(n + 1);
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      const double x = -1.0 + 2.0 * i / n, y = -1.0 + 2.0 * j / n;
      input.mesh.vertices.push_back({x, y, height(x, y)});
    }
  }
  for (std::uint32_t i = 0; i + 1 < row; ++i) {
    for (std::uint32_t j = 0; j + 1 < row; ++j) {
      const std::uint32_t a = i * row + j;
      input.mesh.triangles.push_back({a, a + row, a + 1});
      input.mesh.triangles.push_back({a + row, a + row + 1, a + 1});
    }
  }
  return make_shape(input);
}
double flat(double, double) { return 0.0; }
double bumpy(double x, double y) { return 0.1 * std::sin(7.0 * x) * std::cos(5.0 * y); }

Shape sphere(double radius) {
  return make_shape({.kind = find_shape_kind("sphere"), .params = {radius}});
}

Pose random_pose(std::mt19937& gen, double reach) {
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  return {axis_angle(random_direction(gen), 3.0 * u(gen)),
          {reach * u(gen), reach * u(gen), reach * u(gen)}};
}

/// All pairs of pieces, without trees.
double nearest_by_scan(const Shape& A, const Pose& X, const Shape& B, const Pose& Y) {
  double best = kInf;
  for (const Core& a : contact_cores(A)) {
    for (const Core& b : contact_cores(B)) best = std::min(best, distance(a, X, b, Y).phi);
  }
  return best;
}

TEST(PieceContacts, NearestIsThatOfAllPairs) {
  std::mt19937 gen(5);
  std::vector<NamedShape> others = example_shapes();
  // Smooth surfaces have no pieces; deep in superquadrics an answer need not be the least.
  std::erase_if(others, [](const NamedShape& s) {
    return s.shape.surface != nullptr || s.shape.core.kind == &core_superquadric;
  });
  const Shape terrain = plate(6, bumpy, 0.01);
  for (int trial = 0; trial < 800; ++trial) {
    const Shape& other = others[gen() % others.size()].shape;
    const Pose X = random_pose(gen, 0.3), Y = random_pose(gen, 0.8);
    // The same kernel on the same pair: equal to the last bit.
    EXPECT_EQ(nearest_contact(terrain, X, other, Y).contact.phi,
              nearest_by_scan(terrain, X, other, Y))
        << trial << ": " << other.kind->name;
    EXPECT_EQ(nearest_contact(other, Y, terrain, X).contact.phi,
              nearest_by_scan(other, Y, terrain, X))
        << trial << ": " << other.kind->name;
  }
}

TEST(PieceContacts, AreOrderedAndWithinTheMargin) {
  std::mt19937 gen(6);
  const Shape terrain = plate(8, bumpy),
              box = make_shape({.kind = find_shape_kind("box"), .params = {0.5, 0.5, 0.5}});
  std::vector<PieceContact> found;
  int several = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Pose X = random_pose(gen, 0.2), Y = random_pose(gen, 0.4);
    find_contacts(terrain, X, box, Y, 0.02, found);
    several += found.size() > 1;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_LE(found[i].contact.phi, 0.02);
      if (i > 0) {
        EXPECT_LT(found[i - 1].key(), found[i].key());
      }
    }
    const double nearest = nearest_contact(terrain, X, box, Y).contact.phi;
    EXPECT_EQ(found.empty(), nearest > 0.02);
    // What is left out is never the nearest; of two that are equal to rounding one stays.
    double least = kInf;
    for (const PieceContact& c : found) least = std::min(least, c.contact.phi);
    if (!found.empty()) {
      EXPECT_NEAR(least, nearest, 1e-12);
    }
  }
  EXPECT_GT(several, 20);
}

TEST(PieceContacts, BallOnAFlatMeshHasOneContactAcrossItsSeams) {
  const Shape ground = plate(8, flat), ball = sphere(0.2);
  std::vector<PieceContact> found;
  for (int i = 0; i <= 400; ++i) {
    const double x = -0.7 + 1.4 * i / 400.0;
    find_contacts(ground, {}, ball, {{}, {x, 0.37 * x, 0.199}}, 0.0, found);
    ASSERT_EQ(found.size(), 1u) << x;
    // Closed form: the height over the plane; the pose is rounded at 1e-16.
    EXPECT_NEAR(found[0].contact.phi, -0.001, 1e-15);
    EXPECT_NEAR(found[0].contact.n_AB_W.z, 1.0, 1e-14);
  }
}

/// A pyramid of triangles on its tip, which is its origin.
Shape pyramid() {
  ShapeInput input{.kind = find_shape_kind("triangle_mesh"), .edge_radius = 0.0};
  input.mesh.vertices = {{0, 0, 0}, {0.2, 0, 0.3}, {0, 0.2, 0.3}, {-0.2, 0, 0.3}, {0, -0.2, 0.3}};
  input.mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 4, 3}, {0, 1, 4}, {1, 2, 3}, {1, 3, 4}};
  return make_shape(input);
}

// Four triangles end at the tip and up to six at the vertex below it: 24 pairs, one place.
TEST(PieceContacts, TipOnAFlatMeshHasOneContactWhereSeamsMeet) {
  const Shape ground = plate(8, flat), tip = pyramid();
  std::vector<PieceContact> found;
  for (const Vec3& p : {Vec3{0.25, 0.25, 1e-3}, Vec3{0.25, 0.3, 1e-3}, Vec3{0.31, 0.28, 1e-3}}) {
    find_contacts(ground, {}, tip, {{}, p}, 2e-3, found);
    ASSERT_EQ(found.size(), 1u) << p.x << ' ' << p.y;
    EXPECT_NEAR(found[0].contact.phi, 1e-3, 1e-15);  // closed form: its height
    find_contacts(tip, {{}, p}, ground, {}, 2e-3, found);
    ASSERT_EQ(found.size(), 1u) << p.x << ' ' << p.y;
  }
}

TEST(PieceContacts, AreFoundWithoutAllocation) {
  if (!carom::testing::can_count_allocations()) GTEST_SKIP() << "a sanitizer brings its own malloc";
  const Shape ground = plate(8, flat),
              box = make_shape({.kind = find_shape_kind("box"), .params = {0.5, 0.5, 0.5}});
  std::vector<PieceContact> found;
  const auto find = [&](double x) {
    find_contacts(ground, {}, box, {axis_angle({0, 0, 1}, x), {x, 0.0, 0.249}}, 0.01, found);
  };
  found.reserve(128);  // all 128 triangles
  const long before = testing::allocation_count();
  std::size_t most = 0;
  for (int i = 0; i < 20; ++i) find(0.02 * i), most = std::max(most, found.size());
  EXPECT_EQ(testing::allocation_count(), before);
  EXPECT_GT(most, 1u);
}

TEST(PieceContacts, BallInAGrooveTouchesBothSides) {
  const Shape groove = plate(2, [](double x, double) { return std::abs(x); });
  const Shape ball = sphere(0.3);
  std::vector<PieceContact> found;
  // Tangent to both planes of a right angle: the centre is sqrt(2) r above the bottom.
  find_contacts(groove, {}, ball, {{}, {0.0, 0.3, 0.3 * std::sqrt(2.0) - 1e-3}}, 0.0, found);
  ASSERT_EQ(found.size(), 2u);
  for (const PieceContact& c : found) {
    EXPECT_NEAR(c.contact.phi, -1e-3 * std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(std::abs(c.contact.n_AB_W.x), std::sqrt(0.5), 1e-14);
  }
}

TEST(PieceContacts, LeaveHollowsOpen) {
  // The example is an L; its hull covers the corner between the legs, its pieces do not.
  for (const char* kind : {"mesh", "triangle_mesh"}) {
    ShapeInput input = examples(*find_shape_kind(kind))[0];
    const Shape corner = make_shape(input);
    const double phi =
        nearest_contact(corner, {}, sphere(0.01), {{}, {0.15, 0.15, 0.1}}).contact.phi;
    if (corner.pieces) {
      EXPECT_NEAR(phi, 0.04, 1e-15);  // 0.05 from both legs
    } else {
      EXPECT_LT(phi, 0.0);
    }
  }
}

TEST(ConvexPieces, AreTheHullsOfConnectedParts) {
  ShapeInput input{.kind = find_shape_kind("convex_pieces")};
  const ShapeInput cube = examples(*find_shape_kind("box"))[0];
  const TriangleMesh one = tessellate(make_shape(cube));
  for (const double shift : {-0.5, 0.5}) {
    const auto first = static_cast<std::uint32_t>(input.mesh.vertices.size());
    for (const Vec3& p : one.vertices) input.mesh.vertices.push_back(p + Vec3{shift, 0.0, 0.0});
    for (const Triangle& t : one.triangles) {
      input.mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
  }
  const Shape pair = make_shape(input);
  ASSERT_EQ(contact_cores(pair).size(), 2u);
  const BoundingBox box = bounding_box(make_shape(cube));
  const double phi = nearest_contact(pair, {}, sphere(0.01), {}).contact.phi;
  EXPECT_NEAR(phi, 0.5 - box.upper.x - 0.01, 1e-15);
}

}  // namespace
}  // namespace carom
