// Friction and stops of joints in steps that solve for velocities: modes are read from where a step
// ends, and change when it is accepted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/engine/events/event_table.h"
#include "carom/engine/workspace.h"

namespace carom {

/// Which stops press where the workspace is.
void read_stop_modes(const Workspace& w, std::vector<std::int8_t>& stops);

/// Puts the modes `friction` and `stops` into force; what has changed goes to `events`.
void switch_joints(Workspace& w, double t, std::span<const std::int8_t> friction,
                   std::span<const std::int8_t> stops, std::vector<EngineEvent>& events);

}  // namespace carom
