#include "carom/engine/implicit/joint_modes.h"

#include "carom/base/index.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/events/joint_stop.h"

namespace carom {

void read_stop_modes(const Workspace& w, std::vector<std::int8_t>& stops) {
  stops = w.modes.stop;
  for (const DofElement& e : w.parameters.dofs) {
    if (e.stop < 0) continue;
    const double q = w.q[at(e.q)], v = w.v[at(e.v)];
    const int side = q > e.upper ? 1 : q < e.lower ? -1 : 0;
    std::int8_t& mode = stops[at(e.stop)];
    mode = kStopFree;
    if (side == 0) continue;
    const bool presses = stop_state(e, side, q, v).press > 0.0;
    mode = static_cast<std::int8_t>(side * (presses ? kStopPressing : kStopReleased));
  }
}

void switch_joints(Workspace& w, double t, std::span<const std::int8_t> friction,
                   std::span<const std::int8_t> stops, std::vector<EngineEvent>& events) {
  const auto tell = [&](const char* kind, const DofElement& e, double value) {
    events.push_back({t, kind, w.model->joints[at(e.joint)].name, value});
  };
  bool changed = false;
  for (const DofElement& e : w.parameters.dofs) {
    if (e.friction >= 0 && e.motion < 0) {
      std::int8_t& mode = w.modes.friction[at(e.friction)];
      const std::int8_t next = friction[at(e.friction)];
      if (mode == 0 && next != 0) tell("slip", e, next < 0 ? e.coulomb : -e.coulomb);
      if (mode != 0 && next == 0) tell("stick", e, 0.0);
      changed |= mode != next;
      mode = next;
    }
    if (e.stop >= 0) {
      std::int8_t& mode = w.modes.stop[at(e.stop)];
      const std::int8_t next = stops[at(e.stop)];
      const double speed = w.v[at(e.v)];
      if (mode == kStopFree && next != kStopFree) tell("stop_begin", e, speed);
      if (mode != kStopFree && next == kStopFree) tell("stop_end", e, speed);
      mode = next;
    }
  }
  if (changed) apply_modes(w);
}

}  // namespace carom
