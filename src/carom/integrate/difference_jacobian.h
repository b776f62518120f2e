// df/dx by forward differences, dense or along the colours of a sparse pattern.
//
//   J e_j ~ (f(x + d_j e_j) - f(x)) / d_j,   d_j = sqrt(eps max(|x_j|, s_j) s_j)   (1)
//
// s_j is the size on which x_j matters, as the system says.
// (1) balances rounding, eps max(|x_j|, s_j)/d_j, against curvature, d_j/s_j: a
// body far from the origin has |x_j| >> s_j and must not be moved by sqrt(eps)|x_j|,
// which may exceed a contact's depth.
#pragma once

#include <span>
#include <vector>

#include "carom/integrate/checked_rhs.h"
#include "carom/integrate/column_colouring.h"

namespace carom {

class DifferenceJacobian {
 public:
  /// Takes the system's pattern (with the diagonal added), or none: then it is dense.
  DifferenceJacobian(CheckedRhs& rhs, IntegratorStatistics& statistics, double rtol, double atol);

  bool is_sparse() const { return !pattern_.empty(); }
  const SparsePattern& pattern() const { return pattern_; }

  /// f = f(t, x) is given. `values` follow the pattern, or are dense by columns. Where `which` is
  /// not empty, the columns that it does not name keep their values.
  Status evaluate(double t, std::span<const double> x, std::span<const double> f,
                  std::span<double> values, const std::vector<bool>& which = {});

 private:
  double increment(std::size_t j, double x) const;
  /// f at x with the listed columns moved; tries the other side where that fails.
  Status evaluate_moved(double t, std::span<const double> x, std::span<const int> columns);

  CheckedRhs& rhs_;
  IntegratorStatistics& statistics_;
  double rtol_;
  double atol_;
  SparsePattern pattern_;
  ColumnColouring colouring_;
  std::vector<double> sizes_;      ///< s_j
  std::vector<double> moved_;      ///< x with some columns moved
  std::vector<double> moved_f_;    ///< f there
  std::vector<double> increment_;  ///< d_j as it came out in floating point
  std::vector<int> columns_;       ///< of one colour that are asked for
};

}  // namespace carom
