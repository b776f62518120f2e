// Joints that stick and slide, and joints at their stops.
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/engine/events/event_blocks.h"
#include "carom/engine/events/forced_motion.h"
#include "carom/engine/events/joint_stop.h"
#include "carom/engine/events/settle_modes.h"

namespace carom {
namespace {

const std::string& joint_name(const Workspace& w, const DofElement& e) {
  return w.model->joints[at(e.joint)].name;
}

/// The element of which function f of a block is; `index` is the member that numbers them.
const DofElement& element_of(const Workspace& w, int DofElement::*index, std::size_t f) {
  return *std::ranges::find(w.parameters.dofs, static_cast<int>(f), index);
}

/// "pivot", or "gimbal.2" for the second coordinate of several.
std::string coordinate_name(const Workspace& w, const DofElement& e) {
  const JointInfo& joint = w.model->joints[at(e.joint)];
  return joint.kind->nv > 1 ? joint.name + "." + std::to_string(e.dof + 1) : joint.name;
}

/// The resting element that cannot rest: where its neighbours force it to move (a slider
/// at the dead centre of a turning crank), or whose holding force exceeds stiction most.
const DofElement* find_loose(Workspace& w, double t, std::span<const double> x) {
  const DofElement* worst = find_forced(w, t, x);
  if (worst) return worst;
  double excess = 0.0;
  for (const DofElement& e : w.parameters.dofs) {
    if (e.friction < 0 || w.modes.friction[at(e.friction)] != 0) continue;
    const double over = std::abs(w.forces.holding[at(e.friction)]) - e.stiction;
    if (over > excess) {
      excess = over;
      worst = &e;
    }
  }
  return worst;
}

}  // namespace

void let_slide(Workspace& w, double t, std::span<const double> x, const DofElement& e) {
  const bool is_forced = evaluate(w, t, x) == Status::ok && find_forced(w, t, x) == &e;
  for (const std::int8_t direction : {std::int8_t{1}, std::int8_t{-1}}) {
    w.modes.friction[at(e.friction)] = direction;
    apply_modes(w);
    if (evaluate(w, t, x) != Status::ok) return;
    const double rate = is_forced ? coming_acceleration(w, t, x, e.v) : w.tree.vdot[at(e.v)];
    if (direction * rate >= 0.0) return;
  }
}

void settle_friction(Workspace& w, double t, std::span<const double> x, EventOutcome* outcome) {
  const std::size_t rounds = w.modes.friction.size() + 1;
  for (std::size_t round = 0; round < rounds; ++round) {
    apply_modes(w);
    if (evaluate(w, t, x) != Status::ok) return;
    const DofElement* loose = find_loose(w, t, x);
    if (!loose) return;
    const double held = w.forces.holding[at(loose->friction)];
    let_slide(w, t, x, *loose);
    if (outcome) outcome->events.push_back({t, "slip", joint_name(w, *loose), held});
  }
  apply_modes(w);
}

// Friction.

namespace {

void hold_velocity(const Workspace& w, const DofElement& e, std::span<double> x) {
  x[w.model->nq() + at(e.v)] = 0.0;
}

/// Implicit steps hold and loosen joints by themselves.
std::size_t count_frictions(const Workspace& w) {
  return w.modes.banks ? 0 : w.modes.friction.size();
}

/// Speeds, which are states, are taken as exact: they are located to what time resolves.
void friction_values(Workspace& w, double t, std::span<const double> x, std::span<double> g,
                     std::span<double> resolution) {
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  const DofElement* forced = find_forced(w, t, x);
  for (const DofElement& e : w.parameters.dofs) {
    if (e.friction < 0) continue;
    const int mode = w.modes.friction[at(e.friction)];
    g[at(e.friction)] = &e == forced ? -1.0 - e.stiction
                        : mode == 0  ? e.stiction - std::abs(w.forces.holding[at(e.friction)])
                                     : mode * w.v[at(e.v)];
    resolution[at(e.friction)] = mode == 0 ? 64.0 * kEps * e.stiction : 0.0;
  }
}

EventTraits mode_traits(const Workspace&, std::size_t) { return {}; }

void handle_friction(Workspace& w, double t, std::span<double> x, std::size_t f, bool,
                     EventOutcome& outcome) {
  const DofElement& e = element_of(w, &DofElement::friction, f);
  std::int8_t& mode = w.modes.friction[f];
  if (mode == 0) {
    outcome.events.push_back({t, "slip", joint_name(w, e), w.forces.holding[f]});
    let_slide(w, t, x, e);
  } else {
    mode = 0;
    hold_velocity(w, e, x);
    outcome.events.push_back({t, "stick", joint_name(w, e), 0.0});
  }
  outcome.restart = true;
}

std::string friction_name(const Workspace& w, std::size_t f) {
  return "friction(" + coordinate_name(w, element_of(w, &DofElement::friction, f)) + ")";
}

// Stops.

std::size_t count_stops(const Workspace& w) { return w.modes.banks ? 0 : w.modes.stop.size(); }

/// What the position and the force of a stop resolve.
double stop_resolution(const DofElement& e, int mode, double q) {
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  const double limit = mode == kStopFree ? (e.upper - q < q - e.lower ? e.upper : e.lower)
                                         : (mode > 0 ? e.upper : e.lower);
  const double position = 4.0 * kEps * std::max(std::abs(q), std::abs(limit));
  return mode == kStopFree ? position : e.stop_stiffness * position;
}

void stop_values(Workspace& w, double, std::span<const double>, std::span<double> g,
                 std::span<double> resolution) {
  for (const DofElement& e : w.parameters.dofs) {
    if (e.stop < 0) continue;
    const int mode = w.modes.stop[at(e.stop)];
    g[at(e.stop)] = stop_event(e, mode, w.q[at(e.q)], w.v[at(e.v)]);
    resolution[at(e.stop)] = stop_resolution(e, mode, w.q[at(e.q)]);
  }
}

void handle_stop(Workspace& w, double t, std::span<double>, std::size_t f, bool,
                 EventOutcome& outcome) {
  const DofElement& e = element_of(w, &DofElement::stop, f);
  std::int8_t& mode = w.modes.stop[f];
  const double speed = w.v[at(e.v)];
  const std::int8_t before = mode;
  mode = next_stop_mode(e, before, w.q[at(e.q)], speed);
  const char* kind = before == kStopFree ? "stop_begin" : mode == kStopFree ? "stop_end" : nullptr;
  if (kind) outcome.events.push_back({t, kind, joint_name(w, e), speed});
  outcome.restart = true;
}

std::string stop_name(const Workspace& w, std::size_t f) {
  return "stop(" + coordinate_name(w, element_of(w, &DofElement::stop, f)) + ")";
}

}  // namespace

extern const EventBlock friction_events{.name = "friction",
                                        .needs_forces = true,
                                        .count = count_frictions,
                                        .values = friction_values,
                                        .traits = mode_traits,
                                        .handle = handle_friction,
                                        .function_name = friction_name};

extern const EventBlock stop_events{.name = "stops",
                                    .count = count_stops,
                                    .values = stop_values,
                                    .traits = mode_traits,
                                    .handle = handle_stop,
                                    .function_name = stop_name};

}  // namespace carom
