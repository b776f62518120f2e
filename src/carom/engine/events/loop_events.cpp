// Loops that open and close at given instants.
#include <algorithm>

#include "carom/engine/events/event_blocks.h"
#include "carom/engine/events/settle_modes.h"

namespace carom {

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

namespace {

std::size_t no_loop_functions(const Workspace&) { return 0; }

double next_loop_instant(const Workspace& w, double t) {
  double next = kInf;
  for (const LoopInfo& loop : w.model->loops) {
    if (loop.active_from > t) next = std::min(next, loop.active_from);
    if (loop.active_until > t) next = std::min(next, loop.active_until);
  }
  return next;
}

void pass_loop_instant(Workspace& w, double t, std::span<double> x, EventOutcome& outcome) {
  if (!set_loop_modes(w, t)) return;
  switch_modes(w, t, x);
  for (std::size_t i = 0; i < w.model->loops.size(); ++i) {
    const LoopInfo& loop = w.model->loops[i];
    if (loop.active_from != t && loop.active_until != t) continue;
    const char* kind = w.modes.loop_active[i] ? "loop_close" : "loop_open";
    outcome.events.push_back({t, kind, loop.name, 0.0});
  }
}

}  // namespace

extern const EventBlock loop_events{.name = "loops",
                                    .count = no_loop_functions,
                                    .next_instant = next_loop_instant,
                                    .pass_instant = pass_loop_instant};

}  // namespace carom
