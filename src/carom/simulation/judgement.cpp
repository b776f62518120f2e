// How a Simulation judges itself, and how one of fixed steps finds that it has exploded.
#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/engine/results/evidence.h"
#include "carom/engine/results/result_lines.h"
#include "carom/engine/study/fastest_vibration.h"
#include "carom/simulation/simulation.h"

namespace carom {
namespace {

/// An impact should take that many fixed steps: of a half sine sampled twenty times the impulse is
/// right to a few thousandths, and explicit methods are far from their border of stability.
constexpr double kStepsPerContact = 20.0;
/// A law of Hertz stops a body in 2.94 times depth over speed, a linear one in 3.14 times.
constexpr double kDurations = 2.9;

}  // namespace

/// What bodies gain in a fall by their own size, or have at 1 cm/s.
double Simulation::usual_energy() const {
  constexpr double kCreep = 0.01;
  const double gravity = norm(workspace_.parameters.gravity.uniform);
  double sum = 0.0;
  for (std::size_t i = 1; i < model_->tree.links.size(); ++i) {
    sum += model_->tree.links[i].inertia.m * (kCreep * kCreep + gravity * model_->link_size[i]);
  }
  return sum;
}

/// An energy that is next to nothing for these bodies.
double Simulation::least_energy() const {
  constexpr double kShare = 1e-3;
  return kShare * usual_energy();
}

void Simulation::watch_start() {
  const double much = std::max(ledger().kinetic, usual_energy());
  evaluate(workspace_, t_, x_);
  for (const Finding& finding : start_findings(workspace_, much)) {
    add_finding(evidence_.findings, finding);
  }
}

Verdict Simulation::verdict() {
  watch_energy(ledger());
  evaluate_kinematics(workspace_, t_, x_);
  for (const Finding& finding : lasting_findings(workspace_))
    add_finding(evidence_.findings, finding);
  watch_velocity_steps();
  const bool is_controlled = workspace_.step.locates_events;
  return judge(evidence_.energy, is_controlled ? model_->scene.run.tolerance : 0.0, least_energy(),
               evidence_.findings);
}

double Simulation::fixed_step() const {
  if (workspace_.modes.fixed_step > 0.0) return workspace_.modes.fixed_step;
  const double set = model_->scene.run.step;
  return set > 0.0 ? set : IntegratorSettings{}.fixed_step;
}

/// Contacts that have begun in a fixed step, and will be over in a few.
void Simulation::watch_durations() {
  const double step = fixed_step();
  for (const Impact& impact : list_impacts(workspace_, t_)) {
    const double duration = kDurations * impact.depth / impact.speed;
    if (!(duration < kStepsPerContact * step)) continue;
    const std::string subject = "contact of '" + impact.first + "' and '" + impact.second + "'";
    const double needed = duration / kStepsPerContact;
    add_finding(evidence_.findings,
                {"contact_duration", subject, duration, kStepsPerContact * step, Grade::doubtful,
                 subject + ": an impact of " + rounded_text(impact.speed) +
                     " m/s at t = " + rounded_text(t_) + " s lasts about " +
                     rounded_text(duration) + " s, less than 20 steps of " + rounded_text(step) +
                     " s; it needs a step of " + rounded_text(needed) + " s"});
  }
}

/// Besides samples, which may be far apart.
void Simulation::note_energy() {
  evidence_.energy.note(ledger(), workspace_.modes.work + workspace_.modes.rows.model,
                        workspace_.step.look_ahead > 0.0);
}

/// The fixed step that the shortest impact so far needs [s]; infinite: there was none as short.
double Simulation::needed_step() const {
  double needed = kInf;
  for (const Finding& finding : evidence_.findings) {
    if (finding.name == "contact_duration") {
      needed = std::min(needed, finding.value / kStepsPerContact);
    }
  }
  return needed;
}

/// Why an implicit fixed step has no solution, where contacts hold: they are too stiff for it.
std::string Simulation::describe_unsolved() {
  const bool has_steps_of_velocities = system_.velocity_step() != nullptr;  // they tell themselves
  if (workspace_.step.locates_events || has_steps_of_velocities || model_->contact.empty()) {
    return {};
  }
  const FastestVibration contact = find_fastest_vibration(workspace_, t_, x_);
  std::string subject = last_contact_;
  if (!contact.name.empty()) subject = "contact of " + contact.name;
  if (subject.empty()) return {};
  const double half = 0.5 * contact.period;
  const double needed =
      contact.name.empty() ? needed_step() : std::min(needed_step(), half / kStepsPerContact);
  const std::string text = "; the fixed step is too long for the " + subject;
  return std::isfinite(needed) ? text + ", it needs one of " + rounded_text(needed) + " s" : text;
}

/// Fixed steps that are too long for a contact throw bodies out of it with energy that nothing
/// accounts for. Such a run is worth nothing from there on.
bool Simulation::has_exploded() {
  constexpr std::int64_t kBetweenLooks = 50;
  if (workspace_.step.locates_events || model_->contact.empty()) return false;
  if (integrator_->statistics().steps % kBetweenLooks == 0) {
    note_energy();
    shortens_steps();
  }
  const double of = std::max(evidence_.energy.turned_over(), least_energy());
  if (evidence_.energy.gain <= of) return false;
  const double needed = needed_step();
  failure_ = "energy from nothing at t = " + number_text(t_) + ": ";
  if (!last_contact_.empty()) failure_ += last_contact_ + " gave ";
  failure_ += rounded_text(evidence_.energy.gain) + " J beside the " + rounded_text(of) +
              " J that were turned over; the fixed step is too long for it";
  if (std::isfinite(needed)) failure_ += ", it needs one of " + rounded_text(needed) + " s";
  return true;
}

}  // namespace carom
