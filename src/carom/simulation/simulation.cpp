#include "carom/simulation/simulation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/base/cpu_time.h"
#include "carom/base/index.h"
#include "carom/base/patience.h"
#include "carom/base/text.h"
#include "carom/engine/study/equilibrium.h"
#include "carom/engine/study/tangent.h"

namespace carom {
namespace {

[[noreturn]] void refuse(const SourcePos& where, std::string message, std::string remedy) {
  Diagnostics diagnostics;
  diagnostics.error(where, std::move(message), std::move(remedy));
  throw InputError(std::move(diagnostics));
}

}  // namespace

Simulation::Simulation(std::shared_ptr<const Model> model, const ModelStart* start)
    : model_(std::move(model)),
      begin_(start),
      workspace_(model_, start),
      observer_(model_, start),
      system_(workspace_),
      rows_(*model_),
      t_(model_->scene.run.start),
      x_(start ? start->x : model_->initial),
      sample_(x_.size()),
      channels_(all_channels(*model_)) {
  if (model_->scene.initial.kind == InitialSpec::Kind::equilibrium) start_at_equilibrium();
  workspace_.modes.banks = takes_time_steps(*model_);  // events decide nothing then
  start_modes();
  choose_integrator();
  if (workspace_.modes.banks) stepper_.fill_banks(t_, x_);
  refresh_observer();
  energy_reference_ = calc_ledger(observer_, t_, x_, 0.0).total();
  evidence_.energy.begin(ledger());
  watch_energy(ledger());
  watch_start();
}

Simulation::~Simulation() = default;

void Simulation::start_modes() {
  stepper_.start(t_, x_);
  sample_.resize(x_.size());
  system_.refresh();
}

void Simulation::start_at_equilibrium() {
  apply_modes(workspace_);
  const EquilibriumResult found = find_equilibrium(workspace_, t_, x_);
  if (!found.found) {
    refuse(model_->scene.initial.where,
           "no equilibrium was found from the given start: " + found.reason,
           "start nearer to it, or add what holds the system");
  }
}

void Simulation::choose_integrator() {
  const RunSpec& run = model_->scene.run;
  method_ = run.integrator;
  if (method_ == "auto") {
    method_ = run.step > 0.0 ? method_of_given_step(*model_) : choose_method(workspace_, t_, x_);
  }
  make_integrator();
}

void Simulation::make_integrator() {
  const RunSpec& run = model_->scene.run;
  const double gone_over = workspace_.modes.fixed_step;
  if (may_go_over()) method_ = method_of_crowds(gone_over > 0.0);
  if (may_hand_over()) choose_side(gone_over > 0.0);
  const Method* method = find_method(method_);
  if (!method) {
    std::vector<std::string> names{"auto"};
    for (const Method* m : method_catalogue()) names.push_back(m->name);
    refuse(run.integrator_where, "'" + method_ + "' is not an integrator", suggest(method_, names));
  }
  if (!model_->constraints.empty() && !method->handles_projection) {
    refuse(run.integrator_where, "integrator '" + method_ + "' cannot hold closed loops",
           "use 'auto', or a method that `carom list integrators` marks with loops");
  }
  if (model_->contact.has_rigid && !takes_time_steps(*model_) && !(gone_over > 0.0) &&
      (!method->error_controlled || !method->handles_projection)) {
    refuse(run.integrator_where,
           "integrator '" + method_ + "' cannot locate the impacts of rigid contact",
           "use 'auto' without run.step, a method that controls its error and holds loops, or "
           "'time_stepping' with run.step");
  }
  if (method->error_controlled &&
      std::ranges::any_of(model_->contact.laws, &PairLaw::detects_per_step)) {
    refuse(
        run.integrator_where.line > 0 ? run.integrator_where : model_->scene.contact.where,
        "'triangles: {detection: step}' is of explicit methods with fixed steps; integrator '" +
            method_ + "' chooses its steps by what it finds within them",
        "write run: {integrator: rk4, step: …} or semi_implicit_euler, or leave 'detection' out");
  }
  IntegratorSettings settings;
  // Rigid contact has no kinks within a step: its modes change at events alone.
  const double tolerance =
      model_->contact.has_elastic() ? run.tolerance / method->kink_factor : run.tolerance;
  settings.rtol = settings.atol = tolerance;
  settings.max_step = run.max_step;
  settings.max_steps = run.max_steps;
  settings.goes_on = t_ > run.start;
  if (!model_->contact.empty()) settings.loose = 1e-6;
  if (run.step > 0.0) settings.fixed_step = run.step;
  if (gone_over > 0.0) settings.fixed_step = gone_over;
  stepper_.set_kind(
      {method->error_controlled, settings.fixed_step, method->implicit, method->order});
  observer_.step.explicit_step = workspace_.step.explicit_step;
  observer_.step.look_ahead = workspace_.step.look_ahead;
  use_velocity_steps(std::min(settings.fixed_step, settings.max_step));
  integrator_ = method->make(system_, settings);
  turn_limit_ = method->error_controlled ? TurnLimit(*model_) : TurnLimit();
  watch_ = make_work_watch();
  watch_.start(t_, work_done());
  piled_events_ = heaped_events_ = {instant_count_, t_}, piled_steps_ = {counts_before_.steps, t_};
  locator_ = std::make_unique<EventLocator>(system_, *integrator_);
}

void Simulation::restart() {
  do {
    stepper_.begin(t_, x_);
    sample_.resize(x_.size());
    // Scales are those of the state from which the method starts, whatever was before it.
    evaluate_kinematics(workspace_, t_, x_);
    system_.refresh();
    locator_->start(t_, x_);
    rows_.restart();
  } while (mend_overlooked());
  const double first = stepper_.first_step(t_);
  if (std::isfinite(first)) integrator_->suggest_step(first);
  peaks_.forget();
  observer_is_current_ = false;
  needs_start_ = has_changed_ = false;
}

/// Whether contacts began or ended that no event has announced; then the method must start anew.
bool Simulation::mend_overlooked() {
  EventOutcome outcome;
  const bool mended = stepper_.mend(t_, x_, locator_->functions(), outcome);
  report(outcome);
  return mended;
}

void Simulation::report(const EventOutcome& outcome) {
  double strongest = -kInf;
  for (const EngineEvent& event : outcome.events) {
    ++event_count_;
    if (!event.other.empty() && !(event.impulse < strongest)) {
      last_contact_ = "contact of '" + event.subject + "' and '" + event.other + "'";
      strongest = event.impulse;
    }
    stall_.note(event);
    if (report_) report_(event);
  }
  for (const Finding& finding : outcome.findings) add_finding(evidence_.findings, finding);
}

/// Whether nothing has sunk in unseen where the step, or its event, ends.
bool Simulation::ends_in_bearable_state(std::span<const int> crossed) {
  sunken_ = stepper_.unseen(locator_->time(), locator_->state(), locator_->end_functions(), crossed,
                            locator_->begin_functions());
  return sunken_.empty();
}

/// Goes through the events of a step that was just taken, up to one that interrupts it.
Simulation::StepEnd Simulation::find_step_end(int tries) {
  // A step of low order that follows the end of a contact errs by more than the surfaces are apart.
  // A few shorter ones tell; then the contact begins, which is harmless.
  constexpr int kMostDoubts = 12;
  held_.clear();
  while (const LocatedEvent* located = locator_->find_next()) {
    std::vector<int> functions;
    std::unique_ptr<bool[]> rising(new bool[located->crossings.size()]);
    bool interrupts = false;
    for (const EventCrossing& c : located->crossings) {
      rising[functions.size()] = c.direction > 0;
      functions.push_back(static_cast<int>(c.function));
      interrupts |= event_interrupts(workspace_, functions.back(), c.direction > 0);
    }
    if (!interrupts) {
      std::vector<double> at_event(x_.size());
      integrator_->interpolate(located->time, at_event);
      const std::span<const bool> directions(rising.get(), functions.size());
      EventOutcome outcome =
          handle_events(workspace_, located->time, at_event, functions, directions);
      held_.outcomes.emplace_back(std::move(outcome), std::move(at_event));
      continue;
    }
    // A step with a kink in it has a poor interpolant; one that was repeated to end there has not.
    const bool is_late = integrator_->interpolates_repeated_step();
    row_time_ = located->time;
    if (!is_late) {
      take_rows(row_time_);
      hold_samples(row_time_);
    }
    if (locator_->truncate() == StepStatus::failed) {
      sunken_.clear();
      return StepEnd::unbearable;
    }
    if (is_late) {
      row_time_ = locator_->time();
      take_rows(row_time_);
      hold_samples(row_time_);
    }
    // Whether the event begins a contact of surfaces that part.
    const bool is_doubtful =
        stepper_.is_doubtful(locator_->time(), locator_->state(), functions, locator_->time() - t_);
    if (tries < kMostDoubts && is_doubtful) return StepEnd::unbearable;
    return ends_in_bearable_state(functions) ? StepEnd::event : StepEnd::unbearable;
  }
  if (!ends_in_bearable_state({})) return StepEnd::unbearable;
  take_rows(locator_->time());
  return StepEnd::step;
}

/// Whether one step after the other ends short of where the same bodies pass into each other: their
/// contact has no beginning that could be found, and halves of halves lead nowhere.
bool Simulation::creeps(int tries) {
  constexpr int kMostSteps = 20;
  constexpr double kShort = 1e-9;
  if (locator_->time() - t_ > kShort * std::max(t_, kShort)) creeping_ = {};
  if (tries > 0 && !creeping_.pair.empty()) ++creeping_.steps;
  return creeping_.steps >= kMostSteps;
}

/// A step from (t_, x_); again and shorter where it would end with bodies in each other whose
/// contact has not begun.
Simulation::StepEnd Simulation::take_step(double t_limit) {
  constexpr int kMostTries = 30;
  const Patience patience(interrupt_, cpu_end_);
  StepStatus status = locator_->step(t_limit);
  for (int tries = 0; status == StepStatus::ok; ++tries) {
    // What the step may have brought together is watched before its events are sought.
    const double h = integrator_->time() - integrator_->previous_time();
    if (stepper_.end_step(integrator_->time(), integrator_->state(), h)) locator_->extend();
    if (stepper_.oversteps()) sunken_.clear();
    const StepEnd end = stepper_.oversteps() ? StepEnd::unbearable : find_step_end(tries);
    if (end != StepEnd::unbearable && !creeps(tries)) return end;
    if (tries == kMostTries && sunken_.empty()) break;
    if (tries == kMostTries || end != StepEnd::unbearable) {
      failure_ = "the contact of " + creeping_.pair +
                 " is not found: within the step from t = " + number_text(t_) +
                 " the bodies pass into each other; a smaller run.max_step or "
                 "a tighter run.tolerance may help; bodies that fit each other exactly have no "
                 "nearest point, another radius of one of them helps";
      return StepEnd::lost;
    }
    if (!sunken_.empty()) creeping_.pair = sunken_;
    status = locator_->step_back(t_, x_, t_ + 0.5 * (locator_->time() - t_));
  }
  failure_ = integrator_->failure() + describe_unsolved();
  return StepEnd::failed;
}

void Simulation::report_held() {
  const Powers begin = workspace_.modes.rows;
  if (!held_.outcomes.empty()) rows_.forget_evaluation();  // who is told may look around
  for (const auto& [outcome, state] : held_.outcomes) {
    event_state_ = state;
    if (!outcome.events.empty()) workspace_.modes.rows = rows_.at(outcome.events.front().time);
    report(outcome);
    event_state_ = {};
  }
  workspace_.modes.rows = begin;
  held_.outcomes.clear();
}

/// Carries out the event at which the step ends.
AdvanceStatus Simulation::handle_event() {
  std::vector<int> functions;
  std::unique_ptr<bool[]> rising(new bool[locator_->event().crossings.size()]);
  for (const EventCrossing& c : locator_->event().crossings) {
    rising[functions.size()] = c.direction > 0;
    functions.push_back(static_cast<int>(c.function));
  }
  ++instant_count_;
  pass_peaks(true);
  if (!emit_held(locator_->time())) return AdvanceStatus::interrupted;
  t_ = locator_->time();
  std::copy(locator_->state().begin(), locator_->state().end(), x_.begin());
  commit_velocity_step();
  tell_velocity_step({});
  evaluate(workspace_, t_, x_);
  workspace_.modes.rows = rows_.end(t_ - row_time_, workspace_.ledger.powers);
  if (before_events_) before_events_(t_, x_);
  const std::span<const bool> directions(rising.get(), functions.size());
  EventOutcome outcome;
  const bool happens = lets([&] { outcome = stepper_.handle(t_, x_, functions, directions); });
  if (!happens) return AdvanceStatus::interrupted;
  report(outcome);
  if (!outcome.failure.empty()) {
    failure_ = outcome.failure;
    if (outcome.may_step && hand_over(failure_)) return AdvanceStatus::reached;
    needs_start_ = true;
    return AdvanceStatus::failed;
  }
  restart();
  if (!outcome.stop) return AdvanceStatus::reached;
  return emit_samples(t_, true) ? AdvanceStatus::stopped : AdvanceStatus::interrupted;
}

/// Fixed steps are not cut at contacts: modes follow at their ends.
bool Simulation::switch_unlocated_contacts() {
  if (workspace_.modes.banks) return switch_velocity_contacts();
  EventOutcome outcome;
  if (!stepper_.switch_at_end(t_, x_, outcome)) return false;
  report(outcome);
  note_energy();
  restart();
  if (!shortens_steps()) watch_durations();
  return true;
}

/// The step has no event that interrupts it. False if the user does, or where the run cannot go on
/// from an instant.
bool Simulation::finish_step(double due) {
  commit_velocity_step();
  pass_peaks(locator_->time() >= due);
  if (!emit_samples(locator_->time(), true)) return false;
  t_ = locator_->time();
  std::copy(locator_->state().begin(), locator_->state().end(), x_.begin());
  workspace_.modes.rows = rows_.end();
  watch_constraints();
  if (t_ >= due) {
    tell_velocity_step({});
    if (before_events_) before_events_(t_, x_);
    EventOutcome outcome;
    if (!lets([&] { outcome = stepper_.handle_instant(t_, x_); })) return false;
    report(outcome);
    if (!outcome.failure.empty()) {
      failure_ = outcome.failure;
      if (outcome.may_step && hand_over(failure_)) return true;
      needs_start_ = true;
      return false;
    }
    restart();
  } else if (!switch_unlocated_contacts()) {
    if (locator_->accept()) {  // contacts press on other faces: powers jump
      rows_.restart();
      observer_is_current_ = false;
    }
    if (mend_overlooked()) restart();
  }
  return true;
}

AdvanceStatus Simulation::advance(double t_end) {
  const double cpu_start = thread_cpu_seconds();
  AdvanceStatus status = AdvanceStatus::reached;
  if (!may_go_on()) return AdvanceStatus::failed;
  failure_.clear();
  const bool has_changed = std::exchange(has_changed_, false);
  if (needs_start_) {
    if (workspace_.modes.banks) stepper_.expect(t_, x_, velocity_step_);
    restart();
  } else if (has_changed) {
    locator_->resume();
  }
  if (!emit_samples(t_, true)) status = AdvanceStatus::interrupted;
  while (t_ < t_end && status == AdvanceStatus::reached) {
    if (is_stopped_ || is_over()) {
      status = AdvanceStatus::interrupted;
      break;
    }
    if (goes_over(t_end) || hands_over(t_end) || hands_back()) continue;
    if (is_stalled(t_end) && (hand_over(failure_) || gives_up_control(failure_))) continue;
    if (!failure_.empty() || has_exploded()) {
      status = AdvanceStatus::failed;
      break;
    }
    const double due = next_time_event(workspace_, t_);
    system_.end_before(due);
    const double reach = t_ + std::min(turn_limit_.longest_step(x_), stepper_.longest_step());
    const StepEnd end = take_step(std::min({t_end, due, reach}));
    // A step that was being taken is worth nothing then (base/patience.h).
    const bool ended = is_over();
    const bool failed = end == StepEnd::failed || end == StepEnd::lost;
    if (!ended && failed && hand_over(failure_)) continue;
    if (!ended && end == StepEnd::failed && gives_up_control(failure_)) continue;
    if (ended || failed) {
      status = ended ? AdvanceStatus::interrupted : AdvanceStatus::failed;
      needs_start_ = true;
      break;
    }
    report_held();
    if (end == StepEnd::event) {
      status = handle_event();
    } else if (!finish_step(due)) {
      status = failure_.empty() ? AdvanceStatus::interrupted : AdvanceStatus::failed;
    }
    if (progress_) progress_(t_);
  }
  cpu_seconds_ += thread_cpu_seconds() - cpu_start;
  return status;
}

void Simulation::set_parameter(const std::string& path, double value) {
  double* parameter = find_parameter(*model_, workspace_.parameters, path);
  if (!parameter) {
    const std::vector<std::string> known = parameter_paths(*model_);
    refuse({}, "'" + path + "' is not a parameter that can change during a run",
           suggest(path, known));
  }
  if (std::isnan(value)) refuse({}, "'" + path + "' cannot be set to what is not a number", "");
  if (*parameter == value) return;
  const std::vector<std::int8_t> friction = workspace_.modes.friction;
  report(booked([&] {
    *parameter = value;
    return handle_parameter_change(workspace_, t_, x_);
  }));
  observer_is_current_ = false;
  // Where neither modes nor the state have changed, the method may go on from what it knows.
  const bool goes_on = friction == workspace_.modes.friction &&
                       std::ranges::equal(x_, integrator_->state()) && t_ == integrator_->time();
  (goes_on ? has_changed_ : needs_start_) = true;
}

}  // namespace carom
