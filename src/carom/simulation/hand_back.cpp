// Rigid contact under `auto`: from time steps back to events, where nothing happens any more.
//
// After some steps in which the same points press in the same way, and nothing bounces, gaps and
// speeds of what touches are brought to zero and all is decided as at an event. Where that leaves
// no forces, or bodies are deep in each other, the run stays with time steps. What made it go over
// may come again: each time it has to stay with them four times as long, so that a run which goes
// to and fro loses a bounded part of its time by that.
#include <algorithm>

#include "carom/base/text.h"
#include "carom/simulation/simulation.h"

namespace carom {
namespace {

constexpr int kCalmSteps = 5;
constexpr double kFirstWait = 0.05;  ///< [s]
constexpr double kLonger = 4.0;

}  // namespace

/// Whether the run went back to events.
bool Simulation::hands_back() {
  if (!(workspace_.modes.fixed_step > 0.0) || !may_hand_over()) return false;
  const std::uint64_t modes = stepper_.stepped_modes();
  calm_.steps = modes != 0 && modes == calm_.modes ? calm_.steps + 1 : 0;
  calm_.modes = modes;
  calm_.wait = std::max(calm_.wait, kFirstWait);
  if (calm_.steps < kCalmSteps || t_ - calm_.since < calm_.wait) return false;
  return hand_back();
}

bool Simulation::hand_back() {
  const double lasted = t_ - calm_.since, wait = kLonger * calm_.wait;
  const RunState before = present();
  const double total = calc_ledger(workspace_, t_, x_, 0.0).total();
  workspace_.modes.fixed_step = 0.0;
  counts_before_ += integrator_->statistics();
  make_integrator();
  EventOutcome outcome = stepper_.end_stepping(t_, x_);
  if (!outcome.failure.empty()) {
    adopt(before);
    calm_.wait = wait;
    stepper_.expect(t_, x_, velocity_step_);
    restart();
    return false;
  }
  calm_ = {.since = t_, .wait = wait};
  // Lifting what overlaps is work of nobody, now and in the steps before.
  workspace_.modes.step_lift = 0.0;
  workspace_.modes.work += calc_ledger(workspace_, t_, x_, 0.0).total() - total;
  EngineEvent event;
  event.time = t_, event.kind = "stepping_off", event.subject = method_, event.value = lasted;
  outcome.events.insert(outcome.events.begin(), std::move(event));
  outcome.findings.push_back({"method_back", method_, lasted, 0.0, Grade::sound,
                              "method: back to '" + method_ + "' at t = " + rounded_text(t_) +
                                  " s, after " + rounded_text(lasted) + " s of time steps"});
  report(outcome);
  restart();
  return true;
}

}  // namespace carom
