// Conjugate gradients on blocks against the product with the whole matrix.
#include "carom/math/block_gradients.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace carom {
namespace {

/// Masses of one and springs in a chain between blocks, as blocks and as a whole.
struct BlockChain {
  BlockGradients system;
  std::vector<double> whole;
  std::vector<std::size_t> starts;
  std::size_t n = 0;

  BlockChain(const std::vector<std::size_t>& sizes, double stiffness, std::mt19937& random) {
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    for (const std::size_t size : sizes) starts.push_back(n), n += size;
    whole.assign(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) whole[i * n + i] = 1.0;
    system.begin(sizes);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      for (std::size_t k = 0; k < sizes[i] * sizes[i]; ++k) {
        system.diagonal(i)[k] = k % (sizes[i] + 1) == 0 ? 1.0 : 0.0;
      }
    }
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
      // Joined in either order; the last pair twice, as bodies with two shapes are.
      const std::size_t times = i + 2 == sizes.size() ? 2 : 1;
      for (std::size_t t = 0; t < times; ++t) {
        const std::size_t a = i % 2 ? i + 1 : i, b = i % 2 ? i : i + 1;
        std::vector<double> ja(sizes[a]), jb(sizes[b]);
        for (double& j : ja) j = unit(random);
        for (double& j : jb) j = unit(random);
        add(system.join(a, b), a, b, ja, jb, stiffness);
      }
    }
    system.join(0, sizes.size() - 1);  // near, and not touching
  }

  void add(std::size_t joint, std::size_t a, std::size_t b, const std::vector<double>& ja,
           const std::vector<double>& jb, double w) {
    std::vector<double> row(n, 0.0);
    for (std::size_t k = 0; k < ja.size(); ++k) row[starts[a] + k] = ja[k];
    for (std::size_t k = 0; k < jb.size(); ++k) row[starts[b] + k] = jb[k];
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) whole[i * n + k] += w * row[i] * row[k];
    }
    const auto add_diagonal = [&](std::size_t i, const std::vector<double>& j) {
      for (std::size_t r = 0; r < j.size(); ++r) {
        for (std::size_t c = 0; c < j.size(); ++c) {
          system.diagonal(i)[r * j.size() + c] += w * j[r] * j[c];
        }
      }
    };
    add_diagonal(a, ja), add_diagonal(b, jb);
    system.add_between(joint, ja.data(), jb.data(), w);
  }

  /// |A x - rhs|
  double residual(const std::vector<double>& x, const std::vector<double>& rhs) const {
    double square = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = -rhs[i];
      for (std::size_t k = 0; k < n; ++k) sum += whole[i * n + k] * x[k];
      square += sum * sum;
    }
    return std::sqrt(square);
  }
};

TEST(BlockGradients, SolveTheWholeMatrixWhateverTheBlocks) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>(30, 6), std::vector<std::size_t>{6, 1, 9, 6, 6, 3, 6, 12}}) {
    BlockChain chain(sizes, 1e4, random);
    std::vector<double> rhs(chain.n), x(chain.n);
    for (double& r : rhs) r = unit(random);
    EXPECT_GT(chain.system.solve(rhs, 1e-12, 1000, x), 0);
    // Ten times what was asked for, in another norm: the matrix has eigenvalues from 1 to 1e5.
    EXPECT_LT(chain.residual(x, rhs), 1e-8);
  }
}

TEST(BlockGradients, HandALoadOnThroughAChainInAFewIterations) {
  // Two hundred layers: the diagonal alone hands it on by one per iteration.
  std::mt19937 random(9);
  BlockChain chain(std::vector<std::size_t>(200, 1), 1.0, random);
  std::vector<double> rhs(200, 0.0), x(200);
  rhs[199] = 1.0;
  EXPECT_LE(chain.system.solve(rhs, 1e-8, 1000, x), 20);
  EXPECT_LT(chain.residual(x, rhs), 1e-7);
}

}  // namespace
}  // namespace carom
