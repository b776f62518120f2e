#include "carom/multibody/delassus.h"

#include <gtest/gtest.h>

#include <cmath>

#include "random_tree.h"

namespace carom {
namespace {

using testing::random_tree;
using testing::random_vec;
using testing::RandomTree;

TEST(Jacobian, TimesVelocityIsTheVelocityOfThePoint) {
  std::mt19937 gen(11);
  for (int trial = 0; trial < 100; ++trial) {
    const RandomTree r = random_tree(gen, 12);
    const auto nv = static_cast<std::size_t>(r.tree.nv);
    TreeData data(r.tree);
    calc_kinematics(r.tree, r.q, r.v, data);
    const int link = 1 + trial % 12;
    const Vec3 p = random_vec(gen, 2.0);
    std::vector<double> J(6 * nv);
    calc_point_jacobian(r.tree, data, link, p, J);
    const Motion V = velocity_at(data, link, p);
    for (std::size_t row = 0; row < 6; ++row) {
      double sum = 0.0;
      for (std::size_t k = 0; k < nv; ++k) sum += J[row * nv + k] * r.v[k];
      EXPECT_NEAR(sum, row < 3 ? V.w[row] : V.v[row - 3],
                  1e-12);  // sums of about 30 terms of size 1
    }
  }
}

// Referee: the response of velocities to an impulse, through the mass matrix of the
// composite-rigid-body algorithm: M a = Jᵀ gives J a = W.
TEST(Delassus, IsTheResponseThroughTheMassMatrix) {
  std::mt19937 gen(12);
  for (int trial = 0; trial < 50; ++trial) {
    const RandomTree r = random_tree(gen, 10);
    const auto nv = static_cast<std::size_t>(r.tree.nv);
    TreeData data(r.tree);
    calc_kinematics(r.tree, r.q, r.v, data);
    std::vector<double> M(nv * nv);
    calc_mass_matrix(r.tree, data, M);
    ASSERT_EQ(factor_mass(r.tree, data), Status::ok);
    constexpr std::size_t m = 4;
    std::vector<ConstraintRow> rows(m);
    for (ConstraintRow& row : rows) {
      row = {std::uniform_int_distribution<int>(0, 10)(gen),
             std::uniform_int_distribution<int>(0, 10)(gen),
             random_vec(gen, 1.0),
             {random_vec(gen, 1.0), random_vec(gen, 1.0)}};
    }
    std::vector<double> J(m * nv), MinvJt(m * nv), W(m * m);
    calc_jacobian(r.tree, data, rows, J);
    ResponseScratch scratch(r.tree);
    calc_delassus(r.tree, data, all_links(r.tree), J, m, scratch, MinvJt, W);
    double scale = 0.0;
    for (const double w : W) scale = std::max(scale, std::abs(w));
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < nv; ++k) {
        double left = -J[i * nv + k];
        for (std::size_t j = 0; j < nv; ++j) left += M[k * nv + j] * MinvJt[i * nv + j];
        EXPECT_NEAR(left, 0.0, 1e-9 * (1.0 + scale));
      }
      for (std::size_t j = 0; j < m; ++j) EXPECT_EQ(W[i * m + j], W[j * m + i]);
      EXPECT_GE(W[i * m + i], 0.0);
    }
  }
}

}  // namespace
}  // namespace carom
