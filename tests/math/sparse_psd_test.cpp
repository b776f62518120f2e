// The sparse solver against the dense one, on systems of the shape that chains of loops have.
#include "carom/math/sparse_psd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "carom/math/psd_solver.h"

namespace carom {
namespace {

struct Chain {
  std::size_t n = 0;
  std::vector<double> W;
};

/// W = A Aᵀ, where block k of A has entries in the columns of blocks k and k + 1 only, and every
/// third row repeats or vanishes.
Chain random_chain(std::mt19937& gen, std::size_t blocks, std::size_t rows, bool repeats) {
  std::normal_distribution<double> normal;
  const std::size_t columns = 4, n = blocks * rows, width = (blocks + 1) * columns;
  std::vector<double> A(n * width, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t first = i / rows * columns;
    for (std::size_t k = first; k < first + 2 * columns; ++k) {
      if (i % rows == rows - 1) {
        A[i * width + k] = repeats ? A[(i - 1) * width + k] + 0.5 * A[(i - 2) * width + k] : 0.0;
      } else {
        A[i * width + k] = normal(gen);
      }
    }
  }
  Chain chain{n, std::vector<double>(n * n, 0.0)};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < width; ++k)
        chain.W[i * n + j] += A[i * width + k] * A[j * width + k];
    }
  }
  return chain;
}

TEST(SparsePsdSolver, GivesTheMinimumNormSolutionOfTheDenseOne) {
  std::mt19937 gen(8);
  std::normal_distribution<double> normal;
  SparsePsdSolver sparse;
  for (const bool repeats : {false, true}) {
    for (const std::size_t blocks : {1u, 2u, 5u, 12u}) {
      const Chain c = random_chain(gen, blocks, 3, repeats);
      std::vector<double> x(c.n), b(c.n, 0.0), scale(c.n, 0.3);
      for (double& value : x) value = normal(gen);
      for (std::size_t i = 0; i < c.n; ++i) {
        for (std::size_t j = 0; j < c.n; ++j) b[i] += c.W[i * c.n + j] * x[j];
      }
      PsdSolver dense(c.n);
      const std::size_t rank = dense.factor_scaled(c.W, scale, 1e-10, c.n);
      sparse.begin(c.n);
      for (std::size_t i = 0; i < c.n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) sparse.set(i, j, c.W[i * c.n + j]);
      }
      ASSERT_EQ(sparse.factor(scale, 1e-10, c.n), rank);
      EXPECT_EQ(rank, 2 * blocks);
      std::vector<double> expected = b, seen = b, again(c.n);
      dense.solve(expected);
      sparse.solve(seen);
      for (std::size_t i = 0; i < c.n; ++i) EXPECT_NEAR(seen[i], expected[i], 1e-7) << i;
      sparse.multiply(seen, again);
      for (std::size_t i = 0; i < c.n; ++i) EXPECT_NEAR(again[i], b[i], 1e-8) << i;
    }
  }
}

TEST(SparsePsdSolver, StopsAtTheRankThatTheCallerKnows) {
  std::mt19937 gen(9);
  const Chain c = random_chain(gen, 4, 3, false);
  const std::vector<double> scale(c.n, 0.3);
  SparsePsdSolver sparse;
  sparse.begin(c.n);
  for (std::size_t i = 0; i < c.n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) sparse.set(i, j, c.W[i * c.n + j]);
  }
  EXPECT_EQ(sparse.factor(scale, 1e-10, 5), 5u);
}

}  // namespace
}  // namespace carom
