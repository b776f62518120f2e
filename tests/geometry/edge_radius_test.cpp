// Rounding edges: faces stay where they are, and nothing grows.
#include <gtest/gtest.h>

#include "example_shapes.h"

namespace carom {
namespace {

Shape made(const char* kind, std::vector<double> params, double q) {
  return make_shape({.kind = find_shape_kind(kind), .params = std::move(params), .edge_radius = q});
}

/// Expects the extent along `n` to be `expected` for several radii up to `largest`.
void expect_face(const char* kind, const std::vector<double>& params, const Vec3& n,
                 double expected, double largest) {
  for (const double part : {0.0, 0.01, 0.5, 1.0}) {
    const Shape s = made(kind, params, part * largest);
    EXPECT_NEAR(extent(s.core, normalized(n)), expected, 8 * kEps)
        << kind << " q=" << part * largest;
  }
}

TEST(EdgeRadius, LeavesTheFacesOfABoxWhereTheyAre) {
  expect_face("box", {0.4, 0.3, 0.2}, {1, 0, 0}, 0.2, 0.1);
  expect_face("box", {0.4, 0.3, 0.2}, {0, -1, 0}, 0.15, 0.1);
  expect_face("box", {0.4, 0.3, 0.2}, {0, 0, 1}, 0.1, 0.1);
}

TEST(EdgeRadius, LeavesBarrelAndCapsOfACylinderWhereTheyAre) {
  expect_face("cylinder", {0.1, 0.5}, {-1, 0, 0}, 0.25, 0.1);
  expect_face("cylinder", {0.1, 0.5}, {0, 3, 4}, 0.1, 0.1);
}

TEST(EdgeRadius, LeavesBaseAndMantleOfAConeWhereTheyAre) {
  // Mantle of (R, L): normal (R, L) / S in (x, r), at the distance R L / S from the base centre.
  const double R = 0.3, L = 0.4, S = 0.5;
  expect_face("cone", {R, L, 0.0}, {-1, 0, 0}, 0.0, R * L / (S + R));
  expect_face("cone", {R, L, 0.0}, {R, 0.6 * L, -0.8 * L}, R * L / S, R * L / (S + R));
}

TEST(EdgeRadius, LeavesAllFacesOfAFrustumWhereTheyAre) {
  // D = R - r = 0.3: mantle normal (D, L) / S at the distance R L / S; also widening upward.
  for (const bool up : {false, true}) {
    const std::vector<double> params = up ? std::vector{0.2, 0.4, 0.5} : std::vector{0.5, 0.4, 0.2};
    const double D = up ? -0.3 : 0.3;
    expect_face("cone", params, {-1, 0, 0}, 0.0, 0.1);
    expect_face("cone", params, {1, 0, 0}, 0.4, 0.1);
    expect_face("cone", params, {D, 0.4, 0.0}, params[0] * 0.4 / 0.5, 0.1);
  }
}

TEST(EdgeRadius, LeavesFacesAndRoundEndsOfABeamWhereTheyAre) {
  expect_face("beam", {0.5, 0.2, 0.1}, {0, 0, 1}, 0.05, 0.05);
  expect_face("beam", {0.5, 0.2, 0.1}, {0, 1, 0}, 0.1, 0.05);
  expect_face("beam", {0.5, 0.2, 0.1}, {1, 0, 0}, 0.35, 0.05);
  expect_face("beam", {0.5, 0.2, 0.1}, {3, 4, 0}, 0.25 * 0.6 + 0.1, 0.05);
}

TEST(EdgeRadius, NeverGrowsAShapeThatIsRoundedInwardAndShrinksItMonotonically) {
  std::mt19937 gen(1);
  for (const ShapeKind* kind : shape_catalogue()) {
    if (kind->rounding != Rounding::inward) continue;
    for (ShapeInput input : examples(*kind)) {
      const double limit = kind->max_edge_radius(make_shape(input).params);
      for (int i = 0; i < 200; ++i) {
        const Vec3 n = random_direction(gen);
        double before = kInf;
        for (const double part : {0.0, 1e-9, 0.1, 0.5, 1.0}) {
          input.edge_radius = part * limit;
          const double h = extent(make_shape(input).core, n);
          EXPECT_LE(h, before + 8 * kEps) << kind->name;
          // An edge or apex of opening angle a recedes by q (1/sin(a/2) - 1) at most.
          if (part == 1e-9) {
            EXPECT_NEAR(h, before, 20 * input.edge_radius) << kind->name;
          }
          before = h;
        }
      }
    }
  }
}

TEST(EdgeRadius, AddsALayerToShapesMadeOfPoints) {
  std::mt19937 gen(2);
  for (const ShapeKind* kind : shape_catalogue()) {
    if (kind->rounding != Rounding::layer) continue;
    for (ShapeInput input : examples(*kind)) {
      input.edge_radius = 0.0;
      const Shape bare = make_shape(input);
      input.edge_radius = 0.125;
      const Shape covered = make_shape(input);
      const Vec3 n = random_direction(gen);
      EXPECT_NEAR(extent(covered.core, n), extent(bare.core, n) + 0.125, 4 * kEps);
    }
  }
}

TEST(EdgeRadius, DefaultsToOneMillimetreOrOnePercentWhicheverIsLess) {
  EXPECT_EQ(made("box", {1, 1, 1}, kDefaultEdgeRadius).edge_radius, 1e-3);
  EXPECT_NEAR(made("box", {1, 1, 0.02}, kDefaultEdgeRadius).edge_radius, 2e-4, 1e-18);
  EXPECT_EQ(made("sphere", {1}, kDefaultEdgeRadius).edge_radius, 0.0);
  EXPECT_EQ(made("triangle", {0, 0, 0, 1, 0, 0, 0, 1, 0}, kDefaultEdgeRadius).edge_radius, 0.0);
}

TEST(EdgeRadius, BeyondTheShapeIsRefusedWithTheLargestThatFits) {
  Diagnostics d;
  ShapeInput input{.kind = find_shape_kind("box"), .params = {1, 1, 0.5}, .edge_radius = 0.3};
  EXPECT_FALSE(make_shape(input, d, {"scene.yaml", 3, 7}));
  ASSERT_EQ(d.error_count(), 1);
  EXPECT_EQ(to_string(d.all()[0]),
            "scene.yaml:3:7: error: the edge radius of a box is 0.3, it must be 0 or more and at "
            "most 0.25 for this size");
  input.edge_radius = -0.1;
  EXPECT_FALSE(make_shape(input, d));
}

}  // namespace
}  // namespace carom
