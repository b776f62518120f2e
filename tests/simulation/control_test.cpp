// Changing parameters step by step, as a controller does.
#include <cmath>

#include "carom/simulation/live_inputs.h"
#include "carom/simulation/simulation.h"
#include "scene_runs.h"

namespace carom {
namespace {

using testing::model_of;

/// A cart that a signal pushes: 1 kg without friction, v' = u.
const std::string kCart = R"yaml(
carom: 1
gravity: off
signals: {u: 0.0}
bodies:
  cart: {mass: 1, inertia: [1, 1, 1], joint: {prismatic: {axis: x}, name: slide, drive: {force: u}}}
run: {until: 10, tolerance: 1e-8}
)yaml";

TEST(RecordedInputs, OfAPeriodThatNoRunCanKeepAreRefused) {
  for (const double period : {0.0, -1.0, 1e-300, 1e-12, kInf, std::nan("")}) {
    const std::vector<EventRecord> events{{0.0, kPeriodEvent, "inputs", {{"value", period}}}};
    EXPECT_THROW(RecordedInputs{events}, std::runtime_error) << period;
  }
  const std::vector<EventRecord> events{{0.0, kPeriodEvent, "inputs", {{"value", 0.005}}}};
  EXPECT_EQ(RecordedInputs(events).period(0.0), 0.005);
}

class Control : public ::testing::TestWithParam<const char*> {};

TEST_P(Control, FollowsAForceThatChangesEveryMillisecond) {
  Simulation sim(model_of(kCart, {std::string("run.integrator=") + GetParam()}));
  double q = 0.0, v = 0.0;
  constexpr double kStep = 1e-3;
  for (int k = 0; k < 500; ++k) {
    const double u = std::sin(0.02 * k) + (k == 200 ? 50.0 : 0.0);
    sim.set_parameter("signals.u", u);
    ASSERT_EQ(sim.advance(kStep * (k + 1)), AdvanceStatus::reached);
    q += kStep * (v + 0.5 * kStep * u), v += kStep * u;
  }
  EXPECT_NEAR(sim.value("slide.q")[0], q, 1e-6);
  EXPECT_NEAR(sim.value("slide.v")[0], v, 1e-6);
}

TEST_P(Control, AValueThatAParameterHasCostsNothing) {
  Simulation quiet(model_of(kCart, {std::string("run.integrator=") + GetParam()}));
  Simulation told(model_of(kCart, {std::string("run.integrator=") + GetParam()}));
  for (int k = 0; k < 50; ++k) {
    told.set_parameter("signals.u", 0.0);
    quiet.advance(1e-3 * (k + 1)), told.advance(1e-3 * (k + 1));
  }
  EXPECT_EQ(told.statistics().counts.rhs_evaluations, quiet.statistics().counts.rhs_evaluations);
  EXPECT_EQ(told.value("slide.q"), quiet.value("slide.q"));
}

INSTANTIATE_TEST_SUITE_P(Methods, Control,
                         ::testing::Values("erk8", "cvode_bdf", "switching", "erk5", "dirk5",
                                           "cvode_adams"));

TEST(Control, KeepsStepSizeAndHistory) {
  // A stiff damper: BDF takes a step or two per change where it used to begin at order one.
  const std::string stiff = R"yaml(
carom: 1
gravity: off
signals: {u: 0.0}
bodies:
  cart: {mass: 1, inertia: [1, 1, 1], joint: {prismatic: {axis: x}, name: slide, damping: 1e4, spring: {stiffness: 100}, drive: {force: u}}}
run: {until: 10, tolerance: 1e-6, integrator: cvode_bdf}
)yaml";
  Simulation sim(model_of(stiff));
  sim.advance(0.1);
  const IntegratorStatistics before = sim.statistics().counts;
  constexpr int kChanges = 200;
  for (int k = 0; k < kChanges; ++k) {
    sim.set_parameter("signals.u", std::sin(0.01 * k));
    sim.advance(0.1 + 1e-3 * (k + 1));
  }
  const IntegratorStatistics after = sim.statistics().counts;
  EXPECT_EQ(after.restarts, before.restarts);
  EXPECT_LE(after.rhs_evaluations - before.rhs_evaluations, 12 * kChanges);
}

}  // namespace
}  // namespace carom
