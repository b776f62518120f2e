// Superquadrics: support and distance against tables, certificates of duality and other shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "carom/geometry/core_kinds.h"
#include "carom/geometry/shape.h"
#include "carom/geometry/superquadric_core.h"
#include "carom/math/rotation.h"
#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/area/depth_field.h"
#include "carom/proximity/distance.h"

namespace carom {
namespace {

struct SuperquadricRow {
  double scale;
  Quat q;
  Vec3 centre;
  double distance;
};
#include "data/superquadric_plane.inc"

constexpr double kExponents[] = {2.0, 2.5, 3.0, 4.0, 8.0, 20.0, 60.0, 200.0};

class PoseDice {
 public:
  explicit PoseDice(unsigned seed) : random_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vec3 gauss() { return {normal_(random_), normal_(random_), normal_(random_)}; }
  Mat3 turn(double size) { return to_matrix(quat_exp(size * gauss())); }
  Core superquadric(double p, double q) {
    return make_superquadric_core({uniform(0.05, 0.3), uniform(0.05, 0.3), uniform(0.05, 0.3)}, p,
                                  q);
  }
  double exponent() { return kExponents[static_cast<std::size_t>(uniform(0.0, 7.999))]; }

 private:
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
};

/// n.t - h_A(n) - h_B(-n) is never above the distance, and equal to it at the true normal: with the
/// witness points it proves the answer, whoever found it.
double certificate(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB,
                   const Vec3& n) {
  return dot(n, X_WB.p - X_WA.p) - extent(A, transpose_times(X_WA.R, n)) -
         extent(B, -transpose_times(X_WB.R, n));
}

/// How far B is put from A along the normal that they then have.
void put_apart(const Core& A, const Pose& X_WA, const Core& B, double gap, Pose& X_WB) {
  for (int i = 0; i < 4; ++i) {
    const Contact c = distance(A, X_WA, B, X_WB);
    X_WB.p -= (c.phi - gap) * c.n_AB_W;
  }
}

TEST(Superquadric, DistanceFromAPlaneMeetsTheTable) {
  Core plane;
  plane.kind = &core_half_space;
  for (const SuperquadricRow& row : kSuperquadrics) {
    const Core die = make_superquadric_core({row.scale, row.scale, row.scale}, 20, 20);
    const Contact c = distance(plane, {}, die, {to_matrix(normalized(row.q)), row.centre});
    EXPECT_NEAR(c.phi, row.distance, 1e-14);
  }
}

TEST(Superquadric, OfExponentsTwoIsAnEllipsoid) {
  const Core a = make_superquadric_core({0.3, 0.2, 0.1}, 2, 2);
  Core b;
  b.kind = &core_ellipsoid, b.v[0] = {0.3, 0.2, 0.1};
  PoseDice dice(3);
  for (int i = 0; i < 200; ++i) {
    const Vec3 n = normalized(dice.gauss());
    const SupportDerivatives p = support_derivatives(a, n), q = support_derivatives(b, n);
    EXPECT_LT(norm(p.point - q.point), 1e-15);
    EXPECT_LT(std::abs(p.hessian.xx - q.hessian.xx) + std::abs(p.hessian.xz - q.hessian.xz), 1e-13);
    const Core ball = make_point_core({}, 0.05);
    const Pose X = Pose::translation(dice.uniform(0.2, 0.6) * n);
    const Contact of_a = distance(a, {}, ball, X), of_b = distance(b, {}, ball, X);
    EXPECT_NEAR(of_a.phi, of_b.phi, 1e-15);
    EXPECT_NEAR(of_a.k1, of_b.k1, 1e-10 * of_b.k1);
  }
}

TEST(Superquadric, SupportOfEveryExponentIsItsDualNorm) {
  PoseDice dice(4);
  for (const double p : kExponents) {
    const Core s = make_superquadric_core({0.3, 0.2, 0.1}, p, p);
    for (int i = 0; i < 200; ++i) {
      const Vec3 n = normalized(dice.gauss()), x = support(s, n);
      EXPECT_NEAR(superquadric_gauge(s, x).value, 1.0, 1e-13);
      const double q = p / (p - 1.0);
      const double h =
          std::pow(std::pow(std::abs(0.3 * n.x), q) + std::pow(std::abs(0.2 * n.y), q) +
                       std::pow(std::abs(0.1 * n.z), q),
                   1.0 / q);
      EXPECT_NEAR(dot(n, x), h, 1e-14);
    }
  }
}

TEST(Superquadric, NormalAndCurvatureAreThoseOfDifferences) {
  PoseDice dice(5);
  for (int i = 0; i < 100; ++i) {
    const Core s = dice.superquadric(dice.uniform(2.0, 8.0), dice.uniform(2.0, 8.0));
    const SuperquadricPoint at = superquadric_point(s, dice.gauss());
    const double step = 1e-6;
    const Vec3 t = normalized(cross(at.n, dice.gauss()));
    const SuperquadricPoint plus = superquadric_point(s, at.p + step * t),
                            minus = superquadric_point(s, at.p - step * t);
    EXPECT_LT(std::abs(dot(at.n, plus.p - minus.p)), 1e-4 * step);
    const Vec3 turn = (plus.n - minus.n) / (2.0 * step);
    EXPECT_LT(norm(turn - at.K * t), 1e-6 * (1.0 + norm(turn)) / 0.05) << i;
  }
}

TEST(Superquadric, ABallOfItsInnerRadiusRollsInsideEverywhere) {
  PoseDice dice(6);
  for (int i = 0; i < 60; ++i) {
    const Core s = dice.superquadric(dice.exponent(), dice.exponent());
    for (int k = 0; k < 300; ++k) {
      // The root spreads places over edges and corners.
      Vec3 d = dice.gauss();
      for (std::size_t j = 0; j < 3; ++j) d[j] = std::copysign(std::pow(std::abs(d[j]), 0.1), d[j]);
      const SuperquadricPoint at =
          superquadric_point(s, {s.v[0].x * d.x, s.v[0].y * d.y, s.v[0].z * d.z});
      const Vec3 e1 = any_perpendicular(at.n), e2 = cross(at.n, e1);
      const double xx = dot(e1, at.K * e1), xy = dot(e2, at.K * e1), yy = dot(e2, at.K * e2);
      const double most = 0.5 * (xx + yy) + std::hypot(0.5 * (xx - yy), xy);
      ASSERT_LT(s.v[1].z * most, 1.0) << i;
    }
  }
}

class SuperquadricPairs : public testing::TestWithParam<const char*> {};

TEST_P(SuperquadricPairs, AreCertifiedApartAndInShallowOverlap) {
  const std::string other = GetParam();
  PoseDice dice(7);
  for (int i = 0; i < 96; ++i) {
    const double p = kExponents[static_cast<std::size_t>(i) % std::size(kExponents)];
    const Core A = dice.superquadric(p, dice.exponent());
    Shape keep;
    Core B = dice.superquadric(dice.exponent(), p);
    if (other != "superquadric") {
      const ShapeKind* kind = find_shape_kind(other);
      const std::vector<ShapeInput> inputs = examples(*kind);
      keep = make_shape(inputs[static_cast<std::size_t>(i) % inputs.size()]);
      B = keep.core;
    }
    const bool is_flat = i % 3 == 2;  // faces that nearly lie on each other
    const Pose X_WA{is_flat ? Mat3() : dice.turn(2.0), 0.1 * dice.gauss()};
    Pose X_WB{dice.turn(is_flat ? 1e-6 : 2.0), {}};
    X_WB.p = X_WA.p + 3.0 * normalized(is_flat ? Vec3{0, 0, 1} + 0.3 * dice.gauss() : dice.gauss());
    const double gap = i % 4 == 3 ? -1e-4 * A.v[1].z : std::pow(10.0, dice.uniform(-6.0, -0.3));
    put_apart(A, X_WA, B, gap, X_WB);

    DistanceCache warm;
    const Contact c = distance(A, X_WA, B, X_WB, &warm);
    const double size = bounding_radius(A) + bounding_radius(B) + norm(X_WB.p - X_WA.p);
    EXPECT_NEAR(c.phi, gap, 1e-6 * size) << i;
    EXPECT_LT(std::abs(certificate(A, X_WA, B, X_WB, c.n_AB_W) - c.phi), 1e-13 * size) << i;
    EXPECT_LT(norm(c.p_WCb - c.p_WCa - c.phi * c.n_AB_W), 1e-14 * size) << i;
    const Vec3 on_a = transpose_times(X_WA.R, c.p_WCa - X_WA.p);
    EXPECT_NEAR(superquadric_gauge(A, on_a).value, 1.0, 1e-12) << i;
    EXPECT_LT(norm(X_WA.R * superquadric_point(A, on_a).n - c.n_AB_W), 1e-9) << i;

    // From a start nearby, and with the bodies exchanged, the answer is the same.
    Pose moved = X_WB;
    moved.p += 1e-4 * dice.gauss(), moved.R = dice.turn(1e-4) * X_WB.R;
    const Contact hot = distance(A, X_WA, B, moved, &warm), cold = distance(B, moved, A, X_WA);
    EXPECT_NEAR(hot.phi, cold.phi, 1e-14 * size) << i;
    EXPECT_LT(norm(hot.n_AB_W + cold.n_AB_W), 1e-9) << i;
  }
}
INSTANTIATE_TEST_SUITE_P(All, SuperquadricPairs,
                         testing::Values("superquadric", "sphere", "ellipsoid", "box", "cylinder",
                                         "capsule", "cone", "tetrahedron", "hull", "beam"),
                         [](const auto& row) { return std::string(row.param); });

TEST(Superquadric, DepthIsTheLeastOfManyDirections) {
  // In overlap no direction may offer a shorter way out than the one that is told.
  PoseDice dice(8);
  for (int i = 0; i < 40; ++i) {
    const double p = kExponents[static_cast<std::size_t>(i) % std::size(kExponents)];
    const Core A = dice.superquadric(p, dice.exponent()), B = dice.superquadric(p, p);
    const Pose X_WA{dice.turn(2.0), {}};
    Pose X_WB{dice.turn(2.0), 3.0 * normalized(dice.gauss())};
    put_apart(A, X_WA, B, -0.02, X_WB);
    const Contact c = distance(A, X_WA, B, X_WB);
    EXPECT_LT(std::abs(certificate(A, X_WA, B, X_WB, c.n_AB_W) - c.phi), 1e-12) << i;
    for (int k = 0; k < 2000; ++k) {
      const Vec3 n = normalized(dice.gauss());
      ASSERT_LT(certificate(A, X_WA, B, X_WB, n), c.phi + 1e-12) << i;
    }
  }
}

TEST(Superquadric, AreaHoldsTheVolumeThatItDisplaces) {
  // A die on its face, its edge, its corner and in between, against a fine grid of depths.
  PoseDice dice(9);
  Core plane;
  plane.kind = &core_half_space;
  const Pose ground;
  for (const double p : {2.0, 4.0, 8.0, 20.0}) {
    for (int i = 0; i < 6; ++i) {
      const Core die = make_superquadric_core({0.01, 0.01, 0.01}, p, p);
      const double turn[] = {0.0, 1e-3, 0.02, 0.785398, 0.9, 0.4};
      const Mat3 R = dice.turn(1e-3) * to_matrix(quat_exp({turn[i], i > 3 ? 0.5 : 0.0, 0.0}));
      const Vec3 down = transpose_times(R, Vec3{0, 0, -1});
      const double depth = i % 2 == 0 ? 1e-6 : 1e-4;
      const Pose X{R, {0.3, -0.2, extent(die, down) - depth}};
      const Contact c = distance(plane, ground, die, X);
      const AreaBody A{plane, ground, {}, kInf}, B{die, X, {}, bounding_radius(die)};
      AreaPatch patch;
      find_area(A, B, c, 8, patch);
      ASSERT_GT(patch.count, 0);

      const Vec3 e1 = any_perpendicular(c.n_AB_W);
      const DepthField field(A, B, c, e1);
      double low[2] = {1.0, 1.0}, high[2] = {-1.0, -1.0};
      for (int k = 0; k < patch.count; ++k) {
        const Vec3 r = patch.points[static_cast<std::size_t>(k)].p_W - field.o_W;
        const double at[2] = {dot(r, field.e1_W), dot(r, field.e2_W)};
        for (int j = 0; j < 2; ++j)
          low[j] = std::min(low[j], at[j]), high[j] = std::max(high[j], at[j]);
      }
      for (int j = 0; j < 2; ++j) {
        const double beyond = 0.15 * (high[j] - low[j]);
        low[j] -= beyond, high[j] += beyond;
      }
      constexpr int kGrid = 160;
      double volume = 0.0;
      for (int k = 0; k < kGrid * kGrid; ++k) {
        const double x = low[0] + (high[0] - low[0]) * (k / kGrid + 0.5) / kGrid,
                     y = low[1] + (high[1] - low[1]) * (k % kGrid + 0.5) / kGrid;
        const FieldDepth d = field.at(x, y);
        if (d.hits && d.u > 0.0) volume += d.u;
      }
      volume *= (high[0] - low[0]) * (high[1] - low[1]) / (kGrid * kGrid);
      // The grid itself knows a flat face with a steep rim to 2e-3.
      EXPECT_NEAR(patch.volume / volume, 1.0, p > 8.0 ? 5e-3 : 2e-3) << p << " " << i;
    }
  }
}

}  // namespace
}  // namespace carom
