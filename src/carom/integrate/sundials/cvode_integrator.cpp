#include "carom/integrate/sundials/cvode_integrator.h"

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/integrate/step_record.h"
#include "carom/integrate/sundials/problem.h"

namespace carom {
namespace {

struct CvodeDeleter {
  void operator()(void* memory) const { CVodeFree(&memory); }
};

/// CVODE bounds the error of a step, e ~ h^(q+1); that of the run, ~ h^q, then falls only
/// as tolerance^(q/(q+1)). A tolerance of tol (tol/0.01)^(1/q) makes it proportional to
/// tol; q = 5, at which accurate runs settle.
double bdf_tightening(double rtol) { return std::max(1.0, std::pow(0.01 / rtol, 0.2)); }

/// Multistep methods begin with order 1, and each step of the beginning errs by the tolerance;
/// steps of a run under way err less in sum. Where a run is taken up again, since it was saved, the
/// first steps are held to a thousandth of the tolerance, and those that follow, while the order
/// rises, to more and more of it. Then a run that is saved often errs no more than one that never
/// is, for a tenth more evaluations (tests/simulation/saved_runs_test.cpp).
constexpr double kCareful = 1000.0;
constexpr int kCarefulSteps = 40;

class CvodeIntegrator final : public Integrator {
 public:
  CvodeIntegrator(System& system, const IntegratorSettings& settings, Multistep family)
      : problem_(system, settings),
        family_(family),
        careful_steps_(settings.goes_on ? kCarefulSteps : 0) {
    tighten();
  }

  void start(double t, std::span<const double> x) override;
  /// Past values of the state, which BDF builds on, stay true; past slopes do not.
  void resume() override {
    if (is_implicit()) return;
    // At order one a step as long as the last would err by more than the tolerance.
    const std::vector<double> x = record_.state;
    start(record_.time, x);
  }
  void suggest_step(double h) override {
    if (memory_) CVodeSetInitStep(memory_.get(), h);
  }
  StepStatus step(double t_limit) override;
  void interpolate(double t, std::span<double> x) override;
  bool interpolant_is_accurate() const override { return true; }
  StepStatus repeat_until(double t_end) override;
  bool interpolates_repeated_step() const override { return false; }

  int lowered_orders() const override;
  double time() const override { return record_.time; }
  double previous_time() const override { return record_.previous_time; }
  std::span<const double> state() const override { return record_.state; }
  const IntegratorStatistics& statistics() const override { return problem_.statistics(); }
  std::string failure() const override { return record_.failure; }

 private:
  bool is_implicit() const { return family_ != Multistep::adams; }
  void tighten() {
    const double usual = is_implicit() ? bdf_tightening(problem_.settings().rtol) : 1.0;
    problem_.tighten(usual * std::pow(kCareful, careful_steps_ / double{kCarefulSteps}));
  }
  void create(double t);
  void set_options();
  void count_rejected();
  bool prepare_defect();
  StepStatus fail(std::string why);

  SundialsProblem problem_;
  Multistep family_;
  int careful_steps_;  ///< that are left
  NonlinearSolverHandle fixed_point_;
  std::unique_ptr<void, CvodeDeleter> memory_;
  StepRecord record_;
  bool has_started_ = false;
  std::vector<double> defect_;  ///< of the polynomial at the beginning of the step
  bool defect_is_known_ = false;
  std::int64_t rejected_before_start_ = 0;
};

void CvodeIntegrator::create(double t) {
  memory_.reset();
  fixed_point_.reset();
  problem_.rebuild(is_implicit());
  memory_.reset(CVodeCreate(is_implicit() ? CV_BDF : CV_ADAMS, problem_.context()));
  std::ranges::copy(record_.state, values(problem_.state()).begin());
  CVodeSetErrHandlerFn(memory_.get(), SundialsProblem::call_message, &problem_);
  CVodeInit(memory_.get(), SundialsProblem::call_rhs, t, problem_.state());
  set_options();
}

void CvodeIntegrator::set_options() {
  void* memory = memory_.get();
  const IntegratorSettings& settings = problem_.settings();
  CVodeSetUserData(memory, &problem_);
  CVodeWFtolerances(memory, SundialsProblem::call_weights);
  CVodeSetMaxHnilWarns(memory, -1);
  CVodeSetMaxNumSteps(memory, -1);
  CVodeSetMaxErrTestFails(memory, 30);  // a jump of the force takes more than its 7
  if (std::isfinite(settings.max_step)) CVodeSetMaxStep(memory, settings.max_step);
  if (family_ == Multistep::bdf_2) CVodeSetMaxOrd(memory, 2);
  if (family_ == Multistep::bdf) CVodeSetStabLimDet(memory, SUNTRUE);
  if (!is_implicit()) {
    fixed_point_.reset(SUNNonlinSol_FixedPoint(problem_.state(), 0, problem_.context()));
    CVodeSetNonlinearSolver(memory, fixed_point_.get());
    return;
  }
  CVodeSetLinearSolver(memory, problem_.newton().solver(), problem_.newton().matrix());
  CVodeSetLinSysFn(memory, SundialsProblem::call_matrix);
  if (problem_.system().has_projection()) {
    CVodeSetProjFn(memory, SundialsProblem::call_project_error);
  }
}

void CvodeIntegrator::start(double t, std::span<const double> x) {
  if (has_started_) ++problem_.statistics().restarts;
  // An event, or the step once more: slopes have hardly changed but those of what begins.
  const bool goes_on = has_started_ && t >= record_.previous_time && t <= record_.time;
  has_started_ = true;
  rejected_before_start_ = problem_.statistics().rejected_steps;
  record_.start(t, x);
  problem_.rhs().forget_complaint();
  if (x.empty()) return;  // step() then only lets time pass
  if (problem_.has_changed()) {
    create(t);
  } else {
    std::ranges::copy(x, values(problem_.state()).begin());
    CVodeReInit(memory_.get(), t, problem_.state());
  }
  if (goes_on) problem_.keep_jacobian();
  CVodeSetInitStep(memory_.get(), problem_.settings().initial_step);
}

int CvodeIntegrator::lowered_orders() const {
  long count = 0;
  if (memory_) CVodeGetNumStabLimOrderReds(memory_.get(), &count);
  return static_cast<int>(count);
}

void CvodeIntegrator::count_rejected() {
  long error_fails = 0;
  long solve_fails = 0;
  CVodeGetNumErrTestFails(memory_.get(), &error_fails);
  CVodeGetNumStepSolveFails(memory_.get(), &solve_fails);
  problem_.statistics().rejected_steps = rejected_before_start_ + error_fails + solve_fails;
}

StepStatus CvodeIntegrator::fail(std::string why) {
  record_.failure = std::move(why);
  return StepStatus::failed;
}

StepStatus CvodeIntegrator::step(double t_limit) {
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
    return StepStatus::ok;
  }
  const double goal = problem_.begin_step(record_.time, t_limit);
  CVodeSetStopTime(memory_.get(), goal);
  double reached = record_.time;
  defect_is_known_ = false;
  const int flag = CVode(memory_.get(), goal, problem_.state(), &reached, CV_ONE_STEP);
  count_rejected();
  if (flag < 0 || !(reached > record_.time)) return fail(problem_.failed_step(flag, record_.time));
  ++statistics.steps;
  if (careful_steps_ > 0) {
    --careful_steps_;
    tighten();
  }
  std::swap(record_.previous, record_.state);
  std::ranges::copy(values(problem_.state()), record_.state.begin());
  record_.finish_step(reached);
  return StepStatus::ok;
}

/// The polynomial of CVODE meets the end of the last step only up to its error, and a contact that
/// has just ended would overlap there. What is missing fades out over the step.
void CvodeIntegrator::interpolate(double t, std::span<double> x) {
  const bool inside = t < record_.time && record_.length() > 0.0;
  if (!inside || !prepare_defect() ||
      CVodeGetDky(memory_.get(), std::max(t, record_.previous_time), 0, problem_.scratch()) !=
          CV_SUCCESS) {
    std::ranges::copy(record_.state, x.begin());
    return;
  }
  const double left = std::min(1.0, (record_.time - t) / record_.length());
  const std::span<const double> polynomial = values(problem_.scratch());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = polynomial[i] + left * defect_[i];
}

bool CvodeIntegrator::prepare_defect() {
  if (defect_is_known_) return true;
  if (CVodeGetDky(memory_.get(), record_.previous_time, 0, problem_.scratch()) != CV_SUCCESS) {
    return false;
  }
  const std::span<const double> polynomial = values(problem_.scratch());
  defect_.resize(polynomial.size());
  for (std::size_t i = 0; i < defect_.size(); ++i) {
    defect_[i] = record_.previous[i] - polynomial[i];
  }
  return defect_is_known_ = true;
}

StepStatus CvodeIntegrator::repeat_until(double t_end) {
  const std::vector<double> beginning = record_.previous;
  const double t_beginning = record_.previous_time;
  start(t_beginning, beginning);
  do {
    if (step(t_end) == StepStatus::failed) return StepStatus::failed;
  } while (!record_.reached(t_end));
  // It took several steps; all together are the step, should it be repeated once more.
  record_.previous_time = t_beginning;
  record_.previous = beginning;
  return StepStatus::ok;
}

}  // namespace

std::unique_ptr<Integrator> make_cvode_integrator(System& system,
                                                  const IntegratorSettings& settings,
                                                  Multistep family) {
  return std::make_unique<CvodeIntegrator>(system, settings, family);
}

}  // namespace carom
