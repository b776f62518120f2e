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
values: {rpm: 95, rows: 1e5}
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
run: {until: 0.008, output: {step: "=0.008/rows", channels: [shaft, energy]}}
)";

/// A spring presses a damped follower with a roller onto a cam of two discs and a hull around their
/// flanks, from shortly before the lobe on: at high speed the roller is thrown off.
const char* const kRoller = R"(
carom: 1
values: {rpm: 1500, rows: 1e5, base: 0.03, lift: 0.012}
bodies:
  cam:
    material: steel
    shapes:
      - {cylinder: {radius: $base, length: 0.02}, axis: y}
      - {cylinder: {radius: 0.015, length: 0.02}, at: [0, 0, "=base + lift - 0.015"], axis: y}
      - {hull: {points: [[0.0299, 0.01, 0], [0.0299, -0.01, 0], [-0.0299, 0.01, 0], [-0.0299, -0.01, 0], [0.0149, 0.01, 0.027], [0.0149, -0.01, 0.027], [-0.0149, 0.01, 0.027], [-0.0149, -0.01, 0.027]]}}
    joint: {revolute: {axis: y}, name: shaft, motion: "=rpm/60*2*pi*t + pi + 2.34"}
  follower:
    material: steel
    shapes: [{cylinder: {radius: 0.006, length: 0.12}, at: [0, 0, 0.07], axis: z, contact: off}]
    joint: {prismatic: {axis: z, at: [0, 0, "=base + 0.01"]}, name: lift_slide, spring: {stiffness: 3000, rest: -0.01}, damping: 1}
  roller:
    material: steel
    shapes: [{cylinder: {radius: 0.01, length: 0.018}, axis: y}]
    joint: {revolute: {parent: follower, axis: y}, name: pin, damping: 1e-4}
contact: {friction: lugre, mu_k: 0.15, restitution: 0.3, k_red: 1e-2}
run: {until: "=8.4/rpm", output: {step: "=8.4/rpm/rows", channels: [shaft, energy]}}
)";

struct DriveCase {
  const char* scene;
  int rpm;
  const char* method;
  const char* tolerance;
};

/// Simpson's rule over the rows; their number is odd. Where the force jumps between two rows it is
/// wrong by up to half the jump times their distance: rows have to be that near.
double integral(const Recording& r, const std::string& force, const std::string& speed) {
  const std::vector<double> f = r.column(force), v = r.column(speed);
  double sum = 0.0;
  for (std::size_t i = 0; i + 2 < r.time.size(); i += 2) {
    sum += (r.time[i + 2] - r.time[i]) / 6.0 *
           (f[i] * v[i] + 4.0 * f[i + 1] * v[i + 1] + f[i + 2] * v[i + 2]);
  }
  return sum;
}

class WorkOfDrives : public ::testing::TestWithParam<DriveCase> {};

TEST_P(WorkOfDrives, IsTheIntegralOfRecordedForceTimesVelocity) {
  const DriveCase c = GetParam();
  const auto model = testing::model_of(
      c.scene, {"values.rpm=" + std::to_string(c.rpm), std::string("run.tolerance=") + c.tolerance,
                std::string("run.integrator=") + c.method});
  MemoryWriter memory;
  RunOptions options;
  options.recorder = &memory;
  const RunResult r = run(model, options);
  ASSERT_EQ(r.status, RunStatus::completed) << r.reason;
  const double limit = std::max(1e-4, 100.0 * model->scene.run.tolerance) * r.turned_over;
  EXPECT_LE(r.largest_residual, limit);
  EXPECT_NEAR(r.energy.drive_work, integral(memory.recording(), "shaft.force", "shaft.v"), limit);
}

INSTANTIATE_TEST_SUITE_P(Methods, WorkOfDrives,
                         ::testing::Values(DriveCase{kEccentric, 95, "auto", "1e-4"},
                                           DriveCase{kEccentric, 600, "auto", "1e-6"},
                                           DriveCase{kEccentric, 3000, "auto", "1e-10"},
                                           DriveCase{kEccentric, 95, "cvode_bdf", "1e-5"},
                                           DriveCase{kRoller, 600, "auto", "1e-4"},
                                           DriveCase{kRoller, 1500, "auto", "1e-6"},
                                           DriveCase{kRoller, 3000, "auto", "1e-5"},
                                           DriveCase{kRoller, 3000, "auto", "1e-8"},
                                           DriveCase{kRoller, 3000, "cvode_bdf", "1e-6"},
                                           DriveCase{kRoller, 1500, "dirk5", "1e-6"}),
                         [](const auto& of) {
                           return std::string(of.param.scene == kRoller ? "roller_"
                                                                        : "eccentric_") +
                                  std::to_string(of.param.rpm) + "_" + of.param.method + "_" +
                                  std::string(of.param.tolerance).substr(3);
                         });

/// Between explicit steps forces on stiff contacts swing in the record, by some per cent; their
/// rows of the ledger do not.
TEST(LedgerRows, OfExplicitMethodsAreThoseOfImplicitOnes) {
  const auto result_of = [](const char* method, const char* tolerance) {
    return run(testing::model_of(
        kRoller, {"values.rpm=3000", "values.rows=10", std::string("run.tolerance=") + tolerance,
                  std::string("run.integrator=") + method}));
  };
  const RunResult exact = result_of("auto", "1e-9");
  const double limit = 1e-4 * exact.turned_over;
  EXPECT_NEAR(result_of("erk8", "1e-6").energy.drive_work, exact.energy.drive_work, limit);
  EXPECT_NEAR(result_of("erk5", "1e-6").energy.drive_work, exact.energy.drive_work, limit);
  EXPECT_NEAR(result_of("cvode_bdf", "1e-6").energy.drive_work, exact.energy.drive_work, limit);
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

/// A step that ends where a signal jumps belongs to what was before: with the slope from behind the
/// jump at its end its interpolant is off by 4/27 of what that slope would bring over the step.
class BeforeAJump : public ::testing::TestWithParam<const char*> {};

TEST_P(BeforeAJump, RowsAndLedgerKnowNothingOfIt) {
  const auto model = testing::model_of(R"(
carom: 1
gravity: off
bodies:
  cart:
    mass: 2
    joint:
      prismatic: {axis: x}
      name: rail
      drive:
        position: {ramp: {before: 0, after: 0.3, start: 0.5, duration: 0.2}}
        stiffness: 50
        damping: 40
run: {until: 1, tolerance: 1e-6, output: {step: 0.01}}
)",
                                       {std::string("run.integrator=") + GetParam()});
  MemoryWriter memory;
  RunOptions options;
  options.recorder = &memory;
  const RunResult r = run(model, options);
  ASSERT_EQ(r.status, RunStatus::completed) << r.reason;
  // What dense output of third order leaves of a power that falls from a peak; it was 0.4 to 2.7.
  EXPECT_LE(r.largest_residual, 1e-3 * r.turned_over);
  const std::vector<double> speed = memory.recording().column("rail.v");
  for (std::size_t i = 0; memory.recording().time[i] < 0.4999; ++i) EXPECT_EQ(speed[i], 0.0);
}

INSTANTIATE_TEST_SUITE_P(Methods, BeforeAJump,
                         ::testing::Values("erk8", "erk5", "erk4", "dirk5", "dirk3", "cvode_bdf",
                                           "cvode_adams", "switching"));

}  // namespace
}  // namespace carom
