// Conjugate gradients over blocks against a dense factorisation of the same matrix.
#include "carom/math/block_gradients.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <random>
#include <utility>
#include <vector>

namespace carom {
namespace {

/// A chain of blocks of several sizes with joints across it, one pair joined twice.
struct JoinedBlocks {
  std::vector<std::size_t> sizes{6, 6, 2, 6, 1, 3, 6}, start;
  BlockGradients system;
  Eigen::MatrixXd dense;
  std::mt19937_64 random{20261117};

  double dice() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random); }

  JoinedBlocks() {
    Eigen::Index n = 0;
    for (const std::size_t size : sizes) {
      start.push_back(static_cast<std::size_t>(n)), n += static_cast<Eigen::Index>(size);
    }
    dense = Eigen::MatrixXd::Zero(n, n);
    system.begin(sizes);
    std::vector<std::array<std::size_t, 3>> joints;
    constexpr std::pair<std::size_t, std::size_t> kPairs[] = {{0, 1}, {2, 1}, {1, 3}, {3, 4},
                                                              {5, 4}, {6, 0}, {1, 3}, {2, 6}};
    for (const auto& [a, b] : kPairs) joints.push_back({a, b, system.join(a, b)});
    system.clear_between();
    for (std::size_t i = 0; i < sizes.size(); ++i) fill_diagonal(i);
    joints.pop_back();  // near, and not touching
    for (const auto& [a, b, k] : joints) add_row(a, b, k, 10.0);
  }

  void fill_diagonal(std::size_t i) {
    double* D = system.diagonal(i);
    for (std::size_t k = 0; k < sizes[i] * sizes[i]; ++k) D[k] = 0.0;
    for (std::size_t k = 0; k < sizes[i]; ++k) {
      D[k * sizes[i] + k] = 1.0 + 0.5 * dice();
      const auto at = static_cast<Eigen::Index>(start[i] + k);
      dense(at, at) = D[k * sizes[i] + k];
    }
  }

  /// w J J' of a row between two blocks.
  void add_row(std::size_t a, std::size_t b, std::size_t k, double w) {
    std::vector<double> J[2]{std::vector<double>(sizes[a]), std::vector<double>(sizes[b])};
    Eigen::VectorXd row = Eigen::VectorXd::Zero(dense.rows());
    const std::size_t of[2] = {a, b};
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t n = sizes[of[side]];
      for (std::size_t i = 0; i < n; ++i) {
        row(static_cast<Eigen::Index>(start[of[side]] + i)) = J[side][i] = dice();
      }
      double* D = system.diagonal(of[side]);
      for (std::size_t i = 0; i < n * n; ++i) D[i] += w * J[side][i / n] * J[side][i % n];
    }
    system.add_between(k, J[0].data(), J[1].data(), w);
    dense += w * row * row.transpose();
  }
};

TEST(BlockGradients, SolveWhatAFactorisationSolves) {
  JoinedBlocks c;
  const std::size_t n = c.system.size();
  std::vector<double> rhs(n), x(n);
  for (double& value : rhs) value = c.dice();
  const Eigen::Map<const Eigen::VectorXd> b(rhs.data(), c.dense.rows());
  const Eigen::VectorXd exact = c.dense.llt().solve(b);
  const int count = c.system.solve(rhs, 1e-12, 200, x);
  EXPECT_LT(count, 40) << "of " << n << " unknowns";
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(x[i], exact(static_cast<Eigen::Index>(i)), 1e-10 * exact.norm()) << i;
  }
}

TEST(BlockGradients, StopAtTheShareThatIsAskedFor) {
  JoinedBlocks c;
  const std::size_t n = c.system.size();
  std::vector<double> rhs(n), x(n);
  for (double& value : rhs) value = c.dice();
  const int few = c.system.solve(rhs, 0.1, 200, x), more = c.system.solve(rhs, 1e-6, 200, x);
  EXPECT_GE(few, 1);
  EXPECT_GT(more, few);
  EXPECT_EQ(c.system.solve(std::vector<double>(n, 0.0), 0.1, 200, x), 0);
}

}  // namespace
}  // namespace carom
