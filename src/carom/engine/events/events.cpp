#include "carom/engine/events/events.h"

#include <algorithm>

#include "carom/base/index.h"
#include "carom/engine/contact/rigid/rigid_settle.h"
#include "carom/engine/events/contact_life.h"
#include "carom/engine/events/event_blocks.h"
#include "carom/engine/events/joint_stop.h"
#include "carom/engine/events/settle_modes.h"

namespace carom {
namespace {

/// Rigid contacts and stuck joints hold each other: each is decided with the others as they are,
/// until none changes.
void settle_contacts_and_joints(Workspace& w, double t, std::span<double> x,
                                EventOutcome* outcome) {
  constexpr int kMost = 8;
  for (int round = 0; round < kMost; ++round) {
    const std::vector<std::int8_t> friction = w.modes.friction;
    settle_rigid(w, t, x, outcome);
    if (!w.modes.friction.empty()) settle_friction(w, t, x, outcome);
    if (!w.model->contact.has_rigid || friction == w.modes.friction) return;
  }
}

void settle_modes(Workspace& w, double t, std::span<double> x, EventOutcome& outcome) {
  switch_modes(w, t, x);
  settle_contacts_and_joints(w, t, x, &outcome);
}

}  // namespace

EventOutcome handle_events(Workspace& w, double t, std::span<double> x,
                           std::span<const int> functions, std::span<const bool> rising) {
  EventOutcome outcome;
  evaluate_kinematics(w, t, x);
  handle_crossings(w, t, x, functions, rising, outcome);
  if (outcome.restart) settle_modes(w, t, x, outcome);
  return outcome;
}

EventOutcome handle_parameter_change(Workspace& w, double t, std::span<double> x) {
  EventOutcome outcome;
  outcome.restart = true;
  settle_modes(w, t, x, outcome);
  return outcome;
}

EventOutcome handle_time_event(Workspace& w, double t, std::span<double> x) {
  EventOutcome outcome;
  outcome.restart = true;
  pass_instants(w, t, x, outcome);
  settle_contacts_and_joints(w, t, x, &outcome);
  return outcome;
}

namespace {

/// A joint that starts exactly at its limit presses the stop if it moves on or is about to;
/// as an event this would go unseen, for it begins at zero.
void press_stops_at_limits(Workspace& w, double t, std::span<const double> x) {
  const auto side = [&](const DofElement& e) {
    if (e.stop < 0 || w.modes.stop[at(e.stop)] != kStopFree) return 0;
    return x[at(e.q)] == e.upper ? 1 : x[at(e.q)] == e.lower ? -1 : 0;
  };
  const auto is_at_limit = [&](const DofElement& e) { return side(e) != 0; };
  const std::vector<DofElement>& dofs = w.parameters.dofs;
  if (std::none_of(dofs.begin(), dofs.end(), is_at_limit)) return;
  if (evaluate(w, t, x) != Status::ok) return;
  for (const DofElement& e : dofs) {
    const double v = w.v[at(e.v)], outward = side(e) * (v != 0.0 ? v : w.tree.vdot[at(e.v)]);
    if (outward > 0.0) {
      w.modes.stop[at(e.stop)] = static_cast<std::int8_t>(side(e) * kStopPressing);
    }
  }
  apply_modes(w);
}

}  // namespace

void initialise_modes(Workspace& w, double t, std::span<double> x) {
  w.modes.contacts = {};
  renew_modes(w, t, x, {});
}

void renew_modes(Workspace& w, double t, std::span<double> x, std::span<const double> before) {
  set_loop_modes(w, t);
  for (const DofElement& e : w.parameters.dofs) {
    const std::size_t velocity = w.model->nq() + at(e.v);
    const double v = x[velocity];
    const bool same_place = !e.has_position || (!before.empty() && before[at(e.q)] == x[at(e.q)]);
    if (!before.empty() && same_place && before[velocity] == v) continue;
    if (e.friction >= 0) {
      w.modes.friction[at(e.friction)] = static_cast<std::int8_t>(v > 0.0 ? 1 : v < 0.0 ? -1 : 0);
    }
    if (e.stop >= 0) {
      const double q = x[at(e.q)];
      w.modes.stop[at(e.stop)] = static_cast<std::int8_t>(q > e.upper ? 1 : q < e.lower ? -1 : 0);
    }
  }
  begin_overlapping(w, t, x);
  w.events.resolution.resize(event_count(w));
  apply_modes(w);
  press_stops_at_limits(w, t, x);
  settle_contacts_and_joints(w, t, x, nullptr);
}

}  // namespace carom
