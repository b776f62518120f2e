// Every method of the catalogue, whichever there are, must pass these.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "integrate/test_systems.h"

namespace carom {
namespace {

using namespace test;

class EveryMethod : public testing::TestWithParam<const Method*> {};

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryMethod,
                         testing::ValuesIn(method_catalogue().begin(), method_catalogue().end()),
                         [](const auto& row) { return std::string(row.param->name); });

TEST(MethodCatalogue, NamesAreUniqueAndFound) {
  std::set<std::string> names;
  for (const Method* method : method_catalogue()) {
    EXPECT_TRUE(names.insert(method->name).second) << method->name;
    EXPECT_EQ(find_method(method->name), method);
  }
  EXPECT_EQ(find_method("no such method"), nullptr);
}

IntegratorSettings accurate_settings() {
  IntegratorSettings settings;
  settings.rtol = 1e-9;
  settings.atol = 1e-11;
  settings.fixed_step = 1e-3;
  return settings;
}

/// What is left of 1e-9 after the amplification of a smooth run of a few periods, or the
/// error of a fixed step of 1e-3 with a method of this order (error constants below 1).
double expected_error(const Method& method) {
  return method.error_controlled ? 1e-6 : std::pow(1e-3, method.order) * 10.0 + 1e-11;
}

TEST_P(EveryMethod, FollowsTheOscillatorAndItsDenseOutputDoesToo) {
  Oscillator system;
  const auto integrator = GetParam()->make(system, accurate_settings());
  integrator->start(0.0, std::vector<double>{1.0, 0.0});
  std::vector<double> x(2);
  double worst_inside = 0.0;
  while (integrator->time() < 5.0) {
    ASSERT_EQ(integrator->step(5.0), StepStatus::ok) << integrator->failure();
    for (const double s : {0.0, 0.3, 0.7, 1.0}) {
      const double t =
          integrator->previous_time() + s * (integrator->time() - integrator->previous_time());
      integrator->interpolate(t, x);
      worst_inside =
          std::max(worst_inside, max_difference(x, std::vector<double>{std::cos(t), -std::sin(t)}));
    }
  }
  const std::vector<double> exact{std::cos(5.0), -std::sin(5.0)};
  EXPECT_EQ(integrator->time(), 5.0);
  EXPECT_LT(max_difference(integrator->state(), exact), expected_error(*GetParam()));
  EXPECT_LT(worst_inside, expected_error(*GetParam()));
}

TEST_P(EveryMethod, NeverStepsBeyondTheLimitNorTheLargestStep) {
  Oscillator system;
  IntegratorSettings settings;
  settings.rtol = 1e-3;
  settings.max_step = 0.07;
  settings.fixed_step = 0.5;
  const auto integrator = GetParam()->make(system, settings);
  integrator->start(0.0, std::vector<double>{1.0, 0.0});
  for (double limit = 0.1; limit < 1.0; limit += 0.1) {
    while (integrator->time() < limit) {
      ASSERT_EQ(integrator->step(limit), StepStatus::ok) << integrator->failure();
      EXPECT_LE(integrator->time(), limit);
      EXPECT_LE(integrator->time() - integrator->previous_time(), 0.07 * (1.0 + 1e-9));
    }
    EXPECT_EQ(integrator->time(), limit);
  }
}

TEST_P(EveryMethod, StopsAfterTheLargestNumberOfSteps) {
  Oscillator system;
  IntegratorSettings settings;
  settings.max_steps = 5;
  const auto integrator = GetParam()->make(system, settings);
  integrator->start(0.0, std::vector<double>{1.0, 0.0});
  EXPECT_FALSE(run_to(*integrator, 100.0));
  EXPECT_EQ(integrator->statistics().steps, 5);
  EXPECT_NE(integrator->failure().find("5 steps"), std::string::npos) << integrator->failure();
}

TEST_P(EveryMethod, CountsEveryEvaluation) {
  FunctionSystem system(2, [](double, std::span<const double> x, std::span<double> xdot) {
    xdot[0] = x[1];
    xdot[1] = -x[0];
    return Status::ok;
  });
  const auto integrator = GetParam()->make(system, accurate_settings());
  integrator->start(0.0, std::vector<double>{1.0, 0.0});
  ASSERT_TRUE(run_to(*integrator, 1.0));
  std::vector<double> x(2);
  integrator->interpolate(0.5 * (integrator->time() + integrator->previous_time()), x);
  EXPECT_EQ(integrator->statistics().rhs_evaluations, system.calls);
  EXPECT_GT(system.calls, 0);
}

TEST_P(EveryMethod, AcceptsASystemWithoutStates) {
  FunctionSystem system(
      0, [](double, std::span<const double>, std::span<double>) { return Status::ok; });
  const auto integrator = GetParam()->make(system, IntegratorSettings{});
  integrator->start(0.0, std::vector<double>{});
  ASSERT_TRUE(run_to(*integrator, 1.0)) << integrator->failure();
  EXPECT_EQ(integrator->time(), 1.0);
}

TEST_P(EveryMethod, RepeatsItsLastStepToAnEarlierEnd) {
  Oscillator system;
  const auto integrator = GetParam()->make(system, accurate_settings());
  integrator->start(0.0, std::vector<double>{1.0, 0.0});
  for (int k = 0; k < 20; ++k) ASSERT_EQ(integrator->step(5.0), StepStatus::ok);
  const double t = 0.4 * integrator->previous_time() + 0.6 * integrator->time();
  ASSERT_EQ(integrator->repeat_until(t), StepStatus::ok) << integrator->failure();
  EXPECT_EQ(integrator->time(), t);
  const std::vector<double> exact{std::cos(t), -std::sin(t)};
  EXPECT_LT(max_difference(integrator->state(), exact), expected_error(*GetParam()));
  ASSERT_TRUE(run_to(*integrator, 5.0)) << integrator->failure();
  const std::vector<double> exact_end{std::cos(5.0), -std::sin(5.0)};
  EXPECT_LT(max_difference(integrator->state(), exact_end), expected_error(*GetParam()));
}

TEST_P(EveryMethod, InterpolatingDoesNotChangeTheSteps) {
  Kepler system;
  std::vector<double> plain;
  std::vector<double> sampled;
  for (std::vector<double>* ends : {&plain, &sampled}) {
    const auto integrator = GetParam()->make(system, accurate_settings());
    integrator->start(0.0, Kepler::pericentre(0.3));
    std::vector<double> x(4);
    for (int k = 0; k < 50; ++k) {
      ASSERT_EQ(integrator->step(10.0), StepStatus::ok);
      if (ends == &sampled) {
        integrator->interpolate(0.5 * (integrator->time() + integrator->previous_time()), x);
      }
      ends->push_back(integrator->time());
      ends->insert(ends->end(), integrator->state().begin(), integrator->state().end());
    }
  }
  EXPECT_EQ(plain, sampled);  // bit for bit
}

TEST_P(EveryMethod, SurvivesAChangeOfSizeAtARestart) {
  std::size_t size = 2;
  class Growing : public System {
   public:
    explicit Growing(const std::size_t& size) : size_(size) {}
    std::size_t size() const override { return size_; }
    Status rhs(double, std::span<const double> x, std::span<double> xdot) override {
      for (std::size_t i = 0; i < size_; ++i) xdot[i] = -x[i];
      return Status::ok;
    }

   private:
    const std::size_t& size_;
  } system(size);
  const auto integrator = GetParam()->make(system, accurate_settings());
  integrator->start(0.0, std::vector<double>{1.0, 2.0});
  ASSERT_TRUE(run_to(*integrator, 0.1));
  size = 3;
  integrator->start(0.0, std::vector<double>{1.0, 2.0, 4.0});
  ASSERT_TRUE(run_to(*integrator, 0.1)) << integrator->failure();
  EXPECT_NEAR(integrator->state()[2], 4.0 * std::exp(-0.1), 1e-3);
  EXPECT_EQ(integrator->statistics().restarts, 1);
}

}  // namespace
}  // namespace carom
