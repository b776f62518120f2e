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
  const auto size = static_cast<std::size_t>(n);
  const SparsePattern& pattern = jacobian_.pattern();
  slopes_.resize(jacobian_.is_sparse() ? pattern.rows.size() : size * size);
  diagonal_.resize(size);
  for (std::size_t j = 0; j < size; ++j) {
    diagonal_[j] = j * (size + 1);
    if (!jacobian_.is_sparse()) continue;
    const auto first = pattern.rows.begin() + pattern.start[j];
    const auto found =
        std::lower_bound(first, pattern.rows.begin() + pattern.start[j + 1], static_cast<int>(j));
    diagonal_[j] = static_cast<std::size_t>(found - pattern.rows.begin());
  }
  if (!jacobian_.is_sparse() || n < kDenseBelow) {
    matrix_.reset(SUNDenseMatrix(n, n, context));
    solver_ = make_dense_solver(n, context);
  } else {
    const auto entries = static_cast<sunindextype>(slopes_.size());
    matrix_.reset(SUNSparseMatrix(n, n, entries, CSC_MAT, context));
    std::ranges::copy(pattern.start, SUNSparseMatrix_IndexPointers(matrix()));
    std::ranges::copy(pattern.rows, SUNSparseMatrix_IndexValues(matrix()));
    solver_.reset(SUNLinSol_KLU(like, matrix(), context));
  }
  SUNLinSolInitialize(solver());
}

Status NewtonMatrix::differentiate(double t, std::span<const double> x, std::span<const double> f) {
  if (std::exchange(takes_known_, false)) {
    return std::ranges::find(lost_, true) == lost_.end()
               ? Status::ok
               : jacobian_.evaluate(t, x, f, slopes_, lost_);
  }
  const Status status = jacobian_.evaluate(t, x, f, slopes_);
  is_known_ = status == Status::ok && jacobian_.is_sparse();
  return status;
}

void NewtonMatrix::form(double c) {
  const bool is_dense = SUNMatGetID(matrix()) == SUNMATRIX_DENSE;
  is_dense ? form_dense(c) : form_sparse(c);
}

void NewtonMatrix::form_sparse(double c) {
  double* const data = SUNSparseMatrix_Data(matrix());
  for (std::size_t k = 0; k < slopes_.size(); ++k) data[k] = -c * slopes_[k];
  for (const std::size_t k : diagonal_) data[k] += 1.0;
}

void NewtonMatrix::form_dense(double c) {
  double* const data = SUNDenseMatrix_Data(matrix());
  const std::size_t n = diagonal_.size();
  if (!jacobian_.is_sparse()) {
    for (std::size_t k = 0; k < slopes_.size(); ++k) data[k] = -c * slopes_[k];
  } else {
    const SparsePattern& pattern = jacobian_.pattern();
    std::fill(data, data + n * n, 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      for (auto k = static_cast<std::size_t>(pattern.start[j]);
           k < static_cast<std::size_t>(pattern.start[j + 1]); ++k) {
        data[j * n + static_cast<std::size_t>(pattern.rows[k])] = -c * slopes_[k];
      }
    }
  }
  for (std::size_t j = 0; j < n; ++j) data[j * (n + 1)] += 1.0;
}

NewtonMatrix::Known NewtonMatrix::known() const {
  if (!is_known_) return {};
  return {jacobian_.pattern(), slopes_};
}

void NewtonMatrix::take(const Known& known) {
  if (known.pattern.empty() || !jacobian_.is_sparse()) return;
  const SparsePattern& pattern = jacobian_.pattern();
  const std::size_t columns = std::min(pattern.start.size(), known.pattern.start.size()) - 1;
  std::ranges::fill(slopes_, 0.0);
  lost_.assign(diagonal_.size(), false);
  for (std::size_t j = 0; j < columns; ++j) {
    const auto rows = [j](const SparsePattern& p) {
      return std::span(p.rows).subspan(static_cast<std::size_t>(p.start[j]),
                                       static_cast<std::size_t>(p.start[j + 1] - p.start[j]));
    };
    lost_[j] = !std::ranges::includes(rows(pattern), rows(known.pattern));
    auto from = static_cast<std::size_t>(known.pattern.start[j]);
    const auto end = static_cast<std::size_t>(known.pattern.start[j + 1]);
    for (auto k = static_cast<std::size_t>(pattern.start[j]);
         k < static_cast<std::size_t>(pattern.start[j + 1]); ++k) {
      while (from < end && known.pattern.rows[from] < pattern.rows[k]) ++from;
      if (from < end && known.pattern.rows[from] == pattern.rows[k]) {
        slopes_[k] = known.values[from];
      }
    }
  }
  is_known_ = takes_known_ = true;
}

}  // namespace carom
