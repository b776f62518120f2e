// Rows of the ledger are integrals: against the sum of recorded force times velocity on a fine
// grid, for every method, where a drive presses on contacts that are far stiffer than the motion.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/record/memory_writer.h"
#include "scene_runs.h"

namespace carom {
namespace {

/// A disc that turns off its centre lifts a flat follower: steel on steel.
const char* const kEccentric = R"(
carom: 1
values: {rpm: 95}
bodies:
  cam:
    mass: 1
    inertia: [0.01, 0.01, 0.01]
    material: steel
    shapes: [{cylinder: {radius: 0.05, length: 0.03}, axis: y, at: [0.02, 0, 0], mass: false}]
    joint: {revolute: {axis: y}, name: shaft, motion: "=-rpm/60*2*pi*t"}
  follower:
    mass: 0.5
    inertia: [0.01, 0.01, 0.01]
    material: steel
    shapes: [{box: {size: [0.2, 0.05, 0.02]}, at: [0, 0, 0.01], mass: false}]
    joint: {prismatic: {axis: z}, name: lift, q: 0.05}
contact: {friction: none, resistance: none, restitution: 0, watch: [[cam, follower]]}
run: {until: 0.02, output: {step: 1e-6}}
)";

/// A spring presses a damped follower with a roller onto a cam of two discs and a hull around their
/// flanks: at high speed it is thrown off and comes back with a blow in every turn.
const char* const kRoller = R"(
carom: 1
values: {rpm: 1500, base: 0.03, lift: 0.012}
bodies:
  cam:
    material: steel
    shapes:
      - {cylinder: {radius: $base, length: 0.02}, axis: y}
      - {cylinder: {radius: 0.015, length: 0.02}, at: [0, 0, "=base + lift - 0.015"], axis: y}
      - {hull: {points: [[0.0299, 0.01, 0], [0.0299, -0.01, 0], [-0.0299, 0.01, 0], [-0.0299, -0.01, 0], [0.0149, 0.01, 0.027], [0.0149, -0.01, 0.027], [-0.0149, 0.01, 0.027], [-0.0149, -0.01, 0.027]]}}
    joint: {revolute: {axis: y}, name: shaft, motion: "=rpm/60*2*pi*t + pi"}
  follower:
    material: steel
    shapes: [{cylinder: {radius: 0.006, length: 0.12}, at: [0, 0, 0.07], axis: z, contact: off}]
    joint: {prismatic: {axis: z, at: [0, 0, "=base + 0.01"]}, name: lift_slide, spring: {stiffness: 3000, rest: -0.01}, damping: 1}
  roller:
    material: steel
    shapes: [{cylinder: {radius: 0.01, length: 0.018}, axis: y}]
    joint: {revolute: {parent: follower, axis: y}, name: pin, damping: 1e-4}
contact: {friction: lugre, mu_k: 0.15, restitution: 0.3, k_red: 1e-2}
run: {until: 0.05, output: {step: 2e-6}}
)";

struct DriveCase {
  const char* scene;
  int rpm;
  const char* method;
  double tolerance;
};

/// Simpson's rule over the rows from `first` on, which is even; their number is odd.
double integral(const Recording& r, std::size_t first, const std::string& force,
                const std::string& speed) {
  const std::vector<double> f = r.column(force), v = r.column(speed);
  double sum = 0.0;
  for (std::size_t i = first; i + 2 < r.time.size(); i += 2) {
    sum += (r.time[i + 2] - r.time[i]) / 6.0 *
           (f[i] * v[i] + 4.0 * f[i + 1] * v[i + 1] + f[i + 2] * v[i + 2]);
  }
  return sum;
}

class WorkOfDrives : public ::testing::TestWithParam<DriveCase> {};

TEST_P(WorkOfDrives, HoldsTheWorkOfADriveThatPressesOnAStiffContact) {
  const DriveCase c = GetParam();
  const auto model = testing::model_of(c.scene, {"values.rpm=" + std::to_string(c.rpm),
                                                 "run.tolerance=" + std::to_string(c.tolerance),
                                                 std::string("run.integrator=") + c.method});
  MemoryWriter memory;
  RunOptions options;
  options.recorder = &memory;
  const RunResult r = run(model, options);
  ASSERT_EQ(r.status, RunStatus::completed) << r.reason;
  const double limit = std::max(1e-4, 100.0 * c.tolerance) * r.turned_over;
  EXPECT_LE(r.largest_residual, limit);
  // From a tenth of the time on: where the first contact begins the force jumps between two rows.
  const Recording& rows = memory.recording();
  const std::size_t first = rows.time.size() / 20 * 2;
  const double work = r.energy.drive_work - rows.column("energy.drive_work")[first];
  EXPECT_NEAR(work, integral(rows, first, "shaft.force", "shaft.v"), limit);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, WorkOfDrives,
    ::testing::Values(
        DriveCase{kEccentric, 95, "auto", 1e-4}, DriveCase{kEccentric, 600, "auto", 1e-6},
        DriveCase{kEccentric, 95, "cvode_bdf", 1e-5}, DriveCase{kRoller, 600, "auto", 1e-4},
        DriveCase{kRoller, 1500, "auto", 1e-6}, DriveCase{kRoller, 3000, "auto", 1e-5},
        DriveCase{kRoller, 3000, "auto", 1e-6}, DriveCase{kRoller, 3000, "cvode_bdf", 1e-6},
        DriveCase{kRoller, 600, "erk5", 1e-6}, DriveCase{kRoller, 600, "dirk5", 1e-6}),
    [](const auto& of) {
      return std::string(of.param.scene == kRoller ? "roller_" : "eccentric_") +
             std::to_string(of.param.rpm) + "_" + of.param.method + "_" +
             std::to_string(std::lround(-std::log10(of.param.tolerance)));
    });

/// Rows are judged by what the motion feels: the nearest points of parallel cylinders are where the
/// search began, and another start gives another line of contact.
TEST(LedgerRows, ComeFromTheContactsThatTheMotionFeels) {
  const auto work = [](const char* method) {
    return run(testing::model_of(kRoller,
                                 {"values.rpm=3000", "run.tolerance=1e-7", "run.output.step=1e-4",
                                  std::string("run.integrator=") + method}))
        .energy.drive_work;
  };
  const double by_stages = work("erk8");
  EXPECT_NEAR(work("cvode_bdf"), by_stages, 1e-4 * by_stages);
}

/// Energies that do not hang on the steps: samples inside long steps are rows too.
TEST(LedgerRows, AreRightInsideSteps) {
  const auto model = testing::model_of(R"(
carom: 1
gravity: off
bodies:
  mass:
    mass: 2
    joint: {prismatic: {axis: x}, name: slide, v: 3, damping: 4}
run: {until: 1, output: {step: 0.01}}
)");
  MemoryWriter memory;
  RunOptions options;
  options.recorder = &memory;
  run(model, options);
  const Recording& r = memory.recording();
  const std::vector<double> lost = r.column("energy.dissipated_damping");
  for (std::size_t i = 0; i < r.time.size(); ++i) {
    EXPECT_NEAR(lost[i], 9.0 * (1.0 - std::exp(-4.0 * r.time[i])), 1e-6) << r.time[i];
  }
}

}  // namespace
}  // namespace carom
