// The matrix of Newton's method, I - c df/dx, and the solver that factors it: dense
// for small systems, KLU for large ones with a pattern.
#pragma once

#include <optional>
#include <vector>

#include "carom/integrate/difference_jacobian.h"
#include "carom/integrate/sundials/handles.h"

namespace carom {

class NewtonMatrix {
 public:
  /// `like` is a vector of the system's size.
  NewtonMatrix(CheckedRhs& rhs, IntegratorStatistics& statistics, double rtol, double atol,
               N_Vector like, SUNContext context);

  SUNMatrix matrix() const { return matrix_.get(); }
  SUNLinearSolver solver() const { return solver_.get(); }

  /// df/dx at (t, x), where f = f(t, x); kept until the next one.
  Status differentiate(double t, std::span<const double> x, std::span<const double> f);
  /// matrix() = I - c df/dx. SUNDIALS would copy a saved Jacobian with its indices, clear the
  /// matrix for it and look for the diagonal: as long as a small factorisation takes.
  void form(double c);

  /// What differentiate() found last, by columns; empty before, and where there is no pattern.
  struct Known {
    SparsePattern pattern;
    std::vector<double> values;
  };
  Known known() const;
  /// The next differentiate() takes `known` instead of new differences; entries that it does not
  /// have are zero. Columns that have lost rows since are found anew: what joined them is no more,
  /// and a matrix that is stiffer than the system hides what is missing. Newton's corrections are
  /// small then, wherever the solution is: gravity did nothing to a body for fifty steps after it
  /// had left the floor.
  void take(const Known& known);

 private:
  void form_dense(double c);
  void form_sparse(double c);

  DifferenceJacobian jacobian_;
  std::vector<double> slopes_;         ///< df/dx, along the pattern, or dense by columns
  std::vector<std::size_t> diagonal_;  ///< where it stands in slopes_
  bool is_known_ = false, takes_known_ = false;
  std::vector<bool> lost_;  ///< columns that are to be found anew although the others are taken
  MatrixHandle matrix_;
  LinearSolverHandle solver_;
};

}  // namespace carom
