// `auto` goes over to fixed steps where a crowd of contacts would keep error control busy for ever.
#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/engine/fastest_vibration.h"
#include "carom/simulation/simulation.h"

namespace carom {
namespace {

/// Its steps take one evaluation, and its energy error stays bounded.
constexpr const char* kFixed = "semi_implicit_euler";

}  // namespace

bool Simulation::may_go_over() const {
  const RunSpec& run = model_->scene.run;
  return run.integrator == "auto" && !(run.step > 0.0) && model_->contact.has_elastic() &&
         !model_->contact.has_rigid;
}

/// What `auto` stands for, before and after.
const char* Simulation::method_of_crowds(bool gone_over) const {
  if (gone_over) return kFixed;
  return method_ == kFixed ? "switching" : method_.c_str();
}

WorkWatch::Work Simulation::work_done() const {
  return {counts_before_.rhs_evaluations + integrator_->statistics().rhs_evaluations, event_count_};
}

/// The longest fixed step that the contacts of this moment bear: one that is pressed together at
/// the start vibrates faster than any impact that was seen.
double Simulation::bearable_step() {
  const FastestVibration fastest = find_fastest_vibration(workspace_, t_, x_);
  const double half = fastest.name.empty() ? kInf : 0.5 * fastest.period;
  return std::min(workspace_.modes.shortest_contact, half) / WorkWatch::kStepsPerContact;
}

/// A step that `auto` has chosen is not the user's: where a contact turns out to be too fast for
/// it, it gets shorter instead of making energy.
bool Simulation::shortens_steps() {
  constexpr double kTooLong = 1.25;
  double& step = workspace_.modes.fixed_step;
  if (!(step > 0.0) || workspace_.modes.banks) return false;
  const double bearable = bearable_step();
  if (!(step > kTooLong * bearable)) return false;
  step = bearable;
  counts_before_ += integrator_->statistics();
  make_integrator();
  restart();
  return true;
}

bool Simulation::goes_over(double t_end) {
  if (!may_go_over() || workspace_.modes.fixed_step > 0.0) return false;
  const double end = std::max(t_end, model_->scene.run.until);
  const std::optional<double> step =
      watch_.step_instead(t_, end, work_done(), workspace_.modes.shortest_contact);
  if (!step) return false;
  const double projected = watch_.projected();
  const double taken = std::min(*step, bearable_step());
  if (projected < WorkWatch::kLeastGain * (end - t_) / taken) return false;
  workspace_.modes.fixed_step = taken;
  counts_before_ += integrator_->statistics();
  make_integrator();
  EngineEvent event;
  event.time = t_, event.kind = "method", event.subject = method_, event.value = taken;
  EventOutcome outcome;
  outcome.events.push_back(std::move(event));
  outcome.findings.push_back(
      {"method", method_, taken, 0.0, Grade::sound,
       "method: 'auto' went over to " + method_ + " at t = " + number_text(t_) +
           " s with steps of " + number_text(taken) +
           " s, a twenty-fifth of the shortest contact so far; error control would " +
           "have taken about " + number_text(std::round(projected)) +
           " more evaluations, fixed steps take " + number_text(std::ceil((end - t_) / taken)) +
           ". Errors are no longer controlled; give run.integrator, and run.step, to choose "
           "yourself"});
  report(outcome);
  restart();
  return true;
}

}  // namespace carom
