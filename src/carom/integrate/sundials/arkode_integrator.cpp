#include "carom/integrate/sundials/arkode_integrator.h"

#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/integrate/hermite.h"
#include "carom/integrate/step_record.h"
#include "carom/integrate/sundials/arkode_calls.h"
#include "carom/integrate/sundials/problem.h"
#include "carom/integrate/with_powers.h"

namespace carom {
namespace {

/// As CVODE's: there is no mass matrix.
int call_matrix_of_stage(double t, N_Vector x, N_Vector f, SUNMatrix matrix, SUNMatrix,
                         int may_keep, int* is_new, double gamma, void* problem, N_Vector a,
                         N_Vector b, N_Vector c) {
  return SundialsProblem::call_matrix(t, x, f, matrix, may_keep, is_new, gamma, problem, a, b, c);
}

class ArkodeIntegrator final : public Integrator {
 public:
  ArkodeIntegrator(System& system, const IntegratorSettings& settings, const ArkodeTable& table)
      : system_(system, WithPowers::Norm::with_work),
        problem_(system_, settings),
        table_(table),
        calls_(table.implicit ? kImplicitCalls : kExplicitCalls),
        dense_(table.dense_degree) {}
  ~ArkodeIntegrator() override { free_memory(); }

  void start(double t, std::span<const double> x) override;
  StepStatus step(double t_limit) override;
  void interpolate(double t, std::span<double> x) override;
  bool interpolant_is_accurate() const override { return table_.dense_is_accurate; }
  StepStatus repeat_until(double t_end) override;
  bool integrate_powers(double t, std::span<double> work, std::span<double> error) override;

  double time() const override { return record_.time; }
  double previous_time() const override { return record_.previous_time; }
  std::span<const double> state() const override { return std::span(record_.state).first(states_); }
  const IntegratorStatistics& statistics() const override { return problem_.statistics(); }
  std::string failure() const override { return record_.failure; }

 private:
  void create();
  void set_options();
  void free_memory();
  void reinitialise(double initial_step);
  double forced_step() const;
  int evolve(double t_limit, double& reached);
  int evolve_with_smaller_steps(double t_limit, double& reached);
  StepStatus fail(std::string why);

  WithPowers system_;
  SundialsProblem problem_;
  ArkodeTable table_;
  const ArkodeCalls& calls_;
  HermiteInterpolant dense_;
  void* memory_ = nullptr;
  StepRecord record_;
  std::vector<double> whole_;  ///< states and integrals of powers at a time in the step
  std::size_t states_ = 0;
  bool has_started_ = false;
  bool must_reinitialise_ = false;  ///< before the next step, which begins with natural_step_
  double natural_step_ = 0.0;
};

void ArkodeIntegrator::free_memory() {
  if (memory_ != nullptr) calls_.free(&memory_);
  memory_ = nullptr;
}

double ArkodeIntegrator::forced_step() const {
  const IntegratorSettings& settings = problem_.settings();
  return settings.without_error_control ? std::min(settings.fixed_step, settings.max_step) : 0.0;
}

void ArkodeIntegrator::create() {
  free_memory();
  problem_.rebuild(table_.implicit);
  std::ranges::copy(record_.state, values(problem_.state()).begin());
  if (table_.implicit) {
    memory_ = ARKStepCreate(nullptr, SundialsProblem::call_rhs, record_.time, problem_.state(),
                            problem_.context());
    ARKStepSetTableNum(memory_, static_cast<ARKODE_DIRKTableID>(table_.table), ARKODE_ERK_NONE);
  } else {
    memory_ = ERKStepCreate(SundialsProblem::call_rhs, record_.time, problem_.state(),
                            problem_.context());
    ERKStepSetTableNum(memory_, static_cast<ARKODE_ERKTableID>(table_.table));
  }
  set_options();
}

void ArkodeIntegrator::set_options() {
  const IntegratorSettings& settings = problem_.settings();
  calls_.set_error_handler(memory_, SundialsProblem::call_message, &problem_);
  calls_.set_user_data(memory_, &problem_);
  calls_.set_weights(memory_, SundialsProblem::call_weights);
  // At a stop time ARKODE returns the value of its own interpolant. From degree 4 on that
  // evaluates the right-hand side and was seen to be wrong by 1e-5 at the end of a step.
  calls_.set_interpolant_degree(memory_, 1);
  calls_.set_max_hnil_warnings(memory_, -1);
  calls_.set_max_steps(memory_, -1);
  calls_.set_max_error_fails(memory_, 30);  // a jump of the force takes more than its 7
  calls_.set_controller(memory_, table_.controller, 1, 0, nullptr);
  if (forced_step() > 0.0) calls_.set_fixed_step(memory_, forced_step());
  if (std::isfinite(settings.max_step)) calls_.set_max_step(memory_, settings.max_step);
  if (problem_.system().has_projection()) {
    calls_.set_postprocess(memory_, SundialsProblem::call_project_step);
  }
  if (table_.implicit) {
    ARKStepSetLinearSolver(memory_, problem_.newton().solver(), problem_.newton().matrix());
    ARKStepSetLinSysFn(memory_, call_matrix_of_stage);
    // ARKODE lets its estimate of the contraction sink by a factor 0.3 with every stage
    // that converges, down to 1e-10 and less; an iterate is then taken for converged
    // although the matrix is of another step size, and errors of 1e5 tolerances pass.
    // With 1 the last correction itself must be below the tolerance.
    ARKStepSetNonlinCRDown(memory_, 1.0);
    ARKStepSetMaxNonlinIters(memory_, 8);
    ARKStepSetLSetupFrequency(memory_, 1);
    ARKStepSetJacEvalFrequency(memory_, 20);
  }
}

/// Begins afresh at the record's state.
void ArkodeIntegrator::reinitialise(double initial_step) {
  std::ranges::copy(record_.state, values(problem_.state()).begin());
  if (table_.implicit) {
    ARKStepReInit(memory_, nullptr, SundialsProblem::call_rhs, record_.time, problem_.state());
  } else {
    ERKStepReInit(memory_, SundialsProblem::call_rhs, record_.time, problem_.state());
  }
  if (forced_step() == 0.0) calls_.set_initial_step(memory_, initial_step);
  must_reinitialise_ = false;
}

void ArkodeIntegrator::start(double t, std::span<const double> x) {
  if (has_started_) ++problem_.statistics().restarts;
  has_started_ = true;
  record_.start(t, x);
  states_ = x.size();
  for (std::vector<double>* v : {&record_.state, &record_.previous}) v->resize(system_.size(), 0.0);
  whole_.resize(record_.state.size());
  problem_.rhs().forget_complaint();
  dense_.forget();
  if (record_.state.empty()) return;  // step() then only lets time pass
  if (problem_.has_changed()) create();
  reinitialise(problem_.settings().initial_step);
}

StepStatus ArkodeIntegrator::fail(std::string why) {
  record_.failure = std::move(why);
  must_reinitialise_ = true;
  return StepStatus::failed;
}

int ArkodeIntegrator::evolve(double t_limit, double& reached) {
  calls_.set_stop_time(memory_, t_limit);
  long before = 0;
  long after = 0;
  calls_.get_attempts(memory_, &before);
  const int flag = calls_.evolve(memory_, t_limit, problem_.state(), &reached, ARK_ONE_STEP);
  calls_.get_attempts(memory_, &after);
  problem_.statistics().rejected_steps += after - before - (flag < 0 ? 0 : 1);
  return flag;
}

/// ARKODE's explicit stepper gives up when a stage asks for a smaller step; this grants it.
int ArkodeIntegrator::evolve_with_smaller_steps(double t_limit, double& reached) {
  constexpr int kAttempts = 12;
  double h = 0.0;
  calls_.get_current_step(memory_, &h);
  h = std::min(std::abs(h), t_limit - record_.time);
  int flag = -1;
  for (int attempt = 0; attempt < kAttempts && flag < 0 && h > 0.0; ++attempt) {
    h *= 0.25;
    reinitialise(h);
    if (forced_step() > 0.0) calls_.set_fixed_step(memory_, h);
    flag = evolve(t_limit, reached);
    if (!problem_.rhs().complaint_is_recoverable()) break;
  }
  if (forced_step() > 0.0) calls_.set_fixed_step(memory_, forced_step());
  return flag;
}

StepStatus ArkodeIntegrator::step(double t_limit) {
  IntegratorStatistics& statistics = problem_.statistics();
  const IntegratorSettings& settings = problem_.settings();
  if (problem_.has_used_all_steps()) return fail(problem_.used_all_steps());
  if (record_.state.empty()) {
    ++statistics.steps;
    record_.finish_step(std::min(t_limit, record_.time + settings.max_step));
    return StepStatus::ok;
  }
  if (record_.reached(t_limit)) {
    record_.take_empty_step(t_limit);
    dense_.forget();
    must_reinitialise_ = true;
    return StepStatus::ok;
  }
  if (must_reinitialise_) reinitialise(natural_step_);
  const double goal = problem_.begin_step(record_.time, t_limit);
  double reached = record_.time;
  int flag = evolve(goal, reached);
  if (flag < 0 && problem_.rhs().complaint_is_recoverable()) {
    flag = evolve_with_smaller_steps(goal, reached);
  }
  if (flag < 0 || !(reached > record_.time)) return fail(problem_.failed_step(flag, record_.time));
  ++statistics.steps;
  std::swap(record_.previous, record_.state);
  std::ranges::copy(values(problem_.state()), record_.state.begin());
  record_.finish_step(reached);
  dense_.advance();
  calls_.get_current_step(memory_, &natural_step_);
  return StepStatus::ok;
}

void ArkodeIntegrator::interpolate(double t, std::span<double> x) {
  dense_.evaluate(problem_.rhs(), record_.previous_time, record_.previous, record_.time,
                  record_.state, t, whole_);
  std::copy_n(whole_.begin(), x.size(), x.begin());
}

/// Their errors are in the norm of the step.
bool ArkodeIntegrator::integrate_powers(double t, std::span<double> work, std::span<double> error) {
  dense_.evaluate(problem_.rhs(), record_.previous_time, record_.previous, record_.time,
                  record_.state, t, whole_);
  for (std::size_t i = 0; i < work.size(); ++i) {
    work[i] = whole_[states_ + i] - record_.previous[states_ + i];
  }
  std::ranges::fill(error, 0.0);
  return true;
}

StepStatus ArkodeIntegrator::repeat_until(double t_end) {
  const StepRecord original = record_;
  record_.time = record_.previous_time;
  record_.state = record_.previous;
  if (record_.reached(t_end)) {
    record_.take_empty_step(t_end);
    dense_.forget();
    must_reinitialise_ = true;
    return StepStatus::ok;
  }
  // The step is no longer than the one that was accepted, so it passes the error test.
  const double h = t_end - record_.time;
  problem_.begin_step(record_.time, t_end);
  if (forced_step() > 0.0) calls_.set_fixed_step(memory_, h);
  reinitialise(h);
  double reached = record_.time;
  int flag = 0;
  do {
    flag = evolve(t_end, reached);
  } while (flag >= 0 && flag != ARK_TSTOP_RETURN);
  if (forced_step() > 0.0) calls_.set_fixed_step(memory_, forced_step());
  must_reinitialise_ = true;
  if (flag < 0) {
    record_ = original;
    return fail("repeating the step to t = " + number_text(t_end) +
                " failed: " + problem_.failure());
  }
  std::ranges::copy(values(problem_.state()), record_.state.begin());
  record_.finish_step(t_end);
  dense_.forget();
  return StepStatus::ok;
}

}  // namespace

std::unique_ptr<Integrator> make_arkode_integrator(System& system,
                                                   const IntegratorSettings& settings,
                                                   const ArkodeTable& table) {
  return std::make_unique<ArkodeIntegrator>(system, settings, table);
}

}  // namespace carom
