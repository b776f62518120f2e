// I - c df/dx as it is formed and factored, against the matrix multiplied out by hand.
#include "carom/integrate/sundials/newton_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "carom/integrate/sundials/group_vector.h"

namespace carom {
namespace {

/// x' = A x, a chain whose ends are joined: three entries a row, one of them far from the diagonal.
class JoinedChain final : public System {
 public:
  JoinedChain(std::size_t n, bool has_pattern) : n_(n), has_pattern_(has_pattern) {
    for (std::size_t j = 0; j < n; ++j) {
      pattern_.start.push_back(static_cast<int>(pattern_.rows.size()));
      // Without the diagonal, which the matrix has all the same.
      for (std::size_t i = 0; i < n; ++i) {
        if (i != j && entry(i, j) != 0.0) pattern_.rows.push_back(static_cast<int>(i));
      }
    }
    pattern_.start.push_back(static_cast<int>(pattern_.rows.size()));
  }

  double entry(std::size_t i, std::size_t j) const {
    if (i == j) return 0.0;
    if ((i + 1) % n_ == j) return 3.0 + 0.1 * static_cast<double>(i);
    if ((j + 1) % n_ == i) return -2.0;
    return 0.0;
  }

  std::size_t size() const override { return n_; }
  Status rhs(double, std::span<const double> x, std::span<double> xdot) override {
    for (std::size_t i = 0; i < n_; ++i) {
      xdot[i] = 0.0;
      for (std::size_t j = 0; j < n_; ++j) xdot[i] += entry(i, j) * x[j];
    }
    return Status::ok;
  }
  const SparsePattern* jacobian_pattern() const override {
    return has_pattern_ ? &pattern_ : nullptr;
  }

 private:
  std::size_t n_;
  bool has_pattern_;
  SparsePattern pattern_;
};

/// Solves (I - c A) y = b for several c with one Jacobian, and multiplies out again.
void check_solutions(std::size_t n, bool has_pattern) {
  JoinedChain system(n, has_pattern);
  IntegratorStatistics statistics;
  CheckedRhs rhs(system, statistics);
  const ContextHandle context;
  const std::vector<int> groups(n, 0);
  const GroupNorm norm(n, groups);
  const VectorHandle y = make_group_vector(n, norm, context.get());
  const VectorHandle b = make_group_vector(n, norm, context.get());
  NewtonMatrix newton(rhs, statistics, 1e-8, 1e-8, y.get(), context.get());

  std::vector<double> x(n), f(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(static_cast<double>(i + 1));
  ASSERT_EQ(rhs(0.0, x, f), Status::ok);
  ASSERT_EQ(newton.differentiate(0.0, x, f), Status::ok);
  for (const double c : {0.02, 1e-6, 0.05}) {  // factors overwrite the matrix each time
    newton.form(c);
    ASSERT_EQ(SUNLinSolSetup(newton.solver(), newton.matrix()), 0);
    for (std::size_t i = 0; i < n; ++i) values(b.get())[i] = std::cos(static_cast<double>(3 * i));
    ASSERT_EQ(SUNLinSolSolve(newton.solver(), newton.matrix(), y.get(), b.get(), 0.0), 0);
    const std::span<const double> solution = values(y.get());
    for (std::size_t i = 0; i < n; ++i) {
      double sum = solution[i];
      for (std::size_t j = 0; j < n; ++j) sum -= c * system.entry(i, j) * solution[j];
      // Differences of a linear function are right but for rounding over the increment, 1e-8.
      EXPECT_NEAR(sum, std::cos(static_cast<double>(3 * i)), 1e-7) << n << ", c = " << c;
    }
  }
}

TEST(NewtonMatrix, IsFormedAnewFromOneJacobian) {
  check_solutions(7, false);   // dense, without a pattern
  check_solutions(7, true);    // dense, from a pattern
  check_solutions(60, true);   // sparse
  check_solutions(60, false);  // dense, for want of a pattern
}

/// Of a Jacobian that is known from before only what both patterns have is taken, and no evaluation
/// is made.
TEST(NewtonMatrix, TakesAKnownJacobianOnce) {
  constexpr std::size_t n = 60;
  JoinedChain system(n, true);
  IntegratorStatistics statistics;
  CheckedRhs rhs(system, statistics);
  const ContextHandle context;
  const std::vector<int> groups(n, 0);
  const GroupNorm norm(n, groups);
  const VectorHandle like = make_group_vector(n, norm, context.get());
  NewtonMatrix first(rhs, statistics, 1e-8, 1e-8, like.get(), context.get());
  EXPECT_TRUE(first.known().values.empty());
  const std::vector<double> x(n, 1.0);
  std::vector<double> f(n);
  ASSERT_EQ(rhs(0.0, x, f), Status::ok);
  ASSERT_EQ(first.differentiate(0.0, x, f), Status::ok);

  NewtonMatrix second(rhs, statistics, 1e-8, 1e-8, like.get(), context.get());
  second.take(first.known());
  const std::int64_t before = statistics.rhs_evaluations;
  ASSERT_EQ(second.differentiate(0.0, x, f), Status::ok);
  EXPECT_EQ(statistics.rhs_evaluations, before);
  EXPECT_EQ(second.known().values, first.known().values);
  ASSERT_EQ(second.differentiate(0.0, x, f), Status::ok);
  EXPECT_GT(statistics.rhs_evaluations, before);
}

/// Where an entry is no more, its whole column is found anew: the others are as they were known.
TEST(NewtonMatrix, FindsColumnsAnewThatHaveLostRows) {
  constexpr std::size_t n = 60, kLost = 7;
  JoinedChain system(n, true);
  IntegratorStatistics statistics;
  CheckedRhs rhs(system, statistics);
  const ContextHandle context;
  const std::vector<int> groups(n, 0);
  const GroupNorm norm(n, groups);
  const VectorHandle like = make_group_vector(n, norm, context.get());
  NewtonMatrix newton(rhs, statistics, 1e-8, 1e-8, like.get(), context.get());
  const std::vector<double> x(n, 1.0);
  std::vector<double> f(n);
  ASSERT_EQ(rhs(0.0, x, f), Status::ok);
  ASSERT_EQ(newton.differentiate(0.0, x, f), Status::ok);
  const NewtonMatrix::Known right = newton.known();

  NewtonMatrix::Known stale = right;
  for (double& v : stale.values) v *= 1e6;
  const auto end = static_cast<std::ptrdiff_t>(stale.pattern.start[kLost + 1]);
  stale.pattern.rows.insert(stale.pattern.rows.begin() + end, static_cast<int>(n - 2));
  stale.values.insert(stale.values.begin() + end, 1e6);
  for (std::size_t j = kLost + 1; j <= n; ++j) ++stale.pattern.start[j];
  newton.take(stale);
  const std::int64_t before = statistics.rhs_evaluations;
  ASSERT_EQ(newton.differentiate(0.0, x, f), Status::ok);
  EXPECT_EQ(statistics.rhs_evaluations, before + 1);
  EXPECT_EQ(statistics.jacobian_evaluations, 1);  // of all columns
  for (std::size_t j = 0; j < n; ++j) {
    const auto first = static_cast<std::size_t>(right.pattern.start[j]);
    const auto last = static_cast<std::size_t>(right.pattern.start[j + 1]);
    const double factor = j == kLost ? 1.0 : 1e6;
    for (std::size_t k = first; k < last; ++k) {
      EXPECT_EQ(newton.known().values[k], factor * right.values[k]) << j;
    }
  }
}

}  // namespace
}  // namespace carom
