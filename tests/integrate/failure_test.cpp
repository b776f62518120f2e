// What happens when the right-hand side cannot be evaluated.
#include <gtest/gtest.h>

#include <string>

#include "integrate/test_systems.h"

namespace carom {
namespace {

using namespace test;

class FailureOfEveryMethod : public testing::TestWithParam<const Method*> {};

INSTANTIATE_TEST_SUITE_P(Catalogue, FailureOfEveryMethod,
                         testing::ValuesIn(method_catalogue().begin(), method_catalogue().end()),
                         [](const auto& row) { return std::string(row.param->name); });

/// x' = -x until t = 0.5; from there on the evaluation ends as told.
FunctionSystem failing_after_half(Status status, double value) {
  return FunctionSystem(1, [=](double t, std::span<const double> x, std::span<double> xdot) {
    xdot[0] = t > 0.5 ? value : -x[0];
    return t > 0.5 ? status : Status::ok;
  });
}

void expect_failure(const Method& method, FunctionSystem& system, const std::string& word) {
  IntegratorSettings settings;
  settings.rtol = 1e-8;
  settings.fixed_step = 1e-3;
  const auto integrator = method.make(system, settings);
  integrator->start(0.0, std::vector<double>{1.0});
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  EXPECT_FALSE(run_to(*integrator, 1.0));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");  // nothing is printed
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_NE(integrator->failure().find(word), std::string::npos) << integrator->failure();
  EXPECT_GT(integrator->time(), 0.2);
  // A method that evaluates at the beginning of a step only notices one step later.
  EXPECT_LE(integrator->time(), 0.5 + settings.fixed_step * (method.order == 1 ? 1.0 : 1e-9));
  // The state of the last good step is still there; order 1 is the least accurate.
  EXPECT_NEAR(integrator->state()[0], std::exp(-integrator->time()), 1e-3);
}

TEST_P(FailureOfEveryMethod, ARightHandSideThatAsksForSmallerStepsForEverStopsTheRun) {
  FunctionSystem system = failing_after_half(Status::recoverable, 0.0);
  expect_failure(*GetParam(), system, "asks for smaller steps at t = 0.5");
}

TEST_P(FailureOfEveryMethod, AFatalErrorStopsTheRun) {
  FunctionSystem system = failing_after_half(Status::fatal, 0.0);
  expect_failure(*GetParam(), system, "cannot be evaluated at t = 0.5");
}

TEST_P(FailureOfEveryMethod, ANotANumberStopsTheRunAndIsNamed) {
  FunctionSystem system = failing_after_half(Status::ok, std::nan(""));
  expect_failure(*GetParam(), system, "not finite (component 0) at t = 0.5");
}

TEST_P(FailureOfEveryMethod, AFailureAtTheStartIsReported) {
  FunctionSystem system(
      1, [](double, std::span<const double>, std::span<double>) { return Status::fatal; });
  const auto integrator = GetParam()->make(system, IntegratorSettings{});
  integrator->start(0.0, std::vector<double>{1.0});
  EXPECT_EQ(integrator->step(1.0), StepStatus::failed);
  EXPECT_NE(integrator->failure().find("cannot be evaluated at t = 0"), std::string::npos)
      << integrator->failure();
  EXPECT_EQ(integrator->time(), 0.0);
  EXPECT_EQ(integrator->state()[0], 1.0);
}

TEST_P(FailureOfEveryMethod, ARecoverableErrorIsAvoidedBySmallerSteps) {
  // cos t never exceeds 1; a trial that strays beyond 1.02 is refused, and the first step
  // is far too long on purpose.
  FunctionSystem system(2, [](double, std::span<const double> x, std::span<double> xdot) {
    if (std::hypot(x[0], x[1]) > 1.02) return Status::recoverable;
    xdot[0] = x[1];
    xdot[1] = -x[0];
    return Status::ok;
  });
  IntegratorSettings settings;
  settings.rtol = 1e-6;
  settings.initial_step = 3.0;
  settings.fixed_step = 0.02;
  if (GetParam()->order == 1) settings.fixed_step = 1e-3;
  const auto integrator = GetParam()->make(system, settings);
  integrator->start(0.0, std::vector<double>{1.0, 0.0});
  ASSERT_TRUE(run_to(*integrator, 3.0)) << integrator->failure();
  EXPECT_NEAR(integrator->state()[0], std::cos(3.0), 1e-2);
}

TEST(DiscontinuousForce, IsPassedByEveryErrorControlledMethod) {
  for (const Method* method : method_catalogue()) {
    if (!method->error_controlled) continue;
    FunctionSystem system(1, [](double t, std::span<const double>, std::span<double> xdot) {
      xdot[0] = t < 0.3 ? 1.0 : 100.0;
      return Status::ok;
    });
    IntegratorSettings settings;
    settings.rtol = 1e-8;
    const auto integrator = method->make(system, settings);
    integrator->start(0.0, std::vector<double>{0.0});
    ASSERT_TRUE(run_to(*integrator, 1.0)) << method->name << integrator->failure();
    EXPECT_NEAR(integrator->state()[0], 70.3, 1e-3) << method->name;
  }
}

}  // namespace
}  // namespace carom
