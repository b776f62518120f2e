// Blocks of a large island that are wrong by themselves, against the same island solved from a
// start at which all are.
#include <gtest/gtest.h>

#include <vector>

#include "carom/math/velocity_solver.h"

namespace carom {
namespace {

constexpr double kStep = 1e-3, kGravity = 9.81;
constexpr std::size_t kCount = 400;

/// Masses side by side, each on a spring on the ground and on one to its neighbour.
struct Row {
  StepProblem p;

  /// `free` is what each gains beside gravity.
  Row(double between, const std::vector<double>& free) {
    p.h = kStep;
    p.tolerance = 1e-8 * kGravity * kStep;
    for (std::size_t i = 0; i < kCount; ++i) {
      p.blocks.push_back({i, 1, i, 1.0});
      p.mass.push_back(1.0), p.v.push_back(0.0), p.free.push_back(free[i] - kGravity * kStep);
      const int block = static_cast<int>(i);
      join(-1, block, 1e6, kGravity / 1e6);
      if (i > 0) join(block - 1, block, between, 1e-6);
    }
    find_islands(p);
  }
  void join(int a, int b, double stiffness, double depth) {
    RowGroup g;
    g.a = a, g.b = b;
    g.first_normal = static_cast<int>(p.normals.size()), g.normals = g.rows = 1;
    g.jacobian = p.jacobian.size();
    NormalRow row;
    row.linear = stiffness, row.depth = depth;
    p.normals.push_back(row);
    if (a >= 0) p.jacobian.push_back(-1.0);
    p.jacobian.push_back(1.0);
    p.groups.push_back(g);
  }
  VelocityAnswer solve() {
    VelocitySolver solver;
    return solver.solve(p, 0);
  }
};

std::vector<double> pushed(std::size_t which, double by) {
  std::vector<double> out(kCount, 0.0);
  out[which] = by;
  return out;
}

/// One lets go of the ground: no step of Newton's method for all of them is worth it.
TEST(VelocityRelax, MendsOneThatIsWrongByItself) {
  Row rest(1e3, pushed(0, 0.0));
  ASSERT_TRUE(rest.solve().converged);
  for (const double push : {1e-3, 8e-3}) {
    Row one(1e3, pushed(200, push)), all(1e3, pushed(200, push));
    one.p.v = rest.p.v;
    for (std::size_t i = 0; i < kCount; ++i) all.p.v[i] = i % 2 ? -0.01 : 0.01;
    const VelocityAnswer mended = one.solve(), whole = all.solve();
    EXPECT_TRUE(mended.converged && whole.converged);
    EXPECT_EQ(mended.iterations, 0) << push;
    EXPECT_GT(whole.iterations, 0) << push;
    for (std::size_t i = 0; i < kCount; ++i) {
      EXPECT_NEAR(one.p.v[i], all.p.v[i], 2e-4 * kGravity * kStep) << push << ", " << i;
    }
  }
}

/// Half of an island cannot be wrong by itself: there Newton's method goes on for all.
TEST(VelocityRelax, LeavesManyThatAreWrongToNewton) {
  std::vector<double> every_other(kCount, 0.0);
  for (std::size_t i = 1; i < kCount; i += 2) every_other[i] = 0.1;
  Row row(1e6, every_other);
  const VelocityAnswer answer = row.solve();
  EXPECT_TRUE(answer.converged);
  EXPECT_GT(answer.iterations, 0);
}

}  // namespace
}  // namespace carom
