// What CVODE and ARKODE are told about a System: the functions they call back, the
// vectors they compute with, the linear solver.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/integrate/checked_rhs.h"
#include "carom/integrate/sundials/group_vector.h"
#include "carom/integrate/sundials/newton_matrix.h"

namespace carom {

class SundialsProblem {
 public:
  SundialsProblem(System& system, const IntegratorSettings& settings)
      : system_(system), settings_(settings), rhs_(system, statistics_) {}
  SundialsProblem(const SundialsProblem&) = delete;
  SundialsProblem& operator=(const SundialsProblem&) = delete;

  /// Reads size, groups and pattern of the system. Returns whether they are other than
  /// before, so that everything made from them must be made again: first drop it all,
  /// then call rebuild().
  bool has_changed() const;
  void rebuild(bool implicit);
  /// The first Jacobian after a restart is the last one before it.
  void keep_jacobian();

  System& system() { return system_; }
  const IntegratorSettings& settings() const { return settings_; }
  IntegratorStatistics& statistics() { return statistics_; }
  const IntegratorStatistics& statistics() const { return statistics_; }
  CheckedRhs& rhs() { return rhs_; }
  SUNContext context() const { return context_.get(); }
  N_Vector state() const { return state_.get(); }
  N_Vector scratch() const { return scratch_.get(); }
  /// Only after rebuild(true).
  const NewtonMatrix& newton() const { return *newton_; }

  /// The method is held to tolerances that are smaller by this factor.
  void tighten(double factor) { tightening_ = factor; }

  bool has_used_all_steps() const {
    return settings_.max_steps > 0 && statistics_.steps >= settings_.max_steps;
  }
  /// Forgets what went wrong on the way to t. Returns the goal of the next step, finite in any
  /// case: the first one is chosen from it.
  double begin_step(double t, double t_limit);

  // Why there is no step.

  /// A call into SUNDIALS failed, in the words of the right-hand side and SUNDIALS.
  std::string failure() const;
  std::string used_all_steps() const;
  /// From t: `flag` is the answer of SUNDIALS, negative or without progress.
  std::string failed_step(int flag, double t) const;

  // Callbacks; `problem` is a SundialsProblem*. CVODE and ARKODE share their types.
  static int call_rhs(double t, N_Vector x, N_Vector xdot, void* problem);
  static int call_weights(N_Vector x, N_Vector w, void* problem);
  static int call_matrix(double t, N_Vector x, N_Vector f, SUNMatrix, int may_keep, int* is_new,
                         double gamma, void* problem, N_Vector, N_Vector, N_Vector);
  static int call_project_step(double t, N_Vector x, void* problem);
  static int call_project_error(double t, N_Vector x, N_Vector correction, double, N_Vector error,
                                void* problem);
  static void call_message(int code, const char*, const char*, char* message, void* problem);

 private:
  System& system_;
  IntegratorSettings settings_;
  IntegratorStatistics statistics_;
  CheckedRhs rhs_;
  ContextHandle context_;
  GroupNorm norm_;
  double tightening_ = 1.0;
  bool is_built_ = false;
  std::size_t size_ = 0;
  std::vector<int> groups_;
  SparsePattern pattern_;
  VectorHandle state_;
  VectorHandle scratch_;
  std::unique_ptr<NewtonMatrix> newton_;  ///< null before rebuild(true)
  NewtonMatrix::Known last_jacobian_;     ///< of the matrix before
  int kept_ = 0;                          ///< restarts since a Jacobian was evaluated
  std::int64_t jacobians_ = 0;            ///< evaluated at the last one
  std::string message_;
};

}  // namespace carom
