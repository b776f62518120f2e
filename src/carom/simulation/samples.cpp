// What is recorded of a Simulation. Samples are evaluated in a workspace of their own, the
// observer, so that recording cannot change what the integrator sees.
#include <algorithm>
#include <cmath>

#include "carom/engine/results/loads.h"
#include "carom/engine/results/result_lines.h"
#include "carom/engine/study/tangent.h"
#include "carom/simulation/simulation.h"

namespace carom {
namespace {

/// Samples between two reports of progress: a fine grid has millions in one step.
constexpr std::int64_t kBetweenReports = 64;

}  // namespace

void Simulation::on_sample(double interval, Sample sample) {
  on_sample_ = std::move(sample);
  samples_.interval = interval;
  samples_.origin = t_;
  samples_.index = 0;
  samples_.next = t_;
}

/// Brings the observer's modes and parameters up to date, if they have changed.
void Simulation::refresh_observer() {
  observer_.modes.rows = workspace_.modes.rows;
  if (observer_is_current_ && follow_contacts(workspace_, observer_)) return;
  observer_is_current_ = true;
  follow_modes(workspace_, observer_);
}

/// What a step may add to the error of a row: a tenth of the tolerance of the energy in play. Fixed
/// steps have no tolerance; their rows are to be much better than the motion can be.
double Simulation::allowed_row_error() const {
  constexpr double kShare = 0.1, kOfFixedSteps = 1e-6;
  double energy = system_.power_scale();
  for (const double row : workspace_.modes.rows.values()) {
    energy = std::max(energy, std::abs(row));
  }
  const bool is_controlled = workspace_.step.locates_events;
  return energy * (is_controlled ? kShare * model_->scene.run.tolerance : kOfFixedSteps);
}

/// The rows of the ledger over the last step up to `until`, with the modes of that step.
void Simulation::take_rows(double until) {
  // Steps by velocities bring their works with them: nothing is evaluated, and nothing is allowed.
  const bool brings_work = workspace_.modes.banks;
  if (!brings_work) refresh_observer();
  observer_.modes.rows = workspace_.modes.rows;
  const double allowed = brings_work ? 0.0 : allowed_row_error();
  rows_.take(*integrator_, observer_, until, allowed, system_.before_jump(until));
}

void Simulation::watch_energy(const Ledger& l) {
  // Force elements say themselves where they are no gradient.
  evidence_.energy.note(l, workspace_.modes.work + workspace_.modes.rows.model,
                        workspace_.step.look_ahead > 0.0);
  watch_scale(l);
}

void Simulation::watch_scale(const Ledger& l) {
  largest_residual_ = std::max(largest_residual_, std::abs(l.residual));
  // What was turned over: potential energy counts by its change, as its zero is arbitrary.
  const double turned = l.kinetic + std::abs(l.elastic) + std::abs(l.dissipated_friction) +
                        std::abs(l.dissipated_damping) + std::abs(l.dissipated_step) +
                        std::abs(l.drive_work);
  energy_scale_ = std::max(energy_scale_, turned);
}

void Simulation::watch_constraints() {
  if (model_->constraints.empty()) return;
  refresh_observer();
  evaluate_kinematics(observer_, t_, x_);
  constraint_error_ =
      std::max(constraint_error_, position_error(model_->tree, model_->constraints, observer_.q,
                                                 observer_.tree, observer_.constraints));
}

void Simulation::emit_sample(double t, std::span<const double> x) {
  refresh_observer();
  std::copy(x.begin(), x.end(), sample_.begin());
  // Interpolants leave the constraints; what is recorded lies on them (N12).
  constraint_error_ = std::max(constraint_error_, project(observer_, t, sample_, kToRounding, 6));
  samples_.last = t;
  Ledger l = calc_ledger(observer_, t, sample_, energy_reference_);
  // Between the ends of an implicit step there is no motion whose balance could be judged.
  if (workspace_.modes.banks && t != t_ && t != integrator_->time()) l.residual = 0.0;
  watch_energy(l);
  if (on_sample_) on_sample_(t, sample_);
}

void Simulation::stand_at_last_sample() {
  t_ = samples_.last;
  x_ = sample_;
  needs_start_ = true;
}

/// False if it was interrupted: then the simulation stands at the last sample. A fine grid has
/// millions of samples in one step.
bool Simulation::emit_samples(double until, bool inclusive) {
  if (!(samples_.interval > 0.0)) return true;
  std::vector<double>& at = sample_;
  // Forces of implicit steps are those of the step in which a row lies: one that is meant for the
  // end of a step is not to fall into the next by rounding.
  constexpr double kRounding = 1e-6;  // of a step
  const double late = workspace_.step.grid_step * kRounding;
  while (samples_.next < until || (inclusive && samples_.next <= until + late)) {
    if (samples_.next >= integrator_->previous_time() && samples_.next <= integrator_->time() &&
        samples_.next > t_) {
      integrator_->interpolate(samples_.next, at);
      const std::vector<double> state(at.begin(), at.end());
      workspace_.modes.rows = rows_.at(samples_.next);
      emit_sample(samples_.next, state);
    } else if (samples_.next > integrator_->time() && integrator_->time() > t_) {
      const std::span<const double> end = integrator_->state();
      const std::vector<double> state(end.begin(),
                                      end.begin() + static_cast<std::ptrdiff_t>(at.size()));
      workspace_.modes.rows = rows_.end();
      emit_sample(samples_.next, state);
    } else {
      emit_sample(samples_.next, x_);
    }
    ++samples_.index;
    samples_.next = samples_.origin + static_cast<double>(samples_.index) * samples_.interval;
    if (progress_ && samples_.index % kBetweenReports == 0) progress_(samples_.last);
    if (!interrupt_ || !*interrupt_) continue;
    stand_at_last_sample();
    return false;
  }
  return true;
}

/// Samples up to an event are taken before the step is cut there, and recorded once it is accepted.
void Simulation::hold_samples(double until) {
  if (!(samples_.interval > 0.0)) return;
  std::int64_t index = samples_.index;
  for (double next = samples_.next; next < until;) {
    if (interrupt_ && *interrupt_) return;
    std::vector<double> state(x_.begin(), x_.end());
    if (next >= integrator_->previous_time() && next > t_) integrator_->interpolate(next, state);
    held_.samples.emplace_back(next, std::move(state));
    held_.rows.push_back(next > t_ ? rows_.at(next) : workspace_.modes.rows);
    next = samples_.origin + static_cast<double>(++index) * samples_.interval;
  }
}

/// False if it was interrupted, as emit_samples.
bool Simulation::emit_held(double until) {
  for (std::size_t i = 0; i < held_.samples.size(); ++i) {
    const auto& [t, x] = held_.samples[i];
    if (t >= until) break;
    workspace_.modes.rows = held_.rows[i];
    emit_sample(t, x);
    ++samples_.index;
    samples_.next = samples_.origin + static_cast<double>(samples_.index) * samples_.interval;
    if (interrupt_ && *interrupt_) break;
  }
  held_.samples.clear();
  held_.rows.clear();
  if (!interrupt_ || !*interrupt_ || !(samples_.next < until)) return true;
  stand_at_last_sample();
  return false;
}

/// Forces of the accepted step, before its samples are told.
void Simulation::pass_peaks(bool ends_piece) {
  // Steps that solve for velocities note what contacts bear, and know it where they end.
  const bool is_stepped = workspace_.modes.banks;
  if (is_stepped && !peaks_.has_quantities()) return;
  refresh_observer();
  const bool is_cut = locator_->time() != integrator_->time() || ends_piece;
  const bool at_ends =
      workspace_.step.kick_step > 0.0 || is_stepped || workspace_.step.keeps_patches;
  const bool is_dense = !at_ends && (!is_cut || integrator_->interpolates_repeated_step());
  // The rows have just been taken there, of the same state unless it is projected.
  const bool is_known =
      is_dense && !system_.has_projection() && rows_.evaluated_at() == locator_->time();
  peaks_.pass({observer_, workspace_.modes, *integrator_, locator_->time(), ends_piece,
               energy_reference_, is_dense, at_ends, is_stepped, is_known, locator_->state()});
  rows_.forget_evaluation();
}

void Simulation::sample_now() {
  if (samples_.last < t_) emit_sample(t_, x_);
}

Ledger Simulation::ledger() {
  refresh_observer();
  return calc_ledger(observer_, t_, x_, energy_reference_);
}

RunStatistics Simulation::statistics() const {
  RunStatistics s;
  s.integrator = method_;
  s.counts = counts_before_;
  s.counts += integrator_->statistics();
  s.events = event_count_;
  s.cpu_seconds = cpu_seconds_;
  const double simulated = t_ - model_->scene.run.start;
  s.real_time_factor = cpu_seconds_ > 0.0 ? simulated / cpu_seconds_ : 0.0;
  s.surface_tests = workspace_.contacts.surface_tests;
  s.mesh_detections = count_detections(workspace_) + count_detections(observer_);
  s.surface_skips = workspace_.contacts.surface_skips;
  s.redundant_constraints = workspace_.constraints.redundant;
  s.constraint_error = constraint_error_;
  s.frozen = count_frozen(workspace_.modes);
  s.held_steps = count_held_steps(workspace_, t_, x_);
  return s;
}

}  // namespace carom
