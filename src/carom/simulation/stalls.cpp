// A run that no longer gets anywhere ends, and says what holds it up.
//
// It is judged by steps, not by seconds, so that it ends at the same step on every machine: a
// window of steps with contacts that brings less than a hundred-thousandth of the run, which would
// take two thousand million steps in all, or any less than a ten-thousandth at a pace a thousand
// times slower than before. What holds it up is the contact that began or ended last where they
// chatter, else the one that vibrates fastest, w² = F / (m d).
#include "carom/base/text.h"
#include "carom/engine/study/fastest_vibration.h"
#include "carom/simulation/simulation.h"

namespace carom {
namespace {

constexpr std::int64_t kWatchedSteps = 20000;  ///< steps
constexpr double kLeastShare = 1e-5, kSlowShare = 1e-4;
constexpr double kSlower = 1e-3;  ///< than the steps before
/// Steps per event, below which it is events that take the time.
constexpr std::int64_t kStepsPerEvent = 200;

constexpr const char* kRemedies =
    "a softer contact (contact.k_red), a looser run.tolerance, or fixed steps (run.integrator: "
    "semi_implicit_euler with run.step) would help";

}  // namespace

void Simulation::StallWatch::note(const EngineEvent& event) {
  ++events;
  if (event.kind == "contact_begin" || event.kind == "contact_end") {
    contact = "'" + event.subject + "' and '" + event.other + "'";
  }
}

std::string Simulation::describe_stall(double passed) {
  const std::string head = "the run stalls at t = " + number_text(t_) + ": " +
                           std::to_string(kWatchedSteps) + " steps took it " +
                           rounded_text(passed) + " s further; ";
  if (kStepsPerEvent * stall_.events > kWatchedSteps && !stall_.contact.empty()) {
    return head + "the contact of " + stall_.contact + " was the last of " +
           std::to_string(stall_.events) + " events among them; " + kRemedies;
  }
  const FastestVibration contact = find_fastest_vibration(workspace_, t_, x_);
  if (contact.name.empty()) {
    return head + "steps have become tiny, as where a force grows without bound";
  }
  return head + "the contact of " + contact.name + " vibrates in " + rounded_text(contact.period) +
         " s and is the fastest there is; " + kRemedies;
}

bool Simulation::is_stalled(double t_end) {
  const std::int64_t steps = counts_before_.steps + integrator_->statistics().steps;
  if (steps - stall_.steps < kWatchedSteps) return false;
  const double start = model_->scene.run.start;
  const double passed = t_ - stall_.time, share = passed / (t_end - start);
  const double before = (stall_.time - start) / static_cast<double>(stall_.steps);
  const bool is_slower = stall_.steps > 0 && passed < kSlower * before * kWatchedSteps;
  // Who asks for a hundred years of a pendulum may have them; a contact that is followed through
  // thousands of millions of vibrations is no wish.
  const auto is_held_up = [&] {
    return !stall_.contact.empty() || !find_fastest_vibration(workspace_, t_, x_).name.empty();
  };
  const bool stalled = (share < kSlowShare && is_slower) || (share < kLeastShare && is_held_up());
  if (stalled) failure_ = describe_stall(passed);
  stall_ = {.steps = steps, .time = t_};
  return stalled;
}

}  // namespace carom
