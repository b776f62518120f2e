// Curvatures of both surfaces, against those of the pair and against closed forms.
#include <gtest/gtest.h>

#include <random>

#include "carom/geometry/core_kinds.h"
#include "proximity/random_pairs.h"

namespace carom {
namespace {

Core ellipsoid_of(const Vec3& a) {
  Core c;
  c.kind = &core_ellipsoid, c.v[0] = a;
  return c;
}

TEST(OwnCurvature, OfTwoBallsIsThatOfEach) {
  const Contact c =
      distance(make_point_core({}, 0.5), {}, make_point_core({}, 0.25), {{}, {0.1, 0.7, 0.2}});
  EXPECT_DOUBLE_EQ(c.own_a.xx, 2.0);
  EXPECT_DOUBLE_EQ(c.own_a.yy, 2.0);
  EXPECT_DOUBLE_EQ(c.own_b.xx, 4.0);
  EXPECT_EQ(c.own_b.xy, 0.0);
}

// At the end of the half axis c the curvatures of an ellipsoid are c / a² and c / b²; a ball on it
// has its own in every direction.
TEST(OwnCurvature, OfABallOnAnEllipsoid) {
  const Contact c =
      distance(ellipsoid_of({0.5, 0.3, 0.2}), {}, make_point_core({}, 0.1), {{}, {0, 0, 0.31}});
  EXPECT_NEAR(c.own_a.xx, 0.2 / 0.09, 1e-11);
  EXPECT_NEAR(c.own_a.yy, 0.2 / 0.25, 1e-11);
  EXPECT_NEAR(c.own_a.xy, 0.0, 1e-11);
  EXPECT_NEAR(c.own_b.xx, 10.0, 1e-11);
  EXPECT_NEAR(c.own_b.yy, 10.0, 1e-11);
}

TEST(OwnCurvature, OfABallOverAnEdgeOfABox) {
  Core box;
  box.kind = &core_box, box.v[0] = {0.5, 0.5, 0.5}, box.rounding = 0.01;
  const Contact c = distance(box, {}, make_point_core({}, 0.1), {{}, {0.55, 0.56, 0.1}});
  EXPECT_NEAR(c.own_a.xx, 100.0, 1e-9);  // across the edge
  EXPECT_NEAR(c.own_a.yy, 0.0, 1e-9);    // along it
  EXPECT_NEAR(c.own_b.yy, 10.0, 1e-9);
}

// For every kind of pair: the forms of both surfaces add up to the principal curvatures of the
// gap, and the other order of the pair tells the same of each.
TEST(OwnCurvature, AddsUpToThatOfTheGapForRandomPairs) {
  const BodyPool pool;
  std::mt19937 random(20260117);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int seen = 0;
  for (int i = 0; i < 8000; ++i) {
    const PairBody& a = pool.bodies()[random() % pool.bodies().size()];
    const PairBody& b = pool.bodies()[random() % pool.bodies().size()];
    const double size = bounding_radius(a.core) + bounding_radius(b.core);
    const auto turn = [&] {
      return to_matrix(normalized(Quat{uniform(random), uniform(random), uniform(random), 0.1}));
    };
    const Pose X_WA{turn(), {}},
        X_WB{turn(), size * Vec3{uniform(random), uniform(random), uniform(random)}};
    const Contact c = distance(a.core, X_WA, b.core, X_WB);
    if (c.status != Status::ok || !std::isfinite(c.k1)) continue;
    ++seen;
    const double scale = 1e-6 * (std::abs(c.own_a.xx) + std::abs(c.own_b.xx) +
                                 std::abs(c.own_a.yy) + std::abs(c.own_b.yy) + 1.0 / size);
    EXPECT_NEAR(c.own_a.xx + c.own_b.xx, c.k1, scale) << a.name << " " << b.name << " " << i;
    EXPECT_NEAR(c.own_a.yy + c.own_b.yy, c.k2, scale) << a.name << " " << b.name << " " << i;
    EXPECT_NEAR(c.own_a.xy + c.own_b.xy, 0.0, scale) << a.name << " " << b.name << " " << i;
    const Contact other = distance(b.core, X_WB, a.core, X_WA);
    EXPECT_NEAR(other.own_b.xx + other.own_b.yy, c.own_a.xx + c.own_a.yy, scale) << a.name << i;
  }
  EXPECT_GT(seen, 1000);  // sharp ones have no finite curvature
}

}  // namespace
}  // namespace carom
