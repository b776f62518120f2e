#include "carom/math/psd_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace carom {
namespace {

/// W = A Aᵀ with A n × r random.
std::vector<double> random_psd(std::mt19937& gen, std::size_t n, std::size_t r) {
  std::normal_distribution<double> normal;
  std::vector<double> A(n * r), W(n * n, 0.0);
  for (double& a : A) a = normal(gen);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < r; ++k) W[i * n + j] += A[i * r + k] * A[j * r + k];
    }
  }
  return W;
}

std::vector<double> times(const std::vector<double>& W, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += W[i * x.size() + j] * x[j];
  }
  return y;
}

TEST(PsdSolver, SolvesRegularAndSingularConsistentSystems) {
  std::mt19937 gen(3);
  std::normal_distribution<double> normal;
  for (std::size_t n = 1; n <= 12; ++n) {
    for (std::size_t r = 1; r <= n; ++r) {
      const std::vector<double> W = random_psd(gen, n, r);
      std::vector<double> x0(n);
      for (double& x : x0) x = normal(gen);
      const std::vector<double> b = times(W, x0);
      std::vector<double> x = b;
      PsdSolver solver(n);
      EXPECT_EQ(solver.factor(W, n), r);
      EXPECT_EQ(solver.redundant_rows().size(), n - r);
      solver.solve(x);
      const std::vector<double> again = times(W, x);
      // Conditioning of a random square factor reaches 1e6, so 1e-8 leaves two digits.
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(again[i], b[i], 1e-8);
    }
  }
}

TEST(PsdSolver, SharesALoadEquallyBetweenEqualRedundantRows) {
  const std::vector<double> W = {2, 2, 2, 2};
  std::vector<double> b = {4, 4};
  PsdSolver solver(2);
  EXPECT_EQ(solver.factor(W, 2), 1u);
  solver.solve(b);
  EXPECT_NEAR(b[0], 1.0, 1e-14);
  EXPECT_NEAR(b[1], 1.0, 1e-14);
}

}  // namespace
}  // namespace carom
