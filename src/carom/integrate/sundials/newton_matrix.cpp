#include "carom/integrate/sundials/newton_matrix.h"

#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>

namespace carom {
namespace {

/// Below this size a dense factorisation is faster than a sparse one.
constexpr sunindextype kDenseBelow = 40;

}  // namespace

NewtonMatrix::NewtonMatrix(CheckedRhs& rhs, IntegratorStatistics& statistics, double rtol,
                           double atol, N_Vector like, SUNContext context)
    : jacobian_(rhs, statistics, rtol, atol) {
  const sunindextype n = N_VGetLength(like);
  if (jacobian_.is_sparse()) sparse_values_.resize(jacobian_.pattern().rows.size());
  if (!jacobian_.is_sparse() || n < kDenseBelow) {
    matrix_.reset(SUNDenseMatrix(n, n, context));
    solver_.reset(SUNLinSol_Dense(like, matrix(), context));
  } else {
    const auto entries = static_cast<sunindextype>(sparse_values_.size());
    matrix_.reset(SUNSparseMatrix(n, n, entries, CSC_MAT, context));
    solver_.reset(SUNLinSol_KLU(like, matrix(), context));
  }
  SUNLinSolInitialize(solver());
}

Status NewtonMatrix::fill_dense(double t, std::span<const double> x, std::span<const double> f,
                                double* data) {
  const std::size_t n = x.size();
  if (!jacobian_.is_sparse()) return jacobian_.evaluate(t, x, f, {data, n * n});
  const Status status = jacobian_.evaluate(t, x, f, sparse_values_);
  if (status != Status::ok) return status;
  std::fill(data, data + n * n, 0.0);
  const SparsePattern& pattern = jacobian_.pattern();
  for (std::size_t j = 0; j < n; ++j) {
    for (auto k = static_cast<std::size_t>(pattern.start[j]);
         k < static_cast<std::size_t>(pattern.start[j + 1]); ++k) {
      data[j * n + static_cast<std::size_t>(pattern.rows[k])] = sparse_values_[k];
    }
  }
  return Status::ok;
}

Status NewtonMatrix::fill(double t, std::span<const double> x, std::span<const double> f,
                          SUNMatrix jacobian) {
  if (SUNMatGetID(jacobian) == SUNMATRIX_DENSE) {
    return fill_dense(t, x, f, SUNDenseMatrix_Data(jacobian));
  }
  // SUNDIALS clears the indices together with the values, so both are written.
  const SparsePattern& pattern = jacobian_.pattern();
  std::copy(pattern.start.begin(), pattern.start.end(), SUNSparseMatrix_IndexPointers(jacobian));
  std::copy(pattern.rows.begin(), pattern.rows.end(), SUNSparseMatrix_IndexValues(jacobian));
  return jacobian_.evaluate(t, x, f, {SUNSparseMatrix_Data(jacobian), pattern.rows.size()});
}

}  // namespace carom
