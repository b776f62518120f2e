#include "carom/math/rotation.h"

#include <gtest/gtest.h>

#include <random>

#include "carom/math/pose.h"
#include "carom/math/spatial.h"

namespace carom {
namespace {

constexpr double kEps = 2.2e-16;

Vec3 random_vec(std::mt19937& gen, double scale) {
  std::uniform_real_distribution<double> u(-scale, scale);
  return {u(gen), u(gen), u(gen)};
}

TEST(Rotation, QuaternionAndMatrixAgreeOnRandomRotations) {
  std::mt19937 gen(1);
  for (int i = 0; i < 1000; ++i) {
    const Quat q = quat_exp(random_vec(gen, 3.0));
    const Mat3 R = to_matrix(q);
    const Mat3 again = to_matrix(to_quat(R));
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(R.m[k], again.m[k], 10 * kEps);
    EXPECT_NEAR(determinant(R), 1.0, 10 * kEps);
  }
}

TEST(Rotation, ExpAndLogAreInverse) {
  std::mt19937 gen(2);
  for (double scale : {1e-9, 1e-5, 1e-2, 1.7}) {
    const Vec3 r = random_vec(gen, scale);
    const Vec3 back = quat_log(quat_exp(r));
    EXPECT_LE(norm(back - r), 20 * kEps * (1.0 + norm(r)));
  }
}

TEST(Rotation, CardanAnglesAreRecovered) {
  std::mt19937 gen(3);
  for (int i = 0; i < 100; ++i) {
    const Vec3 a = random_vec(gen, 1.5);
    EXPECT_LE(norm(to_cardan_xyz(cardan_xyz(a)) - a), 100 * kEps / std::cos(a.y));
  }
}

TEST(Rotation, QuaternionRateMatchesADifferenceQuotient) {
  std::mt19937 gen(4);
  const Quat q = quat_exp(random_vec(gen, 2.0));
  const Vec3 w = random_vec(gen, 3.0);
  const double h = 1e-5;
  const Quat plus = quat_exp(h * w) * q, minus = quat_exp(-h * w) * q;
  const Quat rate = quat_rate(q, w);
  EXPECT_NEAR(rate.w, (plus.w - minus.w) / (2 * h), 1e-9);  // O(h²) of the quotient
  EXPECT_NEAR(rate.x, (plus.x - minus.x) / (2 * h), 1e-9);
}

TEST(Spatial, ShiftingAnInertiaMatchesShiftingItsParts) {
  std::mt19937 gen(5);
  // Referee: kinetic energy does not depend on the reference point.
  for (int i = 0; i < 100; ++i) {
    const Vec3 com = random_vec(gen, 1.0), r = random_vec(gen, 2.0);
    const double m = 1.7;
    const Sym3 central = Sym3::diagonal({0.3, 0.4, 0.6});
    const Inertia a{m, m * com, central + m * point_inertia(com)};
    ArticulatedInertia b;
    add_shifted(b, to_articulated(a), r);
    const Motion v{random_vec(gen, 1.0), random_vec(gen, 1.0)};
    const Motion v_at_r = shifted(v, r);
    EXPECT_NEAR(dot(v, b * v), dot(v_at_r, a * v_at_r), 1e-13);
  }
}

TEST(Spatial, PowerDoesNotDependOnTheReferencePoint) {
  const Motion v{{1, 2, 3}, {4, 5, 6}};
  const Wrench f_at_r{{0.1, 0.2, 0.3}, {-1, 2, 0.5}};
  const Vec3 r{0.3, -0.2, 0.9};
  EXPECT_NEAR(dot(v, shifted(f_at_r, r)), dot(shifted(v, r), f_at_r), 1e-14);
}

}  // namespace
}  // namespace carom
