// LU decomposition with partial pivoting, columns stored one after the other:
//
//   for every k:  swap rows so that |a_kk| is largest in its column;  l_ik = a_ik / a_kk
//   a_ij = a_ij - l_ik a_kj   for i, j > k, in the order of k                              (1)
//
// Going over all columns for every k moves the whole matrix through the processor n times. Here k
// goes on by kPanel columns, and (1) is done for all of them while a column is at hand. Each entry
// still takes its terms in the order of k, one rounding each, so that the bits are the same.
#include "carom/integrate/sundials/dense_solver.h"

#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "carom/base/patience.h"

namespace carom {
namespace {

constexpr std::size_t kPanel = 8;

struct DenseFactors {
  std::vector<std::size_t> pivots;
  sunindextype last_flag = SUNLS_SUCCESS;
};

DenseFactors& factors_of(SUNLinearSolver solver) {
  return *static_cast<DenseFactors*>(solver->content);
}

bool is_zero(double value) { return value == 0.0; }

/// (1) of the rows from `first` to n for the columns [k, end) of the panel. Most of a column is
/// zero where it is that of a position: half of the matrix costs nothing.
void take_off(double* const* columns, std::size_t k, std::size_t end, std::size_t first,
              std::size_t n, double* column) {
  if (std::all_of(column + k, column + end, is_zero)) return;
  if (end - k == kPanel) {
    const double* const* l = columns + k;
    double u[kPanel];
    std::copy(column + k, column + end, u);
    for (std::size_t i = first; i < n; ++i) {
      double a = column[i];
      for (std::size_t p = 0; p < kPanel; ++p) a -= u[p] * l[p][i];
      column[i] = a;
    }
    return;
  }
  for (std::size_t p = k; p < end; ++p) {
    const double u = column[p];
    const double* const l = columns[p];
    for (std::size_t i = first; i < n; ++i) column[i] -= u * l[i];
  }
}

/// Of the rows within the panel, one k after the other.
void solve_panel(double* const* columns, std::size_t k, std::size_t end, double* column) {
  for (std::size_t p = k; p < end; ++p) {
    if (column[p] == 0.0) continue;
    for (std::size_t i = p + 1; i < end; ++i) column[i] -= column[p] * columns[p][i];
  }
}

/// Column k is complete: its pivot comes up. False if it is zero.
bool bring_up_pivot(double* const* columns, std::size_t k, std::size_t n, std::size_t& pivot) {
  double* const column = columns[k];
  pivot = k;
  for (std::size_t i = k + 1; i < n; ++i) {
    if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
  }
  if (column[pivot] == 0.0) return false;
  if (pivot != k) {
    for (std::size_t j = 0; j < n; ++j) std::swap(columns[j][pivot], columns[j][k]);
  }
  const double inverse = 1.0 / column[k];
  for (std::size_t i = k + 1; i < n; ++i) column[i] *= inverse;
  return true;
}

int set_up(SUNLinearSolver solver, SUNMatrix matrix) {
  DenseFactors& factors = factors_of(solver);
  double* const* const columns = SUNDenseMatrix_Cols(matrix);
  const std::size_t n = factors.pivots.size();
  const auto end_with = [&](int flag) { return static_cast<int>(factors.last_flag = flag); };
  for (std::size_t k = 0; k < n; k += kPanel) {
    if (Patience::is_over()) return end_with(SUNLS_PACKAGE_FAIL_UNREC);
    const std::size_t end = std::min(k + kPanel, n);
    for (std::size_t p = k; p < end; ++p) {
      if (!bring_up_pivot(columns, p, n, factors.pivots[p])) return end_with(SUNLS_LUFACT_FAIL);
      for (std::size_t j = p + 1; j < end; ++j) {
        take_off(columns, p, p + 1, p + 1, n, columns[j]);
      }
    }
    for (std::size_t j = end; j < n; ++j) {
      solve_panel(columns, k, end, columns[j]);
      take_off(columns, k, end, end, n, columns[j]);
    }
  }
  return end_with(SUNLS_SUCCESS);
}

int solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b, sunrealtype) {
  DenseFactors& factors = factors_of(solver);
  const double* const* const columns = SUNDenseMatrix_Cols(matrix);
  const std::size_t n = factors.pivots.size();
  N_VScale(1.0, b, x);
  double* const v = N_VGetArrayPointer(x);
  for (std::size_t k = 0; k < n; ++k) std::swap(v[k], v[factors.pivots[k]]);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) v[i] -= columns[k][i] * v[k];
  }
  for (std::size_t k = n; k-- > 0;) {
    v[k] /= columns[k][k];
    for (std::size_t i = 0; i < k; ++i) v[i] -= columns[k][i] * v[k];
  }
  return static_cast<int>(factors.last_flag = SUNLS_SUCCESS);
}

SUNLinearSolver_Type type_of(SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; }
int initialise(SUNLinearSolver) { return SUNLS_SUCCESS; }
sunindextype last_flag(SUNLinearSolver solver) { return factors_of(solver).last_flag; }

int release(SUNLinearSolver solver) {
  if (solver == nullptr) return SUNLS_SUCCESS;
  delete static_cast<DenseFactors*>(solver->content);
  solver->content = nullptr;
  SUNLinSolFreeEmpty(solver);
  return SUNLS_SUCCESS;
}

}  // namespace

LinearSolverHandle make_dense_solver(sunindextype size, SUNContext context) {
  LinearSolverHandle solver(SUNLinSolNewEmpty(context));
  solver->ops->gettype = type_of;
  solver->ops->initialize = initialise;
  solver->ops->setup = set_up;
  solver->ops->solve = solve;
  solver->ops->lastflag = last_flag;
  solver->ops->free = release;
  solver->content = std::make_unique<DenseFactors>(
                        DenseFactors{std::vector<std::size_t>(static_cast<std::size_t>(size))})
                        .release();
  return solver;
}

}  // namespace carom
