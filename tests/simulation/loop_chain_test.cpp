// Many loops in a row: parallel four-bar linkages that share their cranks, so that all move alike.
//
//   theta'' = k sin(theta),  k = 9.81 ((N+1)/2 + N) / ((N+1)/3 + N)                         (1)
//
// for N linkages of rods of 1 kg and 1 m; theta from upright, theta'(0) = 1.
#include <cmath>

#include "scene_runs.h"

namespace carom {
namespace {

using testing::joint;
using testing::model_of;
using testing::run_text;

std::string four_bars(int n, double until) {
  std::string bodies = "carom: 1\ngravity: [0, -9.81, 0]\nbodies:\n", joints = "joints:\n";
  const auto name = [](const char* what, int i) { return what + std::to_string(i); };
  for (int i = 0; i <= n; ++i) {
    bodies += "  " + name("l", i) +
              ": {mass: 1, com: [0, 0.5, 0], inertia: [0.08333333333333333, 1e-6, " +
              "0.08333333333333333], joint: {revolute: {at: [" + std::to_string(i) +
              ", 0, 0]}, name: " + name("p", i) + ", v: -1}}\n";
  }
  for (int i = 0; i < n; ++i) {
    bodies += "  " + name("h", i) +
              ": {mass: 1, com: [0.5, 0, 0], inertia: [1e-6, 0.08333333333333333, " +
              "0.08333333333333333], joint: {revolute: {parent: " + name("l", i) +
              ", at: [0, 1, 0]}, name: " + name("b", i) + ", v: 1}}\n";
    joints += "  " + name("c", i) + ": {revolute: {parent: " + name("h", i) +
              ", child: " + name("l", i + 1) +
              ", at: [1, 0, 0], child_at: [0, 1, 0]}, loop: true}\n";
  }
  return bodies + joints + "run: {until: " + std::to_string(until) + ", tolerance: 1e-8}\n";
}

/// (1) by the classical Runge-Kutta method.
double angle_after(int n, double until) {
  const double k = 9.81 * (0.5 * (n + 1) + n) / ((n + 1) / 3.0 + n);
  constexpr int kSteps = 20000;
  const double h = until / kSteps;
  double q = 0.0, v = 1.0;
  for (int i = 0; i < kSteps; ++i) {
    const double k1 = v, l1 = k * std::sin(q), k2 = v + 0.5 * h * l1,
                 l2 = k * std::sin(q + 0.5 * h * k1);
    const double k3 = v + 0.5 * h * l2, l3 = k * std::sin(q + 0.5 * h * k2), k4 = v + h * l3,
                 l4 = k * std::sin(q + h * k3);
    q += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4), v += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
  }
  return q;
}

TEST(LoopChain, MovesAsOnePendulum) {
  for (const int n : {2, 12, 30}) {
    const RunResult r = run_text(four_bars(n, 1.0));
    const double expected = -angle_after(n, 1.0);
    EXPECT_NEAR(joint(r, "p0").q[0], expected, 2e-6) << n;
    EXPECT_NEAR(joint(r, "p" + std::to_string(n)).q[0], expected, 2e-6) << n;
    EXPECT_LE(r.statistics.constraint_error, 1e-12) << n;
  }
}

TEST(LoopChain, EveryLoopMeetsItsNeighboursOnly) {
  // So the entries of W, and what is done for them, grow with the number of loops.
  for (const int n : {12, 40}) {
    const std::shared_ptr<const Model> model = model_of(four_bars(n, 1.0));
    ASSERT_EQ(model->constraints.islands.size(), 1u);
    const ConstraintIsland& island = model->constraints.islands[0];
    ASSERT_EQ(island.supports.size(), static_cast<std::size_t>(n));
    for (const ConstraintIsland::Support& s : island.supports) {
      EXPECT_LE(s.neighbours.size(), 2u);
      EXPECT_LE(s.links.size(), 4u);
    }
  }
}

TEST(LoopChain, LongerOnesTakeNoMoreSteps) {
  const RunResult few = run_text(four_bars(10, 1.0)), many = run_text(four_bars(40, 1.0));
  EXPECT_LE(many.statistics.counts.rhs_evaluations, 2 * few.statistics.counts.rhs_evaluations);
}

}  // namespace
}  // namespace carom
