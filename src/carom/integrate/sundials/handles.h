// SUNDIALS objects that free themselves.
#pragma once

#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_nvector.h>

#include <memory>
#include <span>

namespace carom {

struct SundialsDeleter {
  void operator()(N_Vector v) const { N_VDestroy(v); }
  void operator()(SUNMatrix m) const { SUNMatDestroy(m); }
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
  void operator()(SUNNonlinearSolver s) const { SUNNonlinSolFree(s); }
};

using VectorHandle = std::unique_ptr<_generic_N_Vector, SundialsDeleter>;
using MatrixHandle = std::unique_ptr<_generic_SUNMatrix, SundialsDeleter>;
using LinearSolverHandle = std::unique_ptr<_generic_SUNLinearSolver, SundialsDeleter>;
using NonlinearSolverHandle = std::unique_ptr<_generic_SUNNonlinearSolver, SundialsDeleter>;

class ContextHandle {
 public:
  ContextHandle() { SUNContext_Create(nullptr, &context_); }
  ~ContextHandle() { SUNContext_Free(&context_); }
  ContextHandle(const ContextHandle&) = delete;
  ContextHandle& operator=(const ContextHandle&) = delete;
  SUNContext get() const { return context_; }

 private:
  SUNContext context_ = nullptr;
};

}  // namespace carom
