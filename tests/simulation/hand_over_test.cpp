// Rigid contact under `auto` goes over to time steps where events pile up, and says what that
// loses.
#include <gtest/gtest.h>

#include "carom/simulation/simulation.h"
#include "contact_runs.h"

namespace carom {
namespace {

using namespace testing;

/// Of 10^7 s events of bounces bring nothing: 200 of them within two seconds are a pile.
const std::string kBouncesForLong =
    "carom: 1\nname: bounces\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n"
    "  ball: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [0, 0, 0.101], velocity: [1, "
    "0, "
    "0]}\ncontact: {method: rigid, restitution: 0.99, mu_k: 0.3}\nrun: {until: 1e7}\n";

TEST(HandOver, TimeStepsTakeOverWhereEventsPileUp) {
  Simulation simulation(model_of(kBouncesForLong));
  std::vector<EngineEvent> told;
  simulation.on_event([&](const EngineEvent& e) { told.push_back(e); });
  ASSERT_EQ(simulation.advance(3.0), AdvanceStatus::reached) << simulation.failure();
  const auto is_over = [](const EngineEvent& e) { return e.kind == "stepping_on"; };
  ASSERT_EQ(std::ranges::count_if(told, is_over), 1);
  const EngineEvent over = *std::ranges::find_if(told, is_over);
  // One body: steps of 1e-4 s, and bounces below 2 g h² are left out.
  EXPECT_NEAR(over.value, 2 * 9.81 * 1e-8, 1e-15);
  EXPECT_EQ(over.subject, "time_stepping");
  // It rests on the floor and rolls: 5/7 of its speed.
  const Ledger l = simulation.ledger();
  EXPECT_NEAR(l.kinetic, 0.5 * 1.4 * 25.0 / 49.0, 1e-6);
  EXPECT_NEAR(l.potential, 9.81 * 0.1, 1e-9);
  EXPECT_LE(std::abs(l.residual), 1e-8);
}

/// Cans, boxes and balls in two layers, thrown towards the middle.
std::string thrown_heap() {
  const char* shapes[] = {"cylinder: {radius: 0.05, length: 0.08}",
                          "box: {size: [0.08, 0.06, 0.1]}", "sphere: {radius: 0.05}"};
  std::string text =
      "carom: 1\nname: heap\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n";
  for (int k = 0; k < 18; ++k) {
    const int i = k / 3 % 3 - 1, j = k % 3 - 1;
    char line[240];
    std::snprintf(line, sizeof line,
                  "  b%d: {mass: 1, shapes: [{%s}], position: [%g, %g, %g], velocity: [%d, %d, 0], "
                  "angular_velocity: [%d, %d, 1]}\n",
                  k, shapes[k % 3], 0.16 * i + 0.01 * (k % 4), 0.16 * j - 0.01 * (k % 5),
                  0.15 + 0.2 * (k / 9), -2 * i, -2 * j, 3 - k % 7, k % 5 - 2);
    text += line;
  }
  return text + "contact: {method: rigid, restitution: 0.6, mu_k: 0.4}\n";
}

TEST(HandOver, TimeStepsTakeOverWhereEventsWouldTakeTooLong) {
  const RunResult r = run(model_of(thrown_heap() + "run: {until: 10, tolerance: 1e-6}\n"));
  EXPECT_EQ(r.status, RunStatus::completed) << r.reason;
  const auto is_over = [](const EngineEvent& e) { return e.kind == "stepping_on"; };
  const auto over = std::ranges::find_if(r.events, is_over);
  ASSERT_NE(over, r.events.end());
  EXPECT_GT(over->time, 0.3) << "most of the impacts are located";
  // By events alone it has come to 2.9 s after 110,000 of them.
  EXPECT_LT(r.statistics.counts.rhs_evaluations, 60000);
  EXPECT_EQ(r.verdict.grade(), Grade::doubtful);
  EXPECT_LE(std::abs(r.largest_residual), 1e-4 * r.energy_scale);
}

TEST(HandOver, StaysWithEventsThatEndSoon) {
  const RunResult r = run(model_of(thrown_heap() + "run: {until: 0.5, tolerance: 1e-6}\n"));
  EXPECT_EQ(r.status, RunStatus::completed) << r.reason;
  EXPECT_EQ(r.statistics.integrator, "switching");
  EXPECT_EQ(r.verdict.grade(), Grade::sound);
}

TEST(HandOver, GoesOnFromASavedStateToTheLastBit) {
  const auto model = model_of(kBouncesForLong);
  Simulation saved(model), restored(model);
  ASSERT_EQ(saved.advance(2.9), AdvanceStatus::reached) << saved.failure();
  restored.restore(run_state_from_bytes(to_bytes(saved.save())));
  ASSERT_EQ(saved.advance(3.0), AdvanceStatus::reached);
  ASSERT_EQ(restored.advance(3.0), AdvanceStatus::reached);
  EXPECT_EQ(to_bytes(saved.save()), to_bytes(restored.save()));
}

std::vector<EngineEvent> told_until(Simulation& simulation, double t) {
  std::vector<EngineEvent> told;
  simulation.on_event([&](const EngineEvent& e) { told.push_back(e); });
  EXPECT_EQ(simulation.advance(t), AdvanceStatus::reached) << simulation.failure();
  simulation.on_event({});
  return told;
}

double time_of(const std::vector<EngineEvent>& told, const std::string& kind) {
  for (const EngineEvent& e : told) {
    if (e.kind == kind) return e.time;
  }
  return -1.0;
}

// Once the ball rolls, five steps are equal, and events take over again: its gap is rounding then.
TEST(HandOver, EventsTakeOverAgainWhereNothingHappens) {
  Simulation simulation(model_of(kBouncesForLong));
  const std::vector<EngineEvent> told = told_until(simulation, 3.0);
  const double on = time_of(told, "stepping_on"), off = time_of(told, "stepping_off");
  ASSERT_GT(on, 0.0);
  ASSERT_GE(off, on + 0.05);
  for (const EngineEvent& e : told) {
    if (e.kind != "stepping_off") continue;
    EXPECT_NEAR(e.value, off - on, 1e-12);
  }
  EXPECT_EQ(simulation.workspace().modes.fixed_step, 0.0);
  const Ledger l = simulation.ledger();
  EXPECT_NEAR(l.potential, 9.81 * 0.1, 1e-13);
  EXPECT_LE(std::abs(l.residual), 1e-8);
  EXPECT_LE(std::abs(l.model_work), 1e-8);
}

// A superquadric that stands on a box touches in ways whose events are not known: as long as it
// does, time steps go on.
TEST(HandOver, TimeStepsGoOnWhereEventsAreNotKnown) {
  Simulation simulation(model_of(
      "carom: 1\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n  box: {mass: 1, "
      "shapes: [{box: {size: [0.4, 0.3, 0.2]}}], position: [0, 0, 0.1]}\n  die: {mass: 1, shapes: "
      "[{superquadric: {radii: [0.1, 0.1, 0.1], exponents: [4, 4]}}], position: [0, 0, "
      "0.3]}\ncontact: {method: rigid, restitution: 0, mu_k: 0.5}\nrun: {until: "
      "0.5, output: {step: 0.05}}\n"));
  const std::vector<EngineEvent> told = told_until(simulation, 0.5);
  EXPECT_GE(time_of(told, "stepping_on"), 0.0);
  EXPECT_EQ(time_of(told, "stepping_off"), -1.0);
  EXPECT_GT(simulation.workspace().modes.fixed_step, 0.0);
}

}  // namespace
}  // namespace carom
