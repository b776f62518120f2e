#include "carom/integrate/power_quadrature.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace carom {
namespace {

/// P = (cos 3t, 1) over steps of length h; the integral of the first is sin(3t)/3.
double error_after(double h, double allowed, int* evaluations = nullptr) {
  PowerQuadrature quadrature(2);
  int count = 0;
  const auto powers = [&](double t, std::span<double> p) {
    ++count;
    p[0] = std::cos(3.0 * t), p[1] = 1.0;
  };
  double sum = 0.0, t = 0.0, work[2];
  for (int i = 0; i < std::lround(2.0 / h); ++i) {
    quadrature.take(t, t + h, powers, allowed);
    t += h;
    quadrature.integral(t, work);
    sum += work[0];
    EXPECT_NEAR(work[1], h, 1e-14);
  }
  if (evaluations) *evaluations = count;
  return std::abs(sum - std::sin(3.0 * t) / 3.0);
}

TEST(PowerQuadrature, KeepsTheErrorThatIsAllowed) {
  for (const double allowed : {1e-4, 1e-6, 1e-8, 1e-10}) {
    for (const double h : {1.0, 0.1, 0.01}) {
      // An estimate is no bound: ten times of what is allowed, for every step.
      EXPECT_LT(error_after(h, allowed), 10.0 * allowed * 2.0 / h)
          << "h " << h << " allowed " << allowed;
    }
  }
}

TEST(PowerQuadrature, CostsOneEvaluationPerStepWhereStepsAreShort) {
  int evaluations = 0;
  error_after(0.001, 1e-8, &evaluations);
  EXPECT_LE(evaluations, 2000 + 6);  // the first step has none before it
}

TEST(PowerQuadrature, IntegratesUpToAnyTimeInTheStep) {
  PowerQuadrature quadrature(1);
  const auto powers = [](double t, std::span<double> p) { p[0] = std::exp(t); };
  quadrature.take(0.0, 1.0, powers, 1e-9);
  for (const double t : {0.0, 0.1, 0.35, 0.5, 0.77, 1.0}) {
    double work = 0.0;
    quadrature.integral(t, {&work, 1});
    EXPECT_NEAR(work, std::exp(t) - 1.0, 1e-6) << t;  // inside a panel the quartic's own error
  }
}

TEST(PowerQuadrature, EnclosesAPowerThatJumps) {
  PowerQuadrature quadrature(1);
  const double jump = std::numbers::inv_pi;
  const auto powers = [&](double t, std::span<double> p) { p[0] = t < jump ? 0.0 : 1.0; };
  quadrature.take(0.0, 1.0, powers, 1e-6);
  double work = 0.0;
  quadrature.integral(1.0, {&work, 1});
  EXPECT_NEAR(work, 1.0 - jump, 1.0 / 256);
  EXPECT_GT(quadrature.unresolved(), 0);
}

/// After a jump of the power between two steps the parabola must not reach back over it.
TEST(PowerQuadrature, ForgetsTheStepBeforeWhereTheMotionBeginsAnew) {
  PowerQuadrature quadrature(1);
  double height = 1000.0;
  const auto powers = [&](double, std::span<double> p) { p[0] = height; };
  quadrature.take(0.0, 0.1, powers, 1e3);
  height = 1.0;
  quadrature.restart();
  quadrature.take(0.1, 0.2, powers, 1e3);
  double work = 0.0;
  quadrature.integral(0.2, {&work, 1});
  EXPECT_NEAR(work, 0.1, 1e-12);
}

}  // namespace
}  // namespace carom
