// A simulation taken to a value, and made from one.
#include <cmath>

#include "carom/base/archive.h"
#include "carom/simulation/fingerprint.h"
#include "carom/simulation/run_settings.h"
#include "carom/simulation/simulation.h"

namespace carom {
namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& remedy = {}) {
  Diagnostics diagnostics;
  diagnostics.error({}, message, remedy);
  throw InputError(std::move(diagnostics));
}

/// Run settings do not matter to a state: it may go on with another tolerance or method.
std::uint64_t state_fingerprint(Scene scene) {
  scene.run = {};
  return std::stoull(scene_fingerprint(scene).substr(0, 16), nullptr, 16);
}

/// Whether a run could have counted so far, and can count on.
bool are_counts(const IntegratorStatistics& counts) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  const auto& [steps, rejected, evaluations, jacobians, restarts, newton, linear, unconverged,
               bank] = counts;
  for (const std::int64_t n :
       {steps, rejected, evaluations, jacobians, restarts, newton, linear, unconverged, bank}) {
    if (n < 0 || n > kMost) return false;
  }
  return true;
}

/// What a scene's run could never have come to. Whoever alters a file with its digest can still
/// give wrong numbers, but no endless loop and no method that this run could not have.
std::string checkpoint_problem(const Model& model, const Checkpoint& c) {
  const RunSpec& run = model.scene.run;
  if (!(c.state.time >= run.start && c.state.time <= run.until))
    return "its time is not of this run";
  const SampleClock& s = c.samples;
  const double at_index = s.origin + static_cast<double>(s.index) * s.interval;
  const double largest = std::max(std::abs(run.start), std::abs(run.until));
  const bool sampled = s.interval > 0.0;
  // One interval beyond the end at most, and no further back than the present.
  if (!std::isfinite(s.interval) || s.interval < 0.0 || s.origin != run.start || s.index < 0 ||
      std::isnan(s.last) ||
      (sampled && (!(s.next == at_index) || s.interval < 1e-15 * largest ||
                   s.next < c.state.time - 1e-9 * (run.until - run.start) - s.interval))) {
    return "its samples are not of this run";
  }
  const Method* method = find_method(c.method);
  const bool chosen =
      run.integrator == "auto"
          ? method && (run.step > 0.0 ? c.method == method_of_given_step(model)
                                      : method->error_controlled || c.state.modes.fixed_step > 0.0)
          : c.method == run.integrator;
  // No run goes over to steps so short that it would not end.
  constexpr double kMostSteps = 1e10;
  const double step = c.state.modes.fixed_step;
  const bool has_step = std::isfinite(step) && step >= 0.0;
  if (!chosen || !has_step || (step > 0.0 && (run.until - run.start) / step > kMostSteps)) {
    return "its method is not of this run";
  }
  if (!std::isfinite(c.cpu_seconds) || std::isnan(c.largest_residual) ||
      std::isnan(c.energy_scale) || std::isnan(c.constraint_error)) {
    return "it holds what is not a number";
  }
  if (!are_counts(c.counts)) return "its counts are not of a run";
  return {};
}

}  // namespace

Simulation::Simulation(std::shared_ptr<const Model> model, const Checkpoint& from)
    : model_(std::move(model)),
      workspace_(model_),
      observer_(model_),
      system_(workspace_),
      rows_(*model_),
      method_(from.method),
      channels_(all_channels(*model_)),
      samples_(from.samples),
      largest_residual_(from.largest_residual),
      energy_scale_(from.energy_scale),
      constraint_error_(from.constraint_error),
      event_count_(from.event_count),
      counts_before_(from.counts),
      cpu_seconds_(from.cpu_seconds) {
  std::string problem = state_problem(*model_, from.state);
  if (problem.empty()) problem = checkpoint_problem(*model_, from);
  if (!problem.empty()) refuse("the checkpoint cannot be resumed: " + problem);
  adopt(from.state);
}

RunState Simulation::present() const {
  if (fingerprint_ == 0) fingerprint_ = state_fingerprint(model_->scene);
  return {fingerprint_,      t_,       x_, workspace_.parameters, workspace_.modes,
          energy_reference_, evidence_};
}

/// Nothing of what was before is left, so that it does not matter who adopts a state.
void Simulation::adopt(const RunState& state) {
  t_ = state.time;
  x_ = state.x;
  sample_.resize(x_.size());
  energy_reference_ = state.energy_reference;
  evidence_ = state.evidence;
  workspace_.forget();
  workspace_.parameters = state.parameters;
  workspace_.modes = state.modes;
  apply_modes(workspace_);
  system_.refresh();
  if (integrator_) counts_before_ += integrator_->statistics();
  make_integrator();
  stepper_.resume(t_, x_);
  stall_ = {};
  creeping_ = {};
  calm_ = {.since = t_};
  failure_.clear();
  needs_look_ = false;
  needs_start_ = true;
  observer_is_current_ = false;
  refresh_observer();
}

RunState Simulation::save() {
  RunState state = present();
  adopt(state);
  return state;
}

void Simulation::restore(const RunState& state) {
  std::string problem = state_problem(*model_, state);
  if (problem.empty() && state.scene != 0 && state.scene != present().scene) {
    problem = "it is of another scene";
  }
  if (!problem.empty()) {
    refuse("the state cannot be restored: " + problem,
           "restore states of the same scene; run settings may differ");
  }
  adopt(state);
  place_sample_clock();
  largest_residual_ = energy_scale_ = constraint_error_ = 0.0;
  watch_scale(ledger());
}

void Simulation::reset() {
  if (!start_) start_ = Simulation(model_, begin_).present();
  restore(*start_);
}

/// The grid of samples is the run's own; where on it the next one lies follows from the time.
void Simulation::place_sample_clock() {
  samples_.last = -kInf;
  if (!(samples_.interval > 0.0)) return;
  const auto time_of = [&](std::int64_t index) {
    return samples_.origin + static_cast<double>(index) * samples_.interval;
  };
  samples_.index = std::llround((t_ - samples_.origin) / samples_.interval) - 1;
  while (time_of(samples_.index) < t_) ++samples_.index;
  samples_.next = time_of(samples_.index);
}

Checkpoint Simulation::checkpoint() {
  Checkpoint c;
  c.scene = scene_fingerprint(model_->scene);
  c.method = method_;
  c.state = save();
  c.samples = samples_;
  c.largest_residual = largest_residual_;
  c.energy_scale = energy_scale_, c.constraint_error = constraint_error_;
  c.event_count = event_count_, c.counts = statistics().counts;
  c.cpu_seconds = cpu_seconds_;
  return c;
}

}  // namespace carom
