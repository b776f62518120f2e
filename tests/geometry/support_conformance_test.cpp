// Support mappings of every row of the catalogue.
#include <gtest/gtest.h>

#include <algorithm>

#include "example_shapes.h"

namespace carom {
namespace {

class EverySupport : public EveryShape {
 protected:
  void SetUp() override {
    if (!bounded(shape())) GTEST_SKIP() << "infinite";
  }
};

double largest(const Sym3& a) {
  return std::max({std::abs(a.xx), std::abs(a.yy), std::abs(a.zz), std::abs(a.xy), std::abs(a.xz),
                   std::abs(a.yz)});
}

TEST_P(EverySupport, PointIsInsideEveryOtherSupportPlane) {
  // p(n) lies in the body (below the planes of all m) and on its boundary (on that of n).
  std::mt19937 gen(1);
  const Core& core = shape().core;
  std::vector<Vec3> directions;
  for (int i = 0; i < 200; ++i) directions.push_back(random_direction(gen));
  for (std::size_t i = 0; i < 3; ++i) {  // the ties and the poles too
    Vec3 axis;
    axis[i] = 1.0;
    directions.push_back(axis);
    directions.push_back(-axis);
  }
  for (const Vec3& n : directions) {
    const Vec3 p = surface_point(core, n);
    EXPECT_NEAR(dot(n, p), extent(core, n), 8 * kEps * size());
    for (const Vec3& m : directions) {
      ASSERT_LE(dot(m, p), extent(core, m) + 8 * kEps * size());
    }
  }
}

TEST_P(EverySupport, DependsOnTheDirectionOnlyNotOnItsLength) {
  std::mt19937 gen(2);
  for (int i = 0; i < 200; ++i) {
    const Vec3 n = random_direction(gen);
    const Vec3 p = support(shape(), n);
    EXPECT_EQ(p, support(shape(), n));
    EXPECT_LE(norm(support(shape(), 1024.0 * n) - p), 4 * kEps * size());
  }
}

TEST_P(EverySupport, EnclosesTheTessellationTightly) {
  if (shape().kind->mass_as[0] != '\0') GTEST_SKIP() << "drawn larger than contact sees it";
  Shape sharp = shape();
  sharp.edge_radius = 0.0;
  const Core core = shape().kind->core(sharp);
  const TriangleMesh mesh = tessellate(sharp, 180);
  std::mt19937 gen(3);
  for (int i = 0; i < 100; ++i) {
    const Vec3 n = random_direction(gen);
    double highest = -kInf;
    for (const Vec3& p : mesh.vertices) highest = std::max(highest, dot(n, p));
    EXPECT_LE(highest, extent(core, n) + 8 * kEps * size());
    // Between two of 180 directions the support falls behind by at most 1 - cos(1°) of the
    // size across each of two angles; the spring is looser than the cylinder around it.
    if (shape().kind->convex) {
      EXPECT_GE(highest, extent(core, n) - 4e-4 * size());
    }
  }
}

TEST_P(EverySupport, BoundingBoxIsTheExtentAlongTheAxesAndHoldsEverySurfacePoint) {
  const BoundingBox box = bounding_box(shape());
  std::mt19937 gen(4);
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3 axis;
    axis[i] = 1.0;
    EXPECT_NEAR(box.upper[i], extent(shape().core, axis), 1e-14 * size());
    EXPECT_NEAR(box.lower[i], -extent(shape().core, -axis), 1e-14 * size());
  }
  for (int k = 0; k < 1000; ++k) {
    const Vec3 p = surface_point(shape().core, random_direction(gen));
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_LE(p[i], box.upper[i] + 8 * kEps * size());
      EXPECT_GE(p[i], box.lower[i] - 8 * kEps * size());
    }
  }
}

TEST_P(EverySupport, BoundingRadiusIsReachedAndNeverPassed) {
  std::mt19937 gen(5);
  double farthest = 0.0;
  for (int i = 0; i < 50000; ++i) {
    const Vec3 n = random_direction(gen);
    farthest = std::max(farthest, norm(surface_point(shape().core, n)));
  }
  EXPECT_LE(farthest, size() * (1.0 + 8 * kEps));
  // Of a user's function only the box is known, so its radius is a bound.
  const bool known = shape().kind->source != ShapeSource::support_function;
  EXPECT_GE(farthest, (known ? 0.99 : 0.5) * size());
}

TEST_P(EverySupport, HessianIsTheDerivativeOfTheSupportPoint) {
  std::mt19937 gen(6);
  const Core& core = shape().core;
  int skipped = 0;
  for (int k = 0; k < 500; ++k) {
    const Vec3 n = random_direction(gen);
    const Sym3 H = support_derivatives(core, n).hessian;
    EXPECT_EQ(support_derivatives(core, n).point, support(core, n));
    for (std::size_t i = 0; i < 3; ++i) {
      Vec3 unit;
      unit[i] = 1.0;
      const auto slope = [&](double from, double to) {
        return (support(core, n + to * unit) - support(core, n + from * unit)) / (to - from);
      };
      const double step = 1e-5;
      const Vec3 forward = slope(0.0, 2 * step), backward = slope(-2 * step, 0.0);
      if (norm(forward - backward) > 0.1 * (largest(H) + size())) {
        ++skipped;  // a vertex changes between: no derivative here
        continue;
      }
      // The error O(step²) of a central difference is a third of its change when the step
      // is doubled; round-off of a point over the step is 1e-11 of the size.
      const Vec3 fine = slope(-step, step), coarse = slope(-2 * step, 2 * step);
      EXPECT_LE(norm(H * unit - fine), norm(fine - coarse) + 1e-10 * size());
    }
  }
  EXPECT_LT(skipped, 30);
}

TEST_P(EverySupport, HessianHasTheNormalAsNullVectorAndNoNegativeRadius) {
  std::mt19937 gen(7);
  for (int k = 0; k < 500; ++k) {
    const Vec3 n = random_direction(gen), t = random_direction(gen);
    const SupportDerivatives d = surface_derivatives(shape().core, n);
    const double scale = largest(d.hessian) + size();
    // Differences of a user's function are no better than 1e-9.
    const bool exact = shape().kind->source != ShapeSource::support_function;
    const double tolerance = (exact ? 20 * kEps : 1e-8) * scale;
    EXPECT_LE(norm(d.hessian * n), tolerance);
    EXPECT_GE(dot(t, d.hessian * t), -tolerance);
    EXPECT_EQ(d.point, surface_point(shape().core, n));
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EverySupport, ::testing::ValuesIn(example_inputs()),
                         shape_name);

TEST(Support, OfAHalfSpaceIsFiniteAlongItsNormalOnly) {
  const Shape s = make_shape({.kind = find_shape_kind("half_space")});
  EXPECT_EQ(support(s, {0, 0, 1}), Vec3{});
  EXPECT_EQ(support(s, {0, 1e-9, 1}).y, kInf);
  EXPECT_EQ(bounding_box(s).upper.z, 0.0);
  EXPECT_EQ(bounding_box(s).lower.z, -kInf);
  EXPECT_EQ(bounding_radius(s), kInf);
}

TEST(Curvature, OfKnownSurfacesIsTheTextbookValue) {
  // Ellipsoid at the end of its axis a: radii b²/a and c²/a.
  const Shape e = make_shape({.kind = find_shape_kind("ellipsoid"), .params = {0.3, 0.2, 0.1}});
  const Sym3 H = surface_derivatives(e.core, {1, 0, 0}).hessian;
  EXPECT_NEAR(H.yy, 0.04 / 0.3, 1e-16);
  EXPECT_NEAR(H.zz, 0.01 / 0.3, 1e-16);
  // Cylinder on its barrel: its radius across, and only the edge radius along the axis,
  // for its normals stay perpendicular to the axis all along the barrel.
  const Shape c =
      make_shape({.kind = find_shape_kind("cylinder"), .params = {0.2, 1.0}, .edge_radius = 0.01});
  const Sym3 B = surface_derivatives(c.core, {0, 1, 0}).hessian;
  EXPECT_NEAR(B.zz, 0.2, 1e-15);
  EXPECT_NEAR(B.xx, 0.01, 1e-16);
  const Shape ball = make_shape({.kind = find_shape_kind("sphere"), .params = {0.7}});
  EXPECT_EQ(surface_derivatives(ball.core, {0, 0, 1}).hessian, (Sym3{0.7, 0.7, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace carom
