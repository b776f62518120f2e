// Dense decompositions: what defines them holds for random matrices, and a closed form.
#include "carom/math/dense.h"

#include <gtest/gtest.h>

#include <random>

namespace carom {
namespace {

std::vector<double> random_matrix(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  std::vector<double> A(n * n);
  for (double& a : A) a = entry(random);
  return A;
}

// Entries are of order one and n of them are summed: a hundred roundings of n.
TEST(DenseMatrix, EigenvectorsAreStretchedByTheirEigenvalues) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::size_t n = 1 + seed % 9;
    const std::vector<double> A = random_matrix(n, seed);
    const Eigensystem system = calc_eigensystem(A, n);
    ASSERT_EQ(system.values, calc_eigenvalues(A, n)) << seed;
    for (std::size_t k = 0; k < n; ++k) {
      double length = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        std::complex<double> rest = -system.values[k] * system.vectors[k * n + i];
        for (std::size_t j = 0; j < n; ++j) rest += A[j * n + i] * system.vectors[k * n + j];
        EXPECT_LE(std::abs(rest), 1e-13) << seed;
        length += std::norm(system.vectors[k * n + i]);
      }
      EXPECT_NEAR(length, 1.0, 1e-13) << seed;
    }
  }
}

TEST(DenseMatrix, EigenvaluesOfAnOscillatorAreItsDecayAndTurn) {
  // x'' = -2 x' - 26 x: -1 ± 5i.
  const std::vector<double> A = {0, -26, 1, -2};
  for (const std::complex<double>& value : calc_eigenvalues(A, 2)) {
    EXPECT_NEAR(value.real(), -1.0, 1e-14);
    EXPECT_NEAR(std::abs(value.imag()), 5.0, 1e-14);
  }
}

TEST(DenseMatrix, SolvesWhatWasMultiplied) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::size_t n = 1 + seed % 9;
    const std::vector<double> A = random_matrix(n, seed), x = random_matrix(n, seed + 100);
    std::vector<double> b(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) b[i] += A[j * n + i] * x[j];
    }
    const std::vector<double> solved = solve_dense(A, b);
    // Random matrices of this size have conditions up to about 1e3.
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(solved[i], x[i], 1e-12) << seed;
  }
}

}  // namespace
}  // namespace carom
