// Closed loops: they stay closed for long runs, tolerate redundant rows and assemble from
// a rough start.
#include <algorithm>
#include <numbers>

#include "loop_watch.h"

namespace carom {
namespace {

using testing::four_bar_gap;
using testing::joint;
using testing::model_of;
using testing::run_text;
using testing::watch;

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
