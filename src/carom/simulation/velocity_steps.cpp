// Steps that solve for velocities in a run: which scenes take them, and what happens between two of
// them.
#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/engine/results/result_lines.h"
#include "carom/simulation/run_settings.h"
#include "carom/simulation/simulation.h"

namespace carom {
namespace {

constexpr const char* kMethod = "implicit_contact";
constexpr const char* kImpulses = "time_stepping";
/// More steps than this in which the solver or the bank did not do what they should are told.
constexpr double kMostAmiss = 0.01;

}  // namespace

std::string method_of_given_step(const Model& model) {
  if (model.contact.has_rigid) return kImpulses;
  const bool touches = !model.contact.empty();
  return touches && find_step_obstacle(model, VelocityStepKind::implicit).empty() ? kMethod : "rk4";
}

bool takes_time_steps(const Model& model) {
  const RunSpec& run = model.scene.run;
  const bool asks = run.integrator == kImpulses || (run.integrator == "auto" && run.step > 0.0);
  return asks && model.contact.has_rigid;
}

/// A scene without contacts that such steps cannot take is integrated by semi-implicit Euler, and
/// so is one in which nothing can touch by time steps.
void Simulation::use_velocity_steps(double step) {
  velocity_step_ = step;
  VelocityStepKind kind = VelocityStepKind::none;
  if (method_ == kMethod) kind = VelocityStepKind::implicit;
  if (method_ == kImpulses && !model_->contact.empty()) kind = VelocityStepKind::impulses;
  const StepObstacle obstacle = find_step_obstacle(*model_, kind);
  if (!obstacle.empty()) {
    if (!model_->contact.empty()) {
      Diagnostics diagnostics;
      diagnostics.error(model_->scene.run.integrator_where, obstacle.what, obstacle.remedy);
      throw InputError(std::move(diagnostics));
    }
    kind = VelocityStepKind::none;
  }
  const bool use = kind != VelocityStepKind::none;
  system_.use_steps(kind);
  workspace_.modes.banks = use;
  workspace_.step.grid_step = kind == VelocityStepKind::implicit ? step : 0.0;
  if (!use) return;
  workspace_.step.explicit_step = observer_.step.explicit_step = workspace_.step.kick_step = 0.0;
  workspace_.step.look_ahead = observer_.step.look_ahead = 0.0;
}

bool Simulation::switch_velocity_contacts() {
  EventOutcome outcome;
  bool changed = stepper_.switch_banked(t_, x_, outcome);
  watch_unresolved(outcome.events);
  if (!outcome.failure.empty()) failure_ = outcome.failure;
  tell_velocity_step(std::move(outcome));
  changed |= stepper_.expect(t_, x_, velocity_step_);
  if (changed) restart();
  return changed;
}

void Simulation::commit_velocity_step() {
  if (!workspace_.modes.banks) return;
  system_.commit_step(step_events_);
  observer_is_current_ = false;
}

/// What has happened in the step, in the order of time: contacts that it has brought together have
/// the time of its beginning, those that it has ended and joints that stick that of its end, and
/// come as they are found.
void Simulation::tell_velocity_step(EventOutcome outcome) {
  outcome.events.insert(outcome.events.begin(), step_events_.begin(), step_events_.end());
  step_events_.clear();
  std::ranges::stable_sort(outcome.events, {}, &EngineEvent::time);
  report(outcome);
}

/// An impact that is over within a few steps comes back with less than its restitution.
void Simulation::watch_unresolved(std::span<const EngineEvent> events) {
  constexpr double kDurationOfDepth = 2.94, kStepsPerImpact = 6.0;
  for (const EngineEvent& e : events) {
    if (e.kind != "contact_begin") continue;
    for (const Impact& impact : list_impacts(workspace_, e.time)) {
      if (!(impact.speed == e.value && impact.restitution > 0.0)) continue;
      const double duration = kDurationOfDepth * impact.depth / impact.speed;
      const double least = kStepsPerImpact * velocity_step_;
      if (!(duration < least)) continue;
      add_finding(evidence_.findings,
                  {"restitution", "", duration, least, Grade::sound,
                   "restitution: '" + e.subject + "' and '" + e.other + "' meet with " +
                       rounded_text(e.value) + " m/s for about " + rounded_text(duration) +
                       " s, less than six steps: such blows come back with less than the " +
                       "restitution that is set; shorter steps, or error control, keep it"});
      return;
    }
  }
}

/// Steps in which the solver or the bank did not do what they should make a run doubtful.
void Simulation::watch_velocity_steps() {
  if (!workspace_.modes.banks) return;
  constexpr double kFromNothing = 1e-6;
  const double gained = -workspace_.modes.step_loss;
  const double turned = std::max(evidence_.energy.turned_over(), least_energy());
  if (gained > kFromNothing * turned) {
    add_finding(evidence_.findings, {"step_gain", "", gained, kFromNothing * turned, Grade::broken,
                                     method_ + ": steps have made " + rounded_text(gained) +
                                         " J from nothing; please report the scene"});
  }
  const RunStatistics s = statistics();
  const auto steps = static_cast<double>(s.counts.steps);
  const auto tell = [&](const char* name, std::int64_t count, const std::string& what) {
    const auto n = static_cast<double>(count);
    if (!(n > kMostAmiss * steps)) return;
    add_finding(evidence_.findings, {name, "", n, kMostAmiss * steps, Grade::doubtful,
                                     method_ + ": " + what + " in " + number_text(n) + " of " +
                                         number_text(steps) + " steps; take them shorter"});
  };
  tell("unconverged_steps", s.counts.unconverged_steps, "velocities did not converge");
  tell("bank_actions", s.counts.bank_actions,
       "contacts were kept from giving more energy than they took");
}

}  // namespace carom
