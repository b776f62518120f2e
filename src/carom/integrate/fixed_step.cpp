#include "carom/integrate/fixed_step.h"

#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/integrate/hermite.h"
#include "carom/integrate/step_record.h"
#include "carom/integrate/with_powers.h"

namespace carom {
namespace {

/// Of a step: less than that beside the grid is rounding, not a step.
constexpr double kOnGrid = 1e-6;

class FixedStepIntegrator final : public Integrator {
 public:
  FixedStepIntegrator(System& system, const IntegratorSettings& settings,
                      const FixedStepMethod& method)
      : settings_(settings),
        step_(std::min(settings.fixed_step, settings.max_step)),
        make_rule_(method.make_rule),
        keeps_grid_(method.keeps_grid),
        system_(system,
                method.is_explicit ? WithPowers::Norm::without_work : WithPowers::Norm::with_work),
        rhs_(system_, statistics_),
        dense_(method.dense_degree) {}

  void start(double t, std::span<const double> x) override;
  StepStatus step(double t_limit) override;
  void interpolate(double t, std::span<double> x) override;
  /// Its error is at most that of a step, whose order its degree reaches.
  bool interpolant_is_accurate() const override { return true; }
  StepStatus repeat_until(double t_end) override;
  bool integrate_powers(double t, std::span<double> work, std::span<double> error) override;

  double time() const override { return record_.time; }
  double previous_time() const override { return record_.previous_time; }
  std::span<const double> state() const override { return std::span(record_.state).first(states_); }
  const IntegratorStatistics& statistics() const override { return statistics_; }
  std::string failure() const override { return record_.failure; }

 private:
  double next_grid_time();
  Status advance(double h);
  StepStatus fail(Status status, double h);

  IntegratorSettings settings_;
  double step_;
  MakeStepRule make_rule_;
  bool keeps_grid_;
  IntegratorStatistics statistics_;
  WithPowers system_;
  CheckedRhs rhs_;
  HermiteInterpolant dense_;
  StepRule rule_;
  StepRecord record_;
  std::vector<double> next_;
  std::vector<double> whole_;  ///< states and integrals of powers at a time in the step
  std::size_t states_ = 0;
  bool has_started_ = false;
  double grid_origin_ = 0.0;
  double grid_index_ = 0.0;  ///< of the grid point at or before the record's time
};

void FixedStepIntegrator::start(double t, std::span<const double> x) {
  if (has_started_) ++statistics_.restarts;
  has_started_ = true;
  record_.start(t, x);
  states_ = x.size();
  for (std::vector<double>* v : {&record_.state, &record_.previous}) {
    v->resize(rhs_.system().size(), 0.0);
  }
  dense_.forget();
  next_.resize(record_.state.size());
  whole_.resize(record_.state.size());
  rule_ = make_rule_(rhs_, statistics_, settings_);
  grid_origin_ = t;
  grid_index_ = 0.0;
  if (!keeps_grid_) return;
  const double before = std::floor(t / step_) * step_, rest = (t - before) / step_;
  if (rest > kOnGrid && rest < 1.0 - kOnGrid) grid_origin_ = before;
}

double FixedStepIntegrator::next_grid_time() {
  while (grid_origin_ + (grid_index_ + 1.0) * step_ <= record_.time + kOnGrid * step_) {
    grid_index_ += 1.0;
  }
  return grid_origin_ + (grid_index_ + 1.0) * step_;
}

Status FixedStepIntegrator::advance(double h) {
  rhs_.forget_complaint();
  Status status = rule_(record_.time, h, record_.state, next_);
  System& system = rhs_.system();
  if (status == Status::ok && system.has_projection()) {
    status = system.project(record_.time + h, next_, {});
  }
  for (const double value : next_) {
    if (!std::isfinite(value)) return worse(status, Status::recoverable);
  }
  return status;
}

StepStatus FixedStepIntegrator::fail(Status status, double h) {
  const std::string complaint = rhs_.complaint();
  record_.failure =
      "the step from t = " + number_text(record_.time) + " of " + number_text(h) + " s failed: ";
  if (!complaint.empty()) {
    record_.failure += complaint;
  } else {
    record_.failure += status == Status::fatal ? "the state cannot be computed"
                                               : "the method found no finite state";
  }
  return StepStatus::failed;
}

StepStatus FixedStepIntegrator::step(double t_limit) {
  if (settings_.max_steps > 0 && statistics_.steps >= settings_.max_steps) {
    record_.failure = "more than " + std::to_string(settings_.max_steps) + " steps were needed";
    return StepStatus::failed;
  }
  if (record_.reached(t_limit)) {
    record_.take_empty_step(t_limit);
    dense_.forget();
    return StepStatus::ok;
  }
  // A limit that is a rounding beyond the grid is no reason for a step of that length.
  const double grid = next_grid_time();
  double t_end = t_limit <= grid + kOnGrid * step_ ? t_limit : grid;
  Status status = advance(t_end - record_.time);
  for (int halving = 0; halving < 10 && status == Status::recoverable; ++halving) {
    ++statistics_.rejected_steps;
    t_end = record_.time + 0.5 * (t_end - record_.time);
    status = advance(t_end - record_.time);
  }
  if (status != Status::ok) return fail(status, t_end - record_.time);
  ++statistics_.steps;
  std::swap(record_.previous, record_.state);
  std::swap(record_.state, next_);
  record_.finish_step(t_end);
  dense_.advance();
  return StepStatus::ok;
}

void FixedStepIntegrator::interpolate(double t, std::span<double> x) {
  dense_.evaluate(rhs_, record_.previous_time, record_.previous, record_.time, record_.state, t,
                  whole_);
  std::copy_n(whole_.begin(), x.size(), x.begin());
}

/// Fixed steps have no estimate of their errors.
bool FixedStepIntegrator::integrate_powers(double t, std::span<double> work,
                                           std::span<double> error) {
  dense_.evaluate(rhs_, record_.previous_time, record_.previous, record_.time, record_.state, t,
                  whole_);
  for (std::size_t i = 0; i < work.size(); ++i) {
    work[i] = whole_[states_ + i] - record_.previous[states_ + i];
  }
  std::ranges::fill(error, 0.0);
  return true;
}

StepStatus FixedStepIntegrator::repeat_until(double t_end) {
  const StepRecord original = record_;
  record_.time = record_.previous_time;
  record_.state = record_.previous;
  const Status status = advance(t_end - record_.time);
  if (status != Status::ok) {
    record_ = original;
    return fail(status, t_end - record_.previous_time);
  }
  record_.state = next_;
  record_.finish_step(t_end);
  grid_index_ = std::floor((t_end - grid_origin_) / step_);
  dense_.forget();
  return StepStatus::ok;
}

}  // namespace

std::unique_ptr<Integrator> make_fixed_step_integrator(System& system,
                                                       const IntegratorSettings& settings,
                                                       const FixedStepMethod& method) {
  return std::make_unique<FixedStepIntegrator>(system, settings, method);
}

}  // namespace carom
