// Closed loops: they stay closed for long runs, pass dead centres and change points,
// tolerate redundant rows and assemble from a rough start.
#include <algorithm>
#include <numbers>

#include "loop_scenes.h"

namespace carom {
namespace {

using testing::four_bar_gap;
using testing::joint;
using testing::model_of;
using testing::run_text;

/// Runs a scene and shows 5000 samples to `check`: the coordinates of the named joints.
RunResult watch(const std::string& text, const std::vector<std::string>& joints,
                const std::function<void(std::span<const double> q)>& check,
                std::vector<std::string> overrides = {}) {
  const auto model = model_of(text, std::move(overrides));
  std::vector<std::size_t> places;
  for (const std::string& name : joints) {
    for (const JointInfo& info : model->joints) {
      if (info.name == name) places.push_back(static_cast<std::size_t>(info.q0));
    }
  }
  EXPECT_EQ(places.size(), joints.size());
  Simulation simulation(model);
  std::vector<double> q(joints.size());
  simulation.on_sample(model->scene.run.until / 5000.0, [&](double, std::span<const double> x) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = x[places[i]];
    check(q);
  });
  RunResult r;
  EXPECT_EQ(simulation.advance(model->scene.run.until), AdvanceStatus::reached)
      << simulation.failure();
  r.energy = simulation.ledger();
  r.largest_residual = simulation.largest_residual();
  r.energy_scale = simulation.energy_scale();
  r.statistics = simulation.statistics();
  return r;
}

// N11: 100 rtol per 10 s, and the run lasts 1000 s at 1e-8.
constexpr double kLedger1000s = 100 * 1e-8 * 100;

TEST(Loops, SliderCrankStaysClosedFor1000Seconds) {
  double gap = 0.0;
  const RunResult r =
      watch(testing::kSliderCrank, {"shaft", "big_end", "guide"}, [&](std::span<const double> q) {
        const double x = 0.1 * std::cos(q[0]) + 0.3 * std::cos(q[0] + q[1]) - q[2];
        const double y = 0.1 * std::sin(q[0]) + 0.3 * std::sin(q[0] + q[1]);
        gap = std::max(gap, std::hypot(x, y));
      });
  EXPECT_LE(gap, 1e-9);
  EXPECT_LE(r.statistics.constraint_error, 1e-9);
  EXPECT_LE(r.largest_residual, kLedger1000s * r.energy_scale);
  EXPECT_EQ(r.statistics.redundant_constraints, 3u);  // a planar loop of hinges in space
}

TEST(Loops, FourBarStaysClosedFor1000Seconds) {
  double gap = 0.0;
  const RunResult r =
      watch(testing::kFourBar, {"crank_pivot", "crank_end", "rocker_pivot"},
            [&](std::span<const double> q) {
              gap = std::max(gap, four_bar_gap(0.1, 0.3, 0.25, 0.3, q[0], q[1], q[2]));
            });
  EXPECT_LE(gap, 1e-9);
  EXPECT_LE(r.statistics.constraint_error, 1e-9);
  EXPECT_LE(r.largest_residual, kLedger1000s * r.energy_scale);
  EXPECT_EQ(r.statistics.redundant_constraints, 3u);
}

TEST(Loops, BennettsLinkageTurnsFor1000SecondsThoughItsEquationsCountAgainstIt) {
  double relation = 0.0, opposite = 0.0, turns = 0.0;
  const double ratio = std::sin(0.8) / std::sin(0.3);
  const RunResult r = watch(testing::kBennett, {"j1", "j2", "j3"}, [&](std::span<const double> q) {
    // (1) of Bennett's linkage, multiplied by both cosines so that it stays bounded.
    relation = std::max(relation, std::abs(std::sin(q[0] / 2) * std::sin(q[1] / 2) -
                                           ratio * std::cos(q[0] / 2) * std::cos(q[1] / 2)));
    opposite = std::max(opposite, std::abs(std::sin(0.5 * (q[0] + q[2]))));
    turns = std::abs(q[0]) / (2 * std::numbers::pi);
  });
  EXPECT_LE(relation, 1e-8);  // of order one, where the loop is closed to 1e-9
  EXPECT_LE(opposite, 1e-8);
  EXPECT_GE(turns, 300.0);  // the torque of 0.03 N m against 0.01 N m s: 3 rad/s
  EXPECT_LE(r.statistics.constraint_error, 1e-9);
  EXPECT_LE(r.largest_residual, kLedger1000s * r.energy_scale);
  EXPECT_EQ(r.statistics.redundant_constraints, 3u);  // five rows, two of them count
}

// A parallelogram in line with its base may go on as a parallelogram or fold into an
// antiparallelogram; with momentum it goes on, through both change points of each turn.
TEST(Loops, ParallelogramPassesItsChangePoints) {
  double gap = 0.0;
  const RunResult r = watch(
      testing::kFourBar, {"crank_pivot", "crank_end", "rocker_pivot"},
      [&](std::span<const double> q) {
        gap = std::max(gap, four_bar_gap(0.1, 0.3, 0.1, 0.3, q[0], q[1], q[2]));
      },
      {"values.c=0.1", "joints.crank_end.q=-1.0", "joints.rocker_pivot.q=1.0", "run.until=20"});
  EXPECT_LE(gap, 1e-9);
  // A step that ends within 1e-6 rad of a change point counts a row that all but vanishes;
  // what that takes from the velocity is up to 2e-4 of the energy.
  EXPECT_LE(r.largest_residual, 1e-3 * r.energy_scale);
}

TEST(Loops, AssembleFromARoughStartWithTheChosenCoordinateKept) {
  const auto model =
      model_of(testing::kFourBar, {"joints.crank_end.q=0.3", "joints.rocker_pivot.q=0.9"});
  const auto q = [&](const char* name) {
    for (const JointInfo& info : model->joints) {
      if (info.name == name) return model->initial[static_cast<std::size_t>(info.q0)];
    }
    return 0.0;
  };
  EXPECT_EQ(q("crank_pivot"), 1.0);
  EXPECT_LE(four_bar_gap(0.1, 0.3, 0.25, 0.3, q("crank_pivot"), q("crank_end"), q("rocker_pivot")),
            1e-12);
}

TEST(Loops, SliderCrankStartsFromAndPassesItsDeadCentres) {
  double most = 0.0, least = 1.0;
  const RunResult r =
      watch(testing::kSliderCrank, {"guide"},
            [&](std::span<const double> q) {
              most = std::max(most, q[0]);
              least = std::min(least, q[0]);
            },
            {"joints.shaft.q=0", "joints.big_end.q=0", "joints.big_end.v=-5.333333333333333",
             "joints.guide.q=0.4", "run.until=20"});
  // Samples every 4 ms at 4 rad/s see the dead centres to 0.1 (0.008)² of the stroke.
  EXPECT_NEAR(most, 0.4, 1e-5);
  EXPECT_NEAR(least, 0.2, 1e-5);
  EXPECT_LE(r.statistics.constraint_error, 1e-9);
  EXPECT_LE(r.largest_residual, 100 * 1e-8 * 2 * r.energy_scale);
}

// A planar loop in a plane of general position: its redundant rows are rounding, not zero.
TEST(Loops, CountRedundantRowsInAnyPlane) {
  for (const char* turn : {"[0, 0, 0]", "[0.3, 0.2, 0.1]", "[1.3, -0.7, 2.1]"}) {
    const RunResult r = run_text(R"yaml(
carom: 1
gravity: off
bodies:
  base: {fixed: true, rotation: )yaml" +
                                 std::string(turn) +
                                 R"yaml(}
  crank: {mass: 0.3, inertia: [1e-3, 1e-3, 1e-3], joint: {revolute: {parent: base}, name: jc, q: 1.0, v: 3}}
  coupler: {mass: 0.2, inertia: [1e-3, 1e-3, 1e-3], joint: {revolute: {parent: crank, at: [0.1, 0, 0]}, name: jk, q: -0.414}}
  rocker: {mass: 0.2, inertia: [1e-3, 1e-3, 1e-3], joint: {revolute: {parent: base, at: [0.3, 0, 0]}, name: jr, q: 1.555}}
joints: {close: {revolute: {parent: coupler, at: [0.3, 0, 0], child: rocker, child_at: [0.25, 0, 0]}, loop: true}}
initial: {assemble: {keep: [jc]}}
run: {until: 10, tolerance: 1e-8}
)yaml");
    EXPECT_EQ(r.statistics.redundant_constraints, 3u) << turn;
    EXPECT_LE(r.statistics.constraint_error, 1e-9) << turn;
    EXPECT_LE(r.largest_residual, 1e-6 * r.energy_scale) << turn;
    const double gap = four_bar_gap(0.1, 0.3, 0.25, 0.3, joint(r, "jc").q[0], joint(r, "jk").q[0],
                                    joint(r, "jr").q[0]);
    EXPECT_LE(gap, 1e-9) << turn;
  }
}

}  // namespace
}  // namespace carom
