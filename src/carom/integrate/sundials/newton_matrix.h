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

  /// df/dx at (t, x), where f = f(t, x), into a matrix of the kind of matrix().
  Status fill(double t, std::span<const double> x, std::span<const double> f, SUNMatrix jacobian);

  /// What fill() found last, by columns; empty before, and where there is no pattern.
  struct Known {
    SparsePattern pattern;
    std::vector<double> values;
  };
  Known known() const;
  /// The next fill() takes `known` instead of new differences; entries that it does not have are
  /// zero.
  void take(const Known& known);

 private:
  Status evaluate(double t, std::span<const double> x, std::span<const double> f);

  DifferenceJacobian jacobian_;
  std::vector<double> sparse_values_;
  bool is_known_ = false, takes_known_ = false;
  MatrixHandle matrix_;
  LinearSolverHandle solver_;
};

}  // namespace carom
