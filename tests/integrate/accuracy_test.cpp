// Observed orders and the proportionality of error to tolerance, against closed forms.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>

#include "carom/integrate/dop853_coefficients.h"
#include "integrate/test_systems.h"

namespace carom {
namespace {

using namespace test;

std::vector<const Method*> select(bool (*wanted)(const Method&)) {
  std::vector<const Method*> methods;
  for (const Method* method : method_catalogue()) {
    if (wanted(*method)) methods.push_back(method);
  }
  return methods;
}

std::string name_of(const testing::TestParamInfo<const Method*>& row) { return row.param->name; }

/// Largest error at the ends of all steps of a run from the pericentre.
double kepler_error(const Method& method, const IntegratorSettings& settings, double t_end) {
  Kepler system;
  const auto integrator = method.make(system, settings);
  integrator->start(0.0, Kepler::pericentre(0.3));
  double worst = 0.0;
  while (integrator->time() < t_end) {
    if (integrator->step(t_end) == StepStatus::failed) return kInf;
    worst = std::max(worst,
                     max_difference(integrator->state(), Kepler::exact(0.3, integrator->time())));
  }
  return worst;
}

double jacobi_error(const Method& method, const IntegratorSettings& settings, double t_end) {
  JacobiElliptic system;
  const auto integrator = method.make(system, settings);
  integrator->start(0.0, std::vector<double>{0.0, 1.0, 1.0});
  double worst = 0.0;
  while (integrator->time() < t_end) {
    if (integrator->step(t_end) == StepStatus::failed) return kInf;
    worst = std::max(
        worst, max_difference(integrator->state(), JacobiElliptic::exact(integrator->time())));
  }
  return worst;
}

class RungeKutta : public testing::TestWithParam<const Method*> {};

INSTANTIATE_TEST_SUITE_P(Catalogue, RungeKutta, testing::ValuesIn(select([](const Method& m) {
                           return std::string(m.name).find("cvode") == std::string::npos;
                         })),
                         name_of);

TEST_P(RungeKutta, ConvergesWithItsOrder) {
  // Steps per 2 s at which the leading term rules and rounding does not show yet.
  const std::map<int, int> coarsest{{1, 1000}, {2, 200}, {3, 100}, {4, 60}, {5, 40}, {8, 12}};
  IntegratorSettings settings;
  settings.rtol = 1e-12;  // of the Newton iterations
  settings.atol = 1e-14;
  settings.without_error_control = true;
  std::vector<double> steps;
  std::vector<double> errors;
  for (const int refinement : {1, 2, 4}) {
    settings.fixed_step = 2.0 / (coarsest.at(GetParam()->order) * refinement);
    steps.push_back(settings.fixed_step);
    errors.push_back(kepler_error(*GetParam(), settings, 2.0));
  }
  // What the next term of the expansion still does at these steps.
  const double tolerance = GetParam()->order == 8 ? 0.6 : 0.35;
  const double observed = fitted_slope(steps, errors);
  EXPECT_NEAR(observed, GetParam()->order, tolerance)
      << errors[0] << " " << errors[1] << " " << errors[2];
  // The table of docs/integrators.md.
  std::printf("| `%s` | %d | %.2f |\n", GetParam()->name, GetParam()->order, observed);
}

class ErrorControlled : public testing::TestWithParam<const Method*> {};

INSTANTIATE_TEST_SUITE_P(Catalogue, ErrorControlled, testing::ValuesIn(select([](const Method& m) {
                           return m.error_controlled;
                         })),
                         name_of);

TEST_P(ErrorControlled, ErrorIsProportionalToTheTolerance) {
  std::vector<double> tolerances;
  std::vector<double> kepler;
  std::vector<double> jacobi;
  for (double rtol = 1e-4; rtol > 0.5e-10; rtol *= 0.1) {
    IntegratorSettings settings;
    settings.rtol = rtol;
    settings.atol = 1e-2 * rtol;
    tolerances.push_back(rtol);
    kepler.push_back(kepler_error(*GetParam(), settings, 20.0));
    jacobi.push_back(jacobi_error(*GetParam(), settings, 20.0));
  }
  EXPECT_GT(fitted_slope(tolerances, kepler), 0.8);
  EXPECT_LT(fitted_slope(tolerances, kepler), 1.2);
  EXPECT_GT(fitted_slope(tolerances, jacobi), 0.8);
  EXPECT_LT(fitted_slope(tolerances, jacobi), 1.2);
  // Three turns of Kepler's problem magnify local errors by some hundreds.
  EXPECT_LT(kepler.back(), 1e3 * tolerances.back());
  EXPECT_LT(jacobi.back(), 1e3 * tolerances.back());
}

TEST_P(ErrorControlled, DenseOutputThatCountsAsAccurateIsAsGoodAsTheSteps) {
  JacobiElliptic system;
  IntegratorSettings settings;
  settings.rtol = 1e-9;
  settings.atol = 1e-11;
  const auto integrator = GetParam()->make(system, settings);
  if (!integrator->interpolant_is_accurate()) GTEST_SKIP() << "the locator repeats its steps";
  integrator->start(0.0, std::vector<double>{0.0, 1.0, 1.0});
  double at_ends = 0.0;
  double inside = 0.0;
  std::vector<double> x(3);
  while (integrator->time() < 10.0) {
    ASSERT_EQ(integrator->step(10.0), StepStatus::ok);
    at_ends = std::max(
        at_ends, max_difference(integrator->state(), JacobiElliptic::exact(integrator->time())));
    for (const double s : {0.1, 0.35, 0.5, 0.8, 0.95}) {
      const double t =
          integrator->previous_time() + s * (integrator->time() - integrator->previous_time());
      integrator->interpolate(t, x);
      inside = std::max(inside, max_difference(x, JacobiElliptic::exact(t)));
    }
  }
  // A restart from it adds no more than a few accepted steps do.
  EXPECT_LT(inside, 3.0 * at_ends + 3.0 * settings.rtol);
}

// Conditions sum b c^(k-1) = 1/k up to k = 8 and sum_j a_ij = c_i, to rounding of the
// table's largest entries.
TEST(Dop853Coefficients, FulfilTheQuadratureConditions) {
  for (int k = 1; k <= 8; ++k) {
    double sum = 0.0;
    for (const dop853::Term& term : dop853::b) {
      sum += term.factor * std::pow(dop853::c[term.stage], k - 1);
    }
    EXPECT_NEAR(sum, 1.0 / k, 1e-14) << k;
  }
  const std::span<const dop853::Term> rows[] = {dop853::a1,  dop853::a2,  dop853::a3,  dop853::a4,
                                                dop853::a5,  dop853::a6,  dop853::a7,  dop853::a8,
                                                dop853::a9,  dop853::a10, dop853::a11, dop853::b,
                                                dop853::a13, dop853::a14, dop853::a15};
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    double sum = 0.0;
    for (const dop853::Term& term : rows[i]) sum += term.factor;
    EXPECT_NEAR(sum, dop853::c[i + 1], 1e-13) << i + 1;
  }
  // An error estimate must not see a constant slope.
  for (const std::span<const dop853::Term> row : {std::span(dop853::e5), std::span(dop853::e3)}) {
    double sum = 0.0;
    for (const dop853::Term& term : row) sum += term.factor;
    EXPECT_NEAR(sum, 0.0, 1e-14);
  }
}

}  // namespace
}  // namespace carom
