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

 private:
  Status fill_dense(double t, std::span<const double> x, std::span<const double> f, double* data);

  DifferenceJacobian jacobian_;
  std::vector<double> sparse_values_;
  MatrixHandle matrix_;
  LinearSolverHandle solver_;
};

}  // namespace carom
