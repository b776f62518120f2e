#include "carom/engine/events.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/engine/contact_events.h"
#include "carom/engine/forced_motion.h"
#include "carom/engine/joint_stop.h"

namespace carom {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

const std::string& joint_name(const Workspace& w, const DofElement& e) {
  return w.model->joints[at(e.joint)].name;
}

/// Lets the stuck element `e` slide in the direction in which it then accelerates.
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

/// The resting element that cannot rest: where its neighbours force it to move (a slider
/// at the dead centre of a turning crank), or whose holding force exceeds stiction most.
const DofElement* find_loose(Workspace& w, double t, std::span<const double> x) {
  const DofElement* worst = find_forced(w, t, x);
  if (worst) return worst;
  double excess = 0.0;
  for (const DofElement& e : w.parameters.dofs) {
    if (e.friction < 0 || w.modes.friction[at(e.friction)] != 0) continue;
    const double over = std::abs(w.holding[at(e.friction)]) - e.stiction;
    if (over > excess) {
      excess = over;
      worst = &e;
    }
  }
  return worst;
}

/// Decides for every resting friction element whether it sticks, given that the others
/// keep their mode; repeats until nothing changes. Each round lets one element go, so it
/// ends.
void settle_friction(Workspace& w, double t, std::span<const double> x, EventOutcome* outcome) {
  const std::size_t rounds = w.modes.friction.size() + 1;
  for (std::size_t round = 0; round < rounds; ++round) {
    apply_modes(w);
    if (evaluate(w, t, x) != Status::ok) return;
    const DofElement* loose = find_loose(w, t, x);
    if (!loose) return;
    const double held = w.holding[at(loose->friction)];
    let_slide(w, t, x, *loose);
    if (outcome) outcome->events.push_back({t, "slip", joint_name(w, *loose), held});
  }
  apply_modes(w);
}

void hold_velocity(const Workspace& w, const DofElement& e, std::span<double> x) {
  x[w.model->nq() + at(e.v)] = 0.0;
}

bool set_loop_modes(Workspace& w, double t) {
  bool changed = false;
  for (std::size_t i = 0; i < w.model->loops.size(); ++i) {
    const LoopInfo& loop = w.model->loops[i];
    const auto active = static_cast<std::uint8_t>(t >= loop.active_from && t < loop.active_until);
    changed |= active != w.modes.loop_active[i];
    w.modes.loop_active[i] = active;
  }
  return changed;
}

/// Applies modes; where that closes a loop, brings velocities onto the constraints: the
/// plastic impact.
void switch_modes(Workspace& w, double t, std::span<double> x) {
  const Model& model = *w.model;
  std::size_t open = 0;
  for (const std::uint8_t active : w.constraints.loop_active) open += active ? 0 : 1;
  apply_modes(w);
  for (const std::uint8_t active : w.constraints.loop_active) open -= active ? 0 : 1;
  const bool closed = open > 0 && open <= w.constraints.loop_active.size();
  if (!closed) return;
  evaluate_kinematics(w, t, x);
  if (factor_mass(model.tree, w.tree) != Status::ok) return;
  project_velocities(model.tree, model.constraints, x.subspan(model.nq(), model.nv()), w.tree,
                     w.constraints);
}

void settle_modes(Workspace& w, double t, std::span<double> x, EventOutcome& outcome) {
  switch_modes(w, t, x);
  if (!w.modes.friction.empty()) settle_friction(w, t, x, &outcome);
}

}  // namespace

std::size_t event_count(const Workspace& w) {
  return contact_event_start(w) + contact_event_count(w);
}

std::size_t contact_event_start(const Workspace& w) {
  return w.modes.friction.size() + w.modes.stop.size() + w.model->events.size();
}

namespace {

/// What the position and the force of a stop resolve.
double stop_resolution(const DofElement& e, int mode, double q) {
  const double limit = mode == kStopFree ? (e.upper - q < q - e.lower ? e.upper : e.lower)
                                         : (mode > 0 ? e.upper : e.lower);
  const double position = 4.0 * kEps * std::max(std::abs(q), std::abs(limit));
  return mode == kStopFree ? position : e.stop_stiffness * position;
}

/// Functions of joints and users, the first ones. Users' formulas and speeds, which are states,
/// are taken as exact: they are located to what time resolves.
void own_functions(Workspace& w, double t, std::span<const double> x, std::span<double> g) {
  const DofElement* forced = find_forced(w, t, x);
  const std::size_t stops = w.modes.friction.size(), users = stops + w.modes.stop.size();
  for (const DofElement& e : w.parameters.dofs) {
    if (e.friction >= 0) {
      const int mode = w.modes.friction[at(e.friction)];
      g[at(e.friction)] = &e == forced ? -1.0 - e.stiction
                          : mode == 0  ? e.stiction - std::abs(w.holding[at(e.friction)])
                                       : mode * w.v[at(e.v)];
      w.event_resolution[at(e.friction)] = mode == 0 ? 64.0 * kEps * e.stiction : 0.0;
    }
    if (e.stop >= 0) {
      const int mode = w.modes.stop[at(e.stop)];
      g[stops + at(e.stop)] = stop_event(e, mode, w.q[at(e.q)], w.v[at(e.v)]);
      w.event_resolution[stops + at(e.stop)] = stop_resolution(e, mode, w.q[at(e.q)]);
    }
  }
  for (std::size_t i = 0; i < w.model->events.size(); ++i) {
    g[users + i] = w.signal_values[at(w.model->events[i].signal)];
    w.event_resolution[users + i] = 0.0;
  }
}

/// What the functions are made of.
void evaluate_for_events(Workspace& w, double t, std::span<const double> x) {
  w.event_resolution.resize(event_count(w));
  if (w.modes.friction.empty()) {
    evaluate_kinematics(w, t, x);
  } else {
    evaluate(w, t, x);
  }
}

}  // namespace

void event_functions(Workspace& w, double t, std::span<const double> x, std::span<double> g) {
  evaluate_for_events(w, t, x);
  const std::size_t contacts = contact_event_start(w);
  own_functions(w, t, x, g.first(contacts));
  if (w.locates_contacts) contact_event_functions(w, x, g.subspan(contacts));
}

void some_event_functions(Workspace& w, double t, std::span<const double> x,
                          std::span<const std::size_t> which, std::span<double> g) {
  evaluate_for_events(w, t, x);
  const std::size_t contacts = contact_event_start(w);
  std::size_t own = 0;
  while (own < which.size() && which[own] < contacts) ++own;
  if (own > 0) {
    std::vector<double> all(contacts);
    own_functions(w, t, x, all);
    for (std::size_t k = 0; k < own; ++k) g[k] = all[which[k]];
  }
  some_contact_functions(w, x, which.subspan(own), contacts, g.subspan(own));
}

bool event_counts(const Workspace& w, int function, bool rising) {
  const int users = static_cast<int>(w.modes.friction.size() + w.modes.stop.size());
  // Modes end where their function falls through zero; forces have a kink either way.
  const std::size_t contacts = contact_event_start(w);
  if (at(function) >= contacts) {
    return !rising || contact_function(at(function) - contacts) == ContactFunction::force;
  }
  if (function < users) return !rising;
  const EventInfo& event = w.model->events[at(function - users)];
  return event.direction == EventSpec::Direction::both ||
         (event.direction == EventSpec::Direction::rising) == rising;
}

bool event_interrupts(const Workspace& w, int function, bool rising) {
  if (!event_counts(w, function, rising)) return false;
  const int users = static_cast<int>(w.modes.friction.size() + w.modes.stop.size());
  return function < users || at(function) >= contact_event_start(w) ||
         w.model->events[at(function - users)].action != EventSpec::Action::record;
}

EventOutcome handle_events(Workspace& w, double t, std::span<double> x,
                           std::span<const int> functions, std::span<const bool> rising) {
  EventOutcome outcome;
  const int stops = static_cast<int>(w.modes.friction.size());
  const int users = stops + static_cast<int>(w.modes.stop.size());
  evaluate_kinematics(w, t, x);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const int f = functions[i];
    if (!event_counts(w, f, rising[i])) continue;
    if (at(f) >= contact_event_start(w)) {
      handle_contact_event(w, t, x, f - static_cast<int>(contact_event_start(w)), outcome);
      continue;
    }
    if (f >= users) {
      const EventInfo& event = w.model->events[at(f - users)];
      outcome.events.push_back({t, "user", event.name, rising[i] ? 1.0 : -1.0});
      if (event.action == EventSpec::Action::stop) outcome.stop = true;
      if (event.action == EventSpec::Action::set) {
        for (const auto& [path, value] : event.assignments) {
          if (double* p = find_parameter(*w.model, w.parameters, path)) *p = value;
        }
        outcome.restart = true;
      }
      continue;
    }
    for (DofElement& e : w.parameters.dofs) {
      if (f < stops && e.friction == f) {
        std::int8_t& mode = w.modes.friction[at(f)];
        if (mode == 0) {
          outcome.events.push_back({t, "slip", joint_name(w, e), w.holding[at(f)]});
          let_slide(w, t, x, e);
        } else {
          mode = 0;
          hold_velocity(w, e, x);
          outcome.events.push_back({t, "stick", joint_name(w, e), 0.0});
        }
        outcome.restart = true;
      } else if (f >= stops && e.stop == f - stops) {
        std::int8_t& mode = w.modes.stop[at(f - stops)];
        const double speed = w.v[at(e.v)];
        const std::int8_t before = mode;
        mode = next_stop_mode(e, before, w.q[at(e.q)], speed);
        const char* kind = before == kStopFree ? "stop_begin"
                           : mode == kStopFree ? "stop_end"
                                               : nullptr;
        if (kind) outcome.events.push_back({t, kind, joint_name(w, e), speed});
        outcome.restart = true;
      }
    }
  }
  if (outcome.restart) settle_modes(w, t, x, outcome);
  return outcome;
}

EventOutcome handle_parameter_change(Workspace& w, double t, std::span<double> x) {
  EventOutcome outcome;
  outcome.restart = true;
  settle_modes(w, t, x, outcome);
  return outcome;
}

double next_time_event(const Workspace& w, double t) {
  double next = kInf;
  for (const Signal& s : w.signals) next = std::min(next, s.next_break(t));
  for (const LoopInfo& loop : w.model->loops) {
    if (loop.active_from > t) next = std::min(next, loop.active_from);
    if (loop.active_until > t) next = std::min(next, loop.active_until);
  }
  return next;
}

EventOutcome handle_time_event(Workspace& w, double t, std::span<double> x) {
  EventOutcome outcome;
  outcome.restart = true;
  if (set_loop_modes(w, t)) {
    switch_modes(w, t, x);
    for (std::size_t i = 0; i < w.model->loops.size(); ++i) {
      const LoopInfo& loop = w.model->loops[i];
      if (loop.active_from == t || loop.active_until == t) {
        outcome.events.push_back(
            {t, w.modes.loop_active[i] ? "loop_close" : "loop_open", loop.name, 0.0});
      }
    }
  }
  if (!w.modes.friction.empty()) settle_friction(w, t, x, &outcome);
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
  w.event_resolution.resize(event_count(w));
  apply_modes(w);
  press_stops_at_limits(w, t, x);
  if (!w.modes.friction.empty()) settle_friction(w, t, x, nullptr);
}

}  // namespace carom
