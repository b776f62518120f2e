// Time steps of heaps: sweeps over compact points are those over points, and nothing is allocated
// once contacts are steady.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "carom/engine/time_stepping/impulse_solver.h"
#include "contact_runs.h"
#include "support/allocation_counter.h"

namespace carom {
namespace {

using namespace testing;

/// Balls of many masses on a floor in a row, each touching the next: two points per body. Every
/// tenth point between them is too far apart to press, so that sweeps come to an end.
ImpulseSolver make_row(std::size_t count) {
  ImpulseSolver solver;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (std::size_t i = 0; i < count; ++i) {
    StepBody b;
    b.v = {any(random), 0.2 * any(random), any(random)}, b.w = {any(random), any(random), 0.0};
    b.mobility = std::exp(any(random));
    const double turn = 2.5 * b.mobility / 0.01;
    b.inverse = Sym3::diagonal({turn, turn, turn});
    solver.bodies.push_back(b);
  }
  const auto add = [&](int a, int b, const Vec3& n, const Vec3& arm_a, const Vec3& arm_b) {
    StepPoint p;
    p.a = a, p.b = b, p.n = n, p.arm_a = arm_a, p.arm_b = arm_b;
    p.mu_k = 0.3, p.mu_s = 0.4, p.slides = any(random) > 0.0;
    p.bound = 0.1 * any(random);
    if (a >= 0 && a % 10 == 0) p.bound = -10.0;
    solver.prepare(p);
    solver.points.push_back(p);
  };
  for (int i = 0; i < static_cast<int>(count); ++i) {
    add(-1, i, {0.0, 0.0, 1.0}, {}, {0.0, 0.0, -0.1});
    if (i > 0) add(i - 1, i, {1.0, 0.0, 0.0}, {0.1, 0.0, 0.0}, {-0.1, 0.0, 0.0});
  }
  solver.h = 1e-3;
  return solver;
}

TEST(StepHeap, CompactSweepsAreThoseOverPoints) {
  ImpulseSolver compact = make_row(800), general = make_row(800);
  // A motion from outside that is none keeps the second from being compact.
  general.points.front().drift = {1e-160, 0.0, 0.0};
  for (ImpulseSolver* s : {&compact, &general}) {
    s->find_islands();
    ASSERT_EQ(s->island_count(), 1u);
    ASSERT_TRUE(s->is_heap(0));
    for (int k = 0; k < 10; ++k) s->solve(0, 0.0, 0.0, SolveAs::rough_step);
  }
  // Sixty sweeps of the same numbers in another order: rounding.
  for (std::size_t i = 0; i < compact.points.size(); ++i) {
    const StepPoint &p = compact.points[i], &q = general.points[i];
    EXPECT_NEAR(p.normal, q.normal, 1e-12) << i;
    EXPECT_LT(norm(p.friction - q.friction), 1e-12) << i;
    EXPECT_LT(norm(compact.velocity(p) - general.velocity(q)), 1e-12) << i;
  }
}

void expect_coulombs_law(const ImpulseSolver& solver) {
  double pressed = 0.0;
  for (std::size_t i = 0; i < solver.points.size(); ++i) {
    const StepPoint& p = solver.points[i];
    const Vec3 u = solver.velocity(p);
    const double gap = dot(p.n, u) - p.bound, left = p.mu() * p.normal - norm(p.friction);
    const Vec3 slip = u - dot(p.n, u) * p.n;
    EXPECT_GE(gap, -1e-6) << i;
    EXPECT_LT(std::min(p.normal, std::abs(gap)), 1e-6) << i;
    EXPECT_GE(left, -1e-12) << i;
    EXPECT_LT(std::min(left, norm(slip)), 1e-6) << i;
    EXPECT_LE(dot(slip, p.friction), 1e-9) << i;
    pressed += p.normal;
  }
  EXPECT_GT(pressed, 10.0);
}

TEST(StepHeap, SweepsComeToCoulombsLaw) {
  ImpulseSolver solver = make_row(800);
  solver.find_islands();
  for (int k = 0; k < 1000; ++k) solver.solve(0, 1e-12, 1.0, SolveAs::rough_step);
  expect_coulombs_law(solver);
}

/// A blow from below on the ball in the middle of a row that was solved.
ImpulseSolver struck_row() {
  ImpulseSolver solver = make_row(800);
  solver.find_islands();
  for (int k = 0; k < 1000; ++k) solver.solve(0, 1e-12, 1.0, SolveAs::rough_step);
  StepPoint p;
  p.b = 405;
  p.n = normalized(Vec3{0.3, 0.0, 1.0}), p.arm_b = -0.1 * p.n;
  p.mu_k = p.mu_s = 0.3, p.bound = 2.0;
  solver.prepare(p);
  solver.points.push_back(p);
  solver.find_islands();
  return solver;
}

TEST(StepHeap, SweepsWherePointsHaveComeLeadToCoulombsLaw) {
  ImpulseSolver solver = struck_row();
  const std::size_t fresh = solver.points.size() - 1;
  ASSERT_TRUE(solver.solve_near(0, fresh, 1e-12, 10000));
  EXPECT_GT(solver.points[fresh].normal, 0.1);
  expect_coulombs_law(solver);
}

TEST(StepHeap, SweepsWherePointsHaveComeLeaveTheRestAlone) {
  ImpulseSolver solver = struck_row();
  const std::vector<StepBody> before = solver.bodies;
  ASSERT_TRUE(solver.solve_near(0, solver.points.size() - 1, 1e-3, 30));
  // Every tenth ball presses on no neighbour: the blow does not get past it.
  int moved = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool has_moved = norm(solver.bodies[i].v - before[i].v) > 0.0;
    moved += has_moved;
    EXPECT_FALSE(has_moved && (i < 390 || i > 420)) << i;
  }
  EXPECT_GE(moved, 2);
  // Where nothing has come nothing is swept.
  const auto sweeps = solver.sweeps();
  EXPECT_TRUE(solver.solve_near(0, solver.points.size(), 1e-3, 30));
  EXPECT_EQ(solver.sweeps(), sweeps);
}

// A tower, a ball that rolls, a brick that slides, a box that is moved over the floor, an arm that
// leans on it.
const std::string kSteady = R"(
carom: 1
name: steady
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  low: {mass: 2, shapes: [{box: {size: [0.2, 0.2, 0.1]}}], position: [0, 0, 0.05]}
  high: {mass: 1, shapes: [{box: {size: [0.1, 0.2, 0.1]}}], position: [0.02, 0, 0.15]}
  ball: {mass: 1, shapes: [{sphere: {radius: 0.05}}], position: [1, 0, 0.05], velocity: [0.5, 0, 0], angular_velocity: [0, 10, 0]}
  arm: {mass: 1, com: [0.25, 0, 0], inertia: [0.01, 0.02, 0.02], shapes: [{sphere: {radius: 0.05}, at: [0.5, 0, 0]}],
        joint: {revolute: {axis: y, at: [0, 1, 0.05]}, name: elbow, damping: 0.1}}
contact: {method: rigid, restitution: 0.2, mu_k: 0.5}
run: {until: 2, integrator: time_stepping, step: 1e-3}
)";

TEST(TimeStepping, AllocatesNothingOnceContactsAreSteady) {
  if (!can_count_allocations()) GTEST_SKIP() << "another allocator is in the way";
  Simulation simulation(model_of(kSteady));
  int k = 0;
  const auto go = [&](int steps) {
    for (const int end = k + steps; k < end;) {
      EXPECT_EQ(simulation.advance(1e-3 * ++k), AdvanceStatus::reached) << simulation.failure();
    }
  };
  go(500);
  const long before = allocation_count();
  go(200);
  EXPECT_EQ(allocation_count() - before, 0);
}

}  // namespace
}  // namespace carom
