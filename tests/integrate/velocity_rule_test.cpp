// How steps by velocities are taken (velocity_rule.h), with a step that does what it is told.
#include "carom/integrate/velocity_rule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "carom/math/velocity_step.h"

namespace carom {
namespace {

/// x grows by the length of the step; what is asked of it is written down.
class ToldStep final : public VelocityStep {
 public:
  int misses = 0;             ///< attempts per step that are to be begun again
  double longest = 1e30;      ///< beyond that bodies sink
  int unsolved = 0;           ///< the first steps do not converge
  Status first = Status::ok;  ///< of the first begin
  std::vector<double> taken;  ///< lengths that were begun
  std::string calls;

  Status begin(double t, double h, std::span<const double> x) override {
    calls += 'b', taken.push_back(h);
    end_ = x[0] + h, h_ = h;
    EXPECT_NEAR(t, x[0], 1e-12);
    return std::exchange(first, Status::ok);
  }
  bool solve() override {
    calls += 's', ++counts_.iterations, counts_.sweeps += 10;
    return unsolved-- <= 0;
  }
  void finish(std::span<double> x_new) override { calls += 'f', x_new[0] = end_, ++counts_.cut; }
  bool missed(std::span<const double> x_new) override {
    EXPECT_EQ(x_new[0], end_);
    return misses-- > 0;
  }
  bool sinks(std::span<const double>) override { return h_ > longest; }
  std::size_t size() const override { return 1; }
  void add_work(std::span<double> work) const override { work[0] += 3.0 * h_; }
  VelocityCounts counts() const override { return counts_; }

 private:
  double end_ = 0.0, h_ = 0.0;
  VelocityCounts counts_;
};

class ToldSystem final : public System {
 public:
  ToldStep step;
  std::size_t size() const override { return 1; }
  Status rhs(double, std::span<const double>, std::span<double> xdot) override {
    xdot[0] = 1.0;
    return Status::ok;
  }
  std::size_t power_count() const override { return 1; }
  void powers(std::span<double> p) const override { p[0] = 3.0; }
  VelocityStep* velocity_step() override { return &step; }
};

struct VelocityRule : testing::Test {
  void start() {
    IntegratorSettings settings;
    settings.fixed_step = 0.5;
    integrator = make_velocity_integrator(system, settings);
    const double x[] = {0.0};
    integrator->start(0.0, x);
  }
  ToldSystem system;
  std::unique_ptr<Integrator> integrator;
};

TEST_F(VelocityRule, BeginsAgainWhatWasMissed) {
  start();
  system.step.misses = 2;
  ASSERT_EQ(integrator->step(10.0), StepStatus::ok);
  EXPECT_EQ(system.step.calls, "bsfbsfbsf");
  EXPECT_EQ(integrator->state()[0], 0.5);
  const IntegratorStatistics& s = integrator->statistics();
  EXPECT_EQ(s.steps, 1);
  EXPECT_EQ(s.rejected_steps, 0);
  EXPECT_EQ(s.rhs_evaluations, 3);
  EXPECT_EQ(s.newton_iterations, 3);
  EXPECT_EQ(s.linear_iterations, 30);
  EXPECT_EQ(s.bank_actions, 3);
}

TEST_F(VelocityRule, ShortensStepsInWhichBodiesSinkToAFifth) {
  start();
  system.step.longest = 0.2;
  ASSERT_EQ(integrator->step(10.0), StepStatus::ok);
  EXPECT_EQ(system.step.taken, (std::vector{0.5, 0.25, 0.125}));
  EXPECT_EQ(integrator->time(), 0.125);
  EXPECT_EQ(integrator->statistics().rejected_steps, 2);
  EXPECT_EQ(integrator->statistics().bank_actions, 1) << "of the step that was taken";
  // No step is short enough: what is at most a fifth of the step that was asked for is taken.
  start();
  system.step.taken.clear(), system.step.longest = 0.0;
  ASSERT_EQ(integrator->step(10.0), StepStatus::ok);
  EXPECT_EQ(system.step.taken, (std::vector{0.5, 0.25, 0.125, 0.0625}));
}

TEST_F(VelocityRule, AddsTheWorkOfTheStepAndCountsWhatDidNotConverge) {
  start();
  system.step.unsolved = 1;
  double work = 0.0, error = 0.0;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(integrator->step(10.0), StepStatus::ok);
    integrator->integrate_powers(integrator->time(), {&work, 1}, {&error, 1});
    EXPECT_NEAR(work, 1.5, 1e-15);
  }
  EXPECT_EQ(integrator->statistics().unconverged_steps, 1);
}

/// After a step that was halved a contact may begin, and the method starts there.
TEST_F(VelocityRule, StepsAreOnMultiplesOfTheStepWhereverItStarts) {
  start();
  for (const double begin : {0.125, 0.7, 3.0}) {
    const double x[] = {begin};
    integrator->start(begin, x);
    ASSERT_EQ(integrator->step(10.0), StepStatus::ok);
    EXPECT_DOUBLE_EQ(integrator->time(), 0.5 * (std::floor(begin / 0.5) + 1.0));
  }
}

TEST_F(VelocityRule, HandsOnThatAStepCannotBegin) {
  start();
  system.step.first = Status::recoverable;
  ASSERT_EQ(integrator->step(10.0), StepStatus::ok);
  EXPECT_EQ(integrator->time(), 0.25);
  EXPECT_EQ(integrator->statistics().rejected_steps, 1);
}

}  // namespace
}  // namespace carom
