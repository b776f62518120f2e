// Stronge's impact of one point: closed forms where slip keeps its direction, an integration by
// small impulses where it turns, and energy.
#include "carom/contact/cones/energetic_impact.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "carom/contact/cones/impact.h"

namespace carom {
namespace {

/// A rod of mass 1 and length 1 that is struck at (x, z) from its centre.
std::array<double, 9> rod(double x, double z) {
  const double I = 1.0 / 12.0;
  return {1 + x * x / I,          -x * z / I, 0, -x * z / I, 1 + z * z / I, 0, 0, 0,
          1 + (x * x + z * z) / I};
}

TEST(EnergeticImpact, OfSlipThatKeepsItsDirectionIsNewtons) {
  const std::array<double, 9> W = rod(0.25, -0.35);
  for (const double e : {0.0, 0.5, 1.0}) {
    const std::array<double, 3> u{-1, 2, 0};
    std::array<double, 3> P{};
    ASSERT_TRUE(solve_energetic(W, u, 0.4, e, P));
    const double c = W[0] - 0.4 * W[1];  // of n - mu d
    EXPECT_NEAR(P[0], (1 + e) / c, 1e-12);
    EXPECT_NEAR(P[1], -0.4 * P[0], 1e-12);
  }
}

TEST(EnergeticImpact, OfSlipThatStopsAndSticksIsPiecewiseLinear) {
  // Slip ends at p1 within compression; from there on u_n rises with the rate of sticking.
  const std::array<double, 9> W = rod(0.05, -0.35);
  const double mu = 0.6, e = 0.5, s0 = 0.1;
  const std::array<double, 3> u{-1, s0, 0};
  std::array<double, 3> P{};
  ASSERT_TRUE(solve_energetic(W, u, mu, e, P));
  const double slows = W[3] - mu * W[4], p1 = -s0 / slows, c1 = W[0] - mu * W[1];
  const double r = -W[3] / W[4], c2 = W[0] + W[1] * r;
  ASSERT_LE(std::abs(r), mu);
  const double u1 = -1 + c1 * p1, p2 = -u1 / c2;
  ASSERT_LT(u1, 0.0);
  const double taken = p1 * (1 - 0.5 * c1 * p1) - u1 * p2 - 0.5 * c2 * p2 * p2;
  const double p3 = std::sqrt(2 * e * e * taken / c2);
  EXPECT_NEAR(P[0], p1 + p2 + p3, 1e-10);
  EXPECT_NEAR(P[1], -mu * p1 + r * (p2 + p3), 1e-10);
}

TEST(EnergeticImpact, OfSlipThatTurnsFollowsSmallImpulses) {
  const std::array<double, 9> W{2, 0.3, -0.2, 0.3, 1.5, 0.1, -0.2, 0.1, 2.5};
  const std::array<double, 3> start{-1, 0.9, 0.5};
  const double mu = 0.3, e = 0.7, dp = 1e-6;
  std::array<double, 3> P{}, u = start, sum{};
  ASSERT_TRUE(solve_energetic(W, start, mu, e, P));
  double work = 0.0, taken = 0.0;
  bool is_compressed = false;
  for (int i = 0; i < 3000000; ++i) {
    const double s = std::hypot(u[1], u[2]);
    const double r[3] = {1.0, -mu * u[1] / s, -mu * u[2] / s};
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t j = 0; j < 3; ++j) u[k] += W[3 * k + j] * r[j] * dp;
      sum[k] += r[k] * dp;
    }
    work += u[0] * dp;
    if (!is_compressed && u[0] >= 0.0) is_compressed = true, taken = -work;
    if (is_compressed && work + taken >= e * e * taken) break;
  }
  // Euler's steps of 1e-6 err by as much.
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(P[k], sum[k], 5e-6) << k;
}

TEST(EnergeticImpact, NeverGivesEnergyWhereNewtonsLawWould) {
  // Kane's example: a rod that slides slowly into the floor gains energy by Newton's law.
  double newton_gain = -1.0;
  for (double x = -0.45; x < 0.46; x += 0.05) {
    for (const double slip : {-0.8, -0.2, 0.05, 0.3}) {
      const std::array<double, 9> W = rod(x, -std::sqrt(0.25 - x * x));
      const std::array<double, 3> u{-1, slip, 0};
      const std::array<double, 1> mu{0.7}, e{0.9};
      std::array<double, 3> P{};
      ImpactProblem problem{W, u, mu, e, 0.0, ImpactLaw::energetic, 0.0};
      const ImpactAnswer answer = solve_impact(problem, P);
      ASSERT_TRUE(answer.cones.solved);
      EXPECT_LE(impact_work(problem, P).sum(), 1e-12) << x << " " << slip;
      EXPECT_GE(u[0] + W[0] * P[0] + W[1] * P[1], -1e-9);
      EXPECT_LE(std::abs(P[1]), 0.7 * P[0] * (1 + 1e-12));
      problem.law = ImpactLaw::paper;
      const ImpactAnswer paper = solve_impact(problem, P);
      newton_gain = std::max(newton_gain, 1.0 - paper.share);
    }
  }
  EXPECT_GT(newton_gain, 0.01);  // others had to be held back
}

}  // namespace
}  // namespace carom
