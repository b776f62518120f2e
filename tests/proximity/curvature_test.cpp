// Curvature at the contact against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/distance.h"

namespace carom {
namespace {

constexpr double kTolerance = 1e-12;  // relative: a few roundings of radii of order 1

Core half_space_core() {
  Core c;
  c.kind = &core_half_space;
  return c;
}
Core ellipsoid(const Vec3& a) {
  Core c;
  c.kind = &core_ellipsoid, c.v[0] = a;
  return c;
}
Core box(const Vec3& h, double q) {
  Core c;
  c.kind = &core_box, c.v[0] = h, c.rounding = q;
  return c;
}
Pose at(const Vec3& p, const Mat3& R = {}) { return {R, p}; }

TEST(ContactCurvature, OfTwoBallsIsTheSumOfTheirs) {
  const Contact c =
      distance(make_point_core({}, 0.5), {}, make_point_core({}, 0.25), at({0, 0.7, 0}));
  EXPECT_NEAR(c.k1, 6.0, 6 * kTolerance);
  EXPECT_NEAR(c.k2, 6.0, 6 * kTolerance);
}

// At the end of the half axis c the curvatures of an ellipsoid are c / a² and c / b².
TEST(ContactCurvature, OfAnEllipsoidOnAPlaneIsItsOwn) {
  const Contact c = distance(half_space_core(), {}, ellipsoid({0.5, 0.3, 0.2}), at({0, 0, 0.19}));
  EXPECT_NEAR(c.phi, -0.01, 1e-15);
  EXPECT_NEAR(c.k1, 0.2 / 0.09, kTolerance);
  EXPECT_NEAR(c.k2, 0.2 / 0.25, kTolerance);
  EXPECT_NEAR(std::abs(c.k1_direction_W.y), 1.0, kTolerance);
}

TEST(ContactCurvature, OfAnEllipsoidOnABoxFaceIsItsOwn) {
  const Contact c =
      distance(box({1, 1, 0.1}, 0.0), {}, ellipsoid({0.5, 0.3, 0.2}), at({0, 0, 0.31}));
  EXPECT_NEAR(c.phi, 0.01, 1e-15);
  EXPECT_NEAR(c.k1, 0.2 / 0.09, kTolerance);
  EXPECT_NEAR(c.k2, 0.2 / 0.25, kTolerance);
  EXPECT_EQ(c.feature_a.dimension, 2);
}

// Each cylinder is curved across its own axis only.
TEST(ContactCurvature, OfCrossedCylindersHasOneFromEach) {
  const Core a = make_cylinder_core(0.25, 2.0, 0.01), b = make_cylinder_core(0.5, 2.0, 0.01);
  const Contact c = distance(a, {}, b, at({0.1, 0.05, 0.74}, rotation_z(1.5707963267948966)));
  EXPECT_NEAR(c.phi, -0.01, 1e-15);
  EXPECT_NEAR(c.k1, 4.0, 1e-10);
  EXPECT_NEAR(c.k2, 2.0, 1e-10);
  EXPECT_NEAR(std::abs(c.k1_direction_W.y), 1.0, 1e-10);
}

TEST(ContactCurvature, OfARoundedEdgeIsThatOfTheRoundingAcrossIt) {
  const Contact c =
      distance(half_space_core(), {}, make_segment_core({-0.2, 0, 0}, {0.2, 0, 0}, 0.05),
               at({0, 0, 1}, rotation_y(0.3)));
  EXPECT_NEAR(c.k1, 20.0, 20 * kTolerance);
  EXPECT_NEAR(c.k2, 20.0, 20 * kTolerance);  // the end of the capsule: a ball
}

TEST(ContactCurvature, OfASharpCornerIsInfinite) {
  const Mat3 R = rotation_x(0.6) * rotation_y(0.5);
  const Contact c =
      distance(box({1, 1, 0.1}, 0.0), {}, box({0.1, 0.1, 0.1}, 0.0), at({0, 0, 0.4}, R));
  EXPECT_EQ(c.k1, std::numeric_limits<double>::infinity());
}

// Beside the infinite curvature across an edge that of the ball along it must not get lost, however
// both lie.
TEST(ContactCurvature, OfARoundBodyOnASharpEdgeIsItsOwnAlongIt) {
  std::mt19937 random(11);
  std::normal_distribution<double> gauss;
  for (int k = 0; k < 200; ++k) {
    const Quat q = normalized(Quat{gauss(random), gauss(random), gauss(random), gauss(random)});
    const Pose X{to_matrix(q), {gauss(random), gauss(random), gauss(random)}};
    const double aside = 0.1 * gauss(random),
                 steep = 0.2 + 1.1 * std::generate_canonical<double, 53>(random);
    const Vec3 out{aside, 0.2 + 0.29 * std::sin(steep), 0.1 + 0.29 * std::cos(steep)};
    const Contact c = distance(ellipsoid({0.3, 0.3, 0.3}), at(X * out), box({1, 0.2, 0.1}, 0.0), X);
    ASSERT_NEAR(c.phi, -0.01, 1e-14);
    EXPECT_EQ(c.k1, std::numeric_limits<double>::infinity());
    EXPECT_NEAR(c.k2, 1.0 / 0.3, 10.0 * kTolerance) << k;
    EXPECT_NEAR(std::abs(dot(c.k1_direction_W, X.R.col(0))), 0.0, 1e-12);
  }
}

TEST(HalfSpace, MeetsABallWhereItIsLowest) {
  const Pose plane{rotation_x(0.4), {0.1, 0.2, 0.3}};
  const Contact c =
      distance(make_point_core({}, 0.5), at({0.1, 0.2, 1.3}), half_space_core(), plane);
  EXPECT_NEAR(c.phi, std::cos(0.4) - 0.5, 1e-15);
  EXPECT_LE(norm(c.n_AB_W + plane.R.col(2)), 1e-15);
  EXPECT_LE(norm(c.p_WCb - c.p_WCa - c.phi * c.n_AB_W), 1e-15);
}

TEST(HalfSpace, HasNoDistanceFromAnother) {
  EXPECT_EQ(distance(half_space_core(), {}, half_space_core(), {}).status, Status::fatal);
}

}  // namespace
}  // namespace carom
