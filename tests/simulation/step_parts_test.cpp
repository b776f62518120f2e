// The small parts that a step of a simulation is made of, each by itself: rows of the ledger that
// are integrals, the turn of linkages, scales of errors, the instants of samples, counts.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/engine/evaluate.h"
#include "carom/engine/stepper.h"
#include "carom/simulation/error_scales.h"
#include "carom/simulation/turn_limit.h"
#include "carom/simulation/work_rows.h"
#include "loop_scenes.h"
#include "scene_runs.h"

namespace carom {
namespace {

const char* const kDrivenWheel = R"(
carom: 1
bodies:
  wheel: {mass: 1, inertia: [0.1, 0.1, 0.1], joint: {revolute: {axis: y}, name: shaft, v: 3, drive: {force: 2}}}
run: {until: 1, tolerance: 1e-8}
)";

/// An integrator whose last step went from 0 to 1 s at constant speed, and whose stages give work
/// that is wrong by as much as it says.
class FinishedStep : public Integrator {
 public:
  FinishedStep(const Model& model, double wrong) : x_(model.initial), wrong_(wrong) {}
  void start(double, std::span<const double>) override {}
  StepStatus step(double) override { return StepStatus::ok; }
  double time() const override { return 1.0; }
  double previous_time() const override { return 0.0; }
  std::span<const double> state() const override { return x_; }
  void interpolate(double, std::span<double> x) override { std::ranges::copy(x_, x.begin()); }
  bool interpolant_is_accurate() const override { return true; }
  StepStatus repeat_until(double) override { return StepStatus::ok; }
  bool integrate_powers(double t, std::span<double> work, std::span<double> error) override {
    for (double& w : work) w = 0.0;
    for (double& e : error) e = wrong_;
    work[2] = 6.0 * t + wrong_;
    return true;
  }
  const IntegratorStatistics& statistics() const override { return counts_; }
  std::string failure() const override { return {}; }

 private:
  std::vector<double> x_;
  double wrong_;
  IntegratorStatistics counts_;
};

/// Work of the drive (2 N m at 3 rad/s over 1 s) where the method's stages err by this much [J] and
/// a row may err by 1e-6.
double drive_work_of_step(double wrong) {
  const auto model = testing::model_of(kDrivenWheel);
  Workspace observer(model);
  FinishedStep step(*model, wrong);
  WorkRows rows(*model);
  rows.take(step, observer, 1.0, 1e-6);
  EXPECT_EQ(rows.at(1.0).drive, rows.end().drive);
  return rows.end().drive;
}

TEST(WorkRows, TakeTheStagesWhereTheyAreAccurateAndQuadratureElsewhere) {
  EXPECT_EQ(drive_work_of_step(1e-7), 6.0 + 1e-7);
  EXPECT_NEAR(drive_work_of_step(1e-3), 6.0, 1e-12);
}

/// Locating an event once more has moved it: powers go on for that long.
TEST(WorkRows, FollowAnEventThatHasMoved) {
  const auto model = testing::model_of(kDrivenWheel);
  Workspace observer(model);
  FinishedStep step(*model, 0.0);
  WorkRows rows(*model);
  rows.take(step, observer, 1.0, 1e-6);
  const Powers moved = rows.end(-0.25, {1.0, 2.0, 4.0, 8.0});
  EXPECT_EQ(moved.damping, -0.25);
  EXPECT_EQ(moved.friction, -0.5);
  EXPECT_EQ(moved.drive, 6.0 - 1.0);
  EXPECT_EQ(moved.model, -2.0);
}

TEST(TurnLimit, LetsAJointOfALoopTurnByARadian) {
  const auto model = testing::model_of(testing::kFourBar);
  std::vector<double> x(model->size(), 0.0);
  const TurnLimit limit(*model);
  EXPECT_EQ(limit.longest_step(x), kInf);
  x[model->nq() + 1] = -20.0;
  EXPECT_EQ(limit.longest_step(x), 1.0 / 20.0);
}

/// Where a body rests, rounding of its place is no error; in flight each digit counts.
TEST(ErrorScales, CountNoRoundingOfWhatRests) {
  const auto model = testing::model_of(R"(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.0499999]}
  twin: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [1, 0, 0.06]}
run: {until: 1}
)");
  Workspace w(model);
  std::vector<double> x = model->initial;
  Stepper(w).start(0.0, x);
  evaluate(w, 0.0, x);
  ErrorScales scales(w);
  scales.find();
  std::vector<double> weights(x.size());
  // So tight that what the tolerance allows lies below the rounding of any place.
  scales.weights(x, 1e-20, weights);
  const std::size_t height = 6, next = 7;
  EXPECT_GT(weights[next + height], 1e17);
  EXPECT_LT(weights[height], 1e15);
  EXPECT_GT(weights[height], 1e13);
}

TEST(Samples, FallOnTheGridAfterARestart) {
  const auto model = testing::model_of(kDrivenWheel);
  Simulation sim(model);
  std::vector<double> times;
  sim.on_sample(0.125, [&](double t, auto&&...) { times.push_back(t); });
  ASSERT_EQ(sim.advance(0.3), AdvanceStatus::reached);
  sim.restore(sim.save());
  ASSERT_EQ(sim.advance(1.0), AdvanceStatus::reached);
  ASSERT_EQ(times.size(), 9u);
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(times[i], 0.125 * double(i));
}

/// Times that a loop adds up leave the grid by roundings: no steps of that length are taken.
TEST(FixedSteps, OfALoopAreOnePerPeriod) {
  for (const char* method : {"rk4", "implicit_contact"}) {
    Simulation sim(testing::model_of(std::string(R"(
carom: 1
bodies:
  wheel: {mass: 1, inertia: [0.1, 0.1, 0.1], joint: {revolute: {axis: y}, drive: {force: 2}}}
run: {until: 1, step: 1e-3, integrator: )") +
                                     method + "}\n"));
    constexpr int kPeriods = 8000;
    for (int k = 0; k < kPeriods; ++k) sim.advance(sim.time() + 1e-3);
    EXPECT_EQ(sim.statistics().counts.steps, kPeriods) << method;
  }
}

TEST(Statistics, CountEveryEventThatIsReported) {
  Simulation sim(testing::model_of(R"(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.06]}
contact: {restitution: 0.8, k_red: 1e-4}
run: {until: 0.3, tolerance: 1e-6}
)"));
  int reported = 0;
  sim.on_event([&](const EngineEvent&) { ++reported; });
  ASSERT_EQ(sim.advance(0.3), AdvanceStatus::reached);
  EXPECT_GE(reported, 4);
  EXPECT_EQ(sim.statistics().events, reported);
}

}  // namespace
}  // namespace carom
