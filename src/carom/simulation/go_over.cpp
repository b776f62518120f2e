// `auto` goes over to fixed steps where contacts would keep error control busy for ever: a crowd of
// them, or one that error control gets stuck in.
#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/engine/study/fastest_vibration.h"
#include "carom/simulation/simulation.h"

namespace carom {
namespace {

/// Its steps take one evaluation, and its energy error stays bounded.
constexpr const char* kCrowdEuler = "semi_implicit_euler";
/// Its steps need not resolve a contact.
constexpr const char* kCrowdSteps = "implicit_contact";
/// Evaluations that an implicit step takes the time of, with all that a run does beside them:
/// 7 to 30 in six heaps with friction, 18 in the middle.
constexpr double kStepCost = 20.0;
/// Way over size in an implicit step, and its longest length [s].
constexpr double kTravel = 0.2, kLongest = 5e-3;

/// As long as no body goes farther than a share of its size, at the speed that it has and at that
/// of a fall by its size.
double travel_step(const Model& model, const Workspace* w) {
  const double gravity = norm(model.scene.gravity.uniform);
  double step = kLongest;
  for (std::size_t i = 1; i < model.tree.links.size(); ++i) {
    const double size = model.link_size[i];
    double speed = std::sqrt(2.0 * gravity * size);
    if (w) speed = std::max(speed, norm(w->tree.links[i].V.v));
    if (speed > 0.0) step = std::min(step, kTravel * size / speed);
  }
  return step;
}

std::string crowd_text(const std::string& method, double t, double step, const std::string& why) {
  const char* rule = method == kCrowdEuler
                         ? "a twenty-fifth of the shortest contact so far"
                         : "in which no body goes farther than a fifth of its size";
  return "method: 'auto' went over to " + method + " at t = " + rounded_text(t) +
         " s with steps of " + rounded_text(step) + " s, " + rule + "; " + why +
         ". The tolerance is not kept from there on; give run.integrator, and run.step, to choose "
         "yourself";
}

}  // namespace

bool Simulation::may_go_over() const {
  const RunSpec& run = model_->scene.run;
  return run.integrator == "auto" && !(run.step > 0.0) && model_->contact.has_elastic() &&
         !model_->contact.has_rigid;
}

/// What `auto` stands for, before and after.
const char* Simulation::method_of_crowds(bool gone_over) const {
  if (gone_over) return workspace_.modes.banks ? kCrowdSteps : kCrowdEuler;
  return method_ == kCrowdEuler || method_ == kCrowdSteps ? "switching" : method_.c_str();
}

WorkWatch::Work Simulation::work_done() const {
  const std::int64_t now = integrator_ ? integrator_->statistics().rhs_evaluations : 0;
  // What rigid events cost is in the weight of their evaluations.
  return {counts_before_.rhs_evaluations + now, model_->contact.has_rigid ? 0 : event_count_};
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
  const bool may_be_implicit = find_step_obstacle(*model_, VelocityStepKind::implicit).empty();
  // The contact whose explicit steps would take as long as implicit ones.
  const double equal = may_be_implicit
                           ? WorkWatch::kStepsPerContact * travel_step(*model_, nullptr) / kStepCost
                           : 0.0;
  const double shortest = workspace_.modes.shortest_contact;
  if (!watch_.step_instead(t_, end, work_done(),
                           std::isfinite(shortest) ? std::max(shortest, equal) : shortest)) {
    return false;
  }
  const double projected = watch_.projected();
  const double shortest_step = bearable_step(), longest_step = travel_step(*model_, &workspace_);
  const bool is_implicit = may_be_implicit && longest_step > kStepCost * shortest_step;
  const double taken = is_implicit ? longest_step : shortest_step;
  const double steps = (is_implicit ? kStepCost : 1.0) * (end - t_) / taken;
  if (projected < WorkWatch::kLeastGain * steps) return false;
  go_over(taken, is_implicit,
          "error control would have taken about " + rounded_text(std::round(projected)) +
              " more evaluations, such steps are " + rounded_text(std::ceil((end - t_) / taken)));
  return true;
}

/// Error control that no longer gets anywhere is given up where contacts press: implicit steps go
/// over what holds it up.
bool Simulation::gives_up_control(const std::string& why) {
  if (!may_go_over() || workspace_.modes.fixed_step > 0.0) return false;
  if (!find_step_obstacle(*model_, VelocityStepKind::implicit).empty()) return false;
  const std::int64_t most = model_->scene.run.max_steps;
  if (most > 0 && integrator_->statistics().steps >= most) return false;  // who set it wants an end
  if (find_fastest_vibration(workspace_, t_, x_).name.empty()) return false;
  const std::string reason = "with error control " + why;
  failure_.clear();
  go_over(travel_step(*model_, &workspace_), true, reason);
  return true;
}

void Simulation::go_over(double step, bool is_implicit, const std::string& why) {
  const Ledger before = calc_ledger(workspace_, t_, x_, energy_reference_);
  workspace_.modes.fixed_step = step, workspace_.modes.banks = is_implicit;
  counts_before_ += integrator_->statistics();
  make_integrator();
  if (is_implicit) {  // what contacts hold is a bank from here on, not a residual
    stepper_.fill_banks(t_, x_);
    workspace_.modes.work += before.model_work - calc_ledger(workspace_, t_, x_, 0.0).model_work;
    energy_reference_ = calc_ledger(workspace_, t_, x_, 0.0).total() - before.residual;
    stepper_.expect(t_, x_, velocity_step_);
  }
  EngineEvent event;
  event.time = t_, event.kind = "method", event.subject = method_, event.value = step;
  EventOutcome outcome;
  outcome.events.push_back(std::move(event));
  outcome.findings.push_back(
      {"method", method_, step, 0.0, Grade::doubtful, crowd_text(method_, t_, step, why)});
  report(outcome);
  restart();
}

}  // namespace carom
