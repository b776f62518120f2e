// The direct answer for a ball and a box against the general description of the same optimum,
// over faces, edges and vertices, inside and outside, with sharp and with round edges.
#include <gtest/gtest.h>

#include <random>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/contact_geometry.h"
#include "carom/proximity/pair_kernel.h"

namespace carom {
namespace {

/// By the closed form of the cores, their active pieces and matrices of curvature.
Contact in_general(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB) {
  const Minkowski M =
      make_minkowski(A, B, {transpose(X_WA.R) * X_WB.R, transpose_times(X_WA.R, X_WB.p - X_WA.p)});
  Contact c;
  Optimum optimum;
  EXPECT_TRUE(solve_closed_form(*find_kernel(M), M, optimum));
  describe_contact(M, optimum, X_WA, c);
  return c;
}

class BallOnBox : public ::testing::Test {
 protected:
  double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(gen_); }
  Vec3 in_cube() { return {uniform(), uniform(), uniform()}; }
  Pose pose(double reach) {
    return {axis_angle(normalized(in_cube()), 3.0 * uniform()), reach * in_cube()};
  }
  Core box(double rounding) {
    Core c;
    c.kind = &core_box, c.rounding = rounding;
    for (std::size_t i = 0; i < 3; ++i) c.v[0][i] = 0.1 + std::abs(uniform());
    return c;
  }
  std::mt19937 gen_{4711};
};

void expect_same(const Contact& c, const Contact& r) {
  // A few roundings of lengths of order 1.
  ASSERT_NEAR(c.phi, r.phi, 1e-14);
  ASSERT_LE(norm(c.p_WCa - r.p_WCa), 3e-14);
  ASSERT_LE(norm(c.p_WCb - r.p_WCb), 3e-14);
  ASSERT_EQ(c.feature_a, r.feature_a);
  ASSERT_EQ(c.feature_b, r.feature_b);
  if (std::isinf(r.k1)) {
    ASSERT_EQ(c.k1, r.k1);
  } else {
    ASSERT_NEAR(c.k1, r.k1, 1e-12 * r.k1);
    ASSERT_NEAR(c.k2, r.k2, 1e-12 * r.k1);
  }
}

TEST_F(BallOnBox, IsAnsweredAsInGeneral) {
  int edges = 0, vertices = 0, faces = 0;
  for (int i = 0; i < 20000; ++i) {
    SCOPED_TRACE(i);
    const Core hard = box(i % 3 ? 0.02 : 0.0);
    const Core ball = make_point_core(0.1 * in_cube(), i % 2 ? 0.3 : 0.0);
    const Pose X_WA = pose(1.0), X_WB = pose(2.0);
    const Contact c = distance(hard, X_WA, ball, X_WB), r = in_general(hard, X_WA, ball, X_WB);
    expect_same(c, r);
    // The direction is that of a difference, and known to its rounding.
    const double known = 2e-15 / std::max(r.phi + hard.rounding + ball.rounding, 1e-6);
    const bool face = c.feature_a.dimension == 2;
    ASSERT_LE(norm(c.n_AB_W - r.n_AB_W), face ? 4e-15 : 4e-15 + known);
    if (c.feature_a.dimension == 1) {
      ++edges;
      ASSERT_NEAR(std::abs(dot(c.k1_direction_W, r.k1_direction_W)), 1.0, 1e-10);
    }
    face ? ++faces : vertices += c.feature_a.dimension == 0;
    expect_same(distance(ball, X_WB, hard, X_WA), in_general(ball, X_WB, hard, X_WA));
  }
  EXPECT_GT(std::min({edges, vertices, faces}), 1000);
}

// Where the centre lies on the surface of the core no difference tells a direction over an
// edge; over a face it is that of the face.
TEST_F(BallOnBox, KeepsItsIdentitiesWithTheCentreOnTheSurface) {
  const Core hard = box(0.01), ball = make_point_core({}, 0.1);
  const Vec3& h = hard.v[0];
  for (const Vec3& p : {h, Vec3{h.x, h.y, 0.0}, Vec3{h.x, 0.0, 0.0}, Vec3{}}) {
    const Contact c = distance(hard, {}, ball, {{}, p});
    EXPECT_NEAR(norm(c.n_AB_W), 1.0, 1e-15);
    const double gap = dot(c.n_AB_W, p) - extent(hard, c.n_AB_W) - ball.rounding;
    EXPECT_NEAR(c.phi, gap, 1e-15);
    EXPECT_LE(norm(c.p_WCb - c.p_WCa - c.phi * c.n_AB_W), 1e-15);
  }
}

}  // namespace
}  // namespace carom
