// The dense solver beside that of SUNDIALS, which it stands for bit by bit.
#include "carom/integrate/sundials/dense_solver.h"

#include <gtest/gtest.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cstring>
#include <random>
#include <vector>

#include "carom/base/patience.h"

namespace carom {
namespace {

/// A matrix and a right-hand side; every second matrix is that of positions and velocities, whose
/// upper half is nearly empty.
struct DenseCase {
  ContextHandle context;
  MatrixHandle matrix;
  VectorHandle b, x;
  sunindextype n;

  DenseCase(sunindextype size, unsigned seed) : n(size) {
    matrix.reset(SUNDenseMatrix(n, n, context.get()));
    b.reset(N_VNew_Serial(n, context.get()));
    x.reset(N_VNew_Serial(n, context.get()));
    std::mt19937 generator(seed);
    std::normal_distribution<double> number;
    for (sunindextype j = 0; j < n; ++j) {
      for (sunindextype i = 0; i < n; ++i) {
        const bool is_zero = seed % 2 == 1 && i < n / 2 && i != j && i + n / 2 != j;
        SUNDenseMatrix_Column(matrix.get(), j)[i] = is_zero ? 0.0 : number(generator);
      }
      N_VGetArrayPointer(b.get())[j] = number(generator);
    }
  }

  std::vector<double> numbers() const {
    const double* data = SUNDenseMatrix_Data(matrix.get());
    std::vector<double> all(data, data + n * n);
    const double* v = N_VGetArrayPointer(x.get());
    all.insert(all.end(), v, v + n);
    return all;
  }

  int solve(SUNLinearSolver solver) {
    SUNLinSolInitialize(solver);
    const int flag = SUNLinSolSetup(solver, matrix.get());
    if (flag != 0) return flag;
    return SUNLinSolSolve(solver, matrix.get(), x.get(), b.get(), 0.0);
  }
};

TEST(DenseSolver, HasTheBitsOfTheOneOfSundials) {
  unsigned seed = 0;
  for (const sunindextype n : {1, 2, 7, 8, 9, 16, 31, 64, 100, 157}) {
    for (int trial = 0; trial < 4; ++trial, ++seed) {
      DenseCase own(n, seed), theirs(n, seed);
      const LinearSolverHandle solver = make_dense_solver(n, own.context.get());
      ASSERT_EQ(own.solve(solver.get()), 0) << n << " " << seed;
      const LinearSolverHandle reference(
          SUNLinSol_Dense(theirs.b.get(), theirs.matrix.get(), theirs.context.get()));
      ASSERT_EQ(theirs.solve(reference.get()), 0);
      const std::vector<double> a = own.numbers(), c = theirs.numbers();
      EXPECT_EQ(std::memcmp(a.data(), c.data(), a.size() * sizeof(double)), 0) << n << " " << seed;
    }
  }
}

TEST(DenseSolver, SaysThatAMatrixIsSingular) {
  DenseCase c(20, 0);
  for (sunindextype j = 0; j < 20; ++j) SUNDenseMatrix_Column(c.matrix.get(), j)[13] = 0.0;
  const LinearSolverHandle solver = make_dense_solver(20, c.context.get());
  EXPECT_GT(c.solve(solver.get()), 0) << "a smaller step may help";
  EXPECT_EQ(SUNLinSolLastFlag(solver.get()), SUNLS_LUFACT_FAIL);
}

TEST(DenseSolver, GivesUpWhenNobodyWaits) {
  DenseCase c(20, 0);
  const LinearSolverHandle solver = make_dense_solver(20, c.context.get());
  const std::atomic<bool> over = true;
  const Patience patience(&over);
  EXPECT_LT(c.solve(solver.get()), 0) << "no smaller step helps";
}

}  // namespace
}  // namespace carom
