// A run that no longer gets anywhere ends, and says what holds it up.
//
// It is judged by steps, not by seconds, so that it ends at the same step on every machine: a
// window of steps that brings less than a millionth of the run, or less than a ten-thousandth at a
// pace a thousand times slower than before. What holds it up is the contact that began or ended
// last where they chatter, else the one that vibrates fastest, w² = F / (m d).
#include <cmath>

#include "carom/base/index.h"
#include "carom/base/text.h"
#include "carom/engine/contact_events.h"
#include "carom/simulation/simulation.h"

namespace carom {
namespace {

constexpr std::int64_t kWatchedSteps = 20000;  ///< steps
constexpr double kLeastShare = 1e-6, kSlowShare = 1e-4;
constexpr double kSlower = 1e-3;  ///< than the steps before
/// Steps per event, below which it is events that take the time.
constexpr std::int64_t kStepsPerEvent = 200;

constexpr const char* kRemedies =
    "a softer contact (contact.k_red), a looser run.tolerance, or fixed steps (run.integrator: "
    "semi_implicit_euler with run.step) would help";

/// The contact that would vibrate fastest, and its period [s]; "" where none presses.
std::string fastest_contact(Workspace& w, double t, std::span<const double> x, double& period) {
  evaluate(w, t, x);
  double fastest = 0.0;
  std::string name;
  for (const ContactReading& reading : w.readings) {
    const ContactPair& pair = w.modes.contacts.pairs[reading.pair];
    if (!(reading.phi < 0.0) || !(pair.mass > 0.0) || !std::isfinite(pair.mass)) continue;
    const double rate = std::sqrt(reading.normal_force / (pair.mass * -reading.phi));
    if (!(rate > fastest)) continue;
    fastest = rate;
    name = pair_name(w, pair);
  }
  period = 2.0 * 3.14159265358979 / fastest;
  return name;
}

}  // namespace

void Simulation::StallWatch::note(const EngineEvent& event) {
  ++events;
  if (event.kind == "contact_begin" || event.kind == "contact_end") {
    contact = "'" + event.subject + "' and '" + event.other + "'";
  }
}

std::string Simulation::describe_stall(double passed) {
  const std::string head = "the run stalls at t = " + number_text(t_) + ": " +
                           std::to_string(kWatchedSteps) + " steps took it " + number_text(passed) +
                           " s further; ";
  if (kStepsPerEvent * stall_.events > kWatchedSteps && !stall_.contact.empty()) {
    return head + "the contact of " + stall_.contact + " was the last of " +
           std::to_string(stall_.events) + " events among them; " + kRemedies;
  }
  double period = 0.0;
  const std::string contact = fastest_contact(workspace_, t_, x_, period);
  if (contact.empty()) return head + "steps have become tiny, as where a force grows without bound";
  return head + "the contact of " + contact + " vibrates in " + number_text(period) +
         " s and is the fastest there is; " + kRemedies;
}

bool Simulation::is_stalled(double t_end) {
  const std::int64_t steps = counts_before_.steps + integrator_->statistics().steps;
  if (steps - stall_.steps < kWatchedSteps) return false;
  const double start = model_->scene.run.start;
  const double passed = t_ - stall_.time, share = passed / (t_end - start);
  const double before = (stall_.time - start) / static_cast<double>(stall_.steps);
  const bool is_slower = stall_.steps > 0 && passed < kSlower * before * kWatchedSteps;
  const bool stalled = share < kLeastShare || (share < kSlowShare && is_slower);
  if (stalled) failure_ = describe_stall(passed);
  stall_ = {.steps = steps, .time = t_};
  return stalled;
}

}  // namespace carom
