#include "carom/integrate/sundials/newton_matrix.h"

#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <utility>

#include "carom/integrate/sundials/dense_solver.h"

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
    solver_ = make_dense_solver(n, context);
  } else {
    const auto entries = static_cast<sunindextype>(sparse_values_.size());
    matrix_.reset(SUNSparseMatrix(n, n, entries, CSC_MAT, context));
    solver_.reset(SUNLinSol_KLU(like, matrix(), context));
  }
  SUNLinSolInitialize(solver());
}

/// Of a system with a pattern, into sparse_values_.
Status NewtonMatrix::evaluate(double t, std::span<const double> x, std::span<const double> f) {
  if (std::exchange(takes_known_, false)) return Status::ok;
  const Status status = jacobian_.evaluate(t, x, f, sparse_values_);
  is_known_ = status == Status::ok;
  return status;
}

NewtonMatrix::Known NewtonMatrix::known() const {
  if (!is_known_) return {};
  return {jacobian_.pattern(), sparse_values_};
}

void NewtonMatrix::take(const Known& known) {
  if (known.pattern.empty() || !jacobian_.is_sparse()) return;
  const SparsePattern& pattern = jacobian_.pattern();
  const std::size_t columns = std::min(pattern.start.size(), known.pattern.start.size()) - 1;
  std::ranges::fill(sparse_values_, 0.0);
  for (std::size_t j = 0; j < columns; ++j) {
    auto from = static_cast<std::size_t>(known.pattern.start[j]);
    const auto end = static_cast<std::size_t>(known.pattern.start[j + 1]);
    for (auto k = static_cast<std::size_t>(pattern.start[j]);
         k < static_cast<std::size_t>(pattern.start[j + 1]); ++k) {
      while (from < end && known.pattern.rows[from] < pattern.rows[k]) ++from;
      if (from < end && known.pattern.rows[from] == pattern.rows[k]) {
        sparse_values_[k] = known.values[from];
      }
    }
  }
  is_known_ = takes_known_ = true;
}

Status NewtonMatrix::fill(double t, std::span<const double> x, std::span<const double> f,
                          SUNMatrix jacobian) {
  const bool is_dense = SUNMatGetID(jacobian) == SUNMATRIX_DENSE;
  const std::size_t n = x.size();
  double* data = is_dense ? SUNDenseMatrix_Data(jacobian) : SUNSparseMatrix_Data(jacobian);
  if (!jacobian_.is_sparse()) return jacobian_.evaluate(t, x, f, {data, n * n});
  const Status status = evaluate(t, x, f);
  if (status != Status::ok) return status;
  const SparsePattern& pattern = jacobian_.pattern();
  if (!is_dense) {
    // SUNDIALS clears the indices together with the values, so both are written.
    std::copy(pattern.start.begin(), pattern.start.end(), SUNSparseMatrix_IndexPointers(jacobian));
    std::copy(pattern.rows.begin(), pattern.rows.end(), SUNSparseMatrix_IndexValues(jacobian));
    std::copy(sparse_values_.begin(), sparse_values_.end(), data);
    return Status::ok;
  }
  std::fill(data, data + n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    for (auto k = static_cast<std::size_t>(pattern.start[j]);
         k < static_cast<std::size_t>(pattern.start[j + 1]); ++k) {
      data[j * n + static_cast<std::size_t>(pattern.rows[k])] = sparse_values_[k];
    }
  }
  return Status::ok;
}

}  // namespace carom
