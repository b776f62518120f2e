// What events of joints and loops share: modes that hang together are settled together.
#pragma once

#include "carom/engine/events/events.h"

namespace carom {

/// Lets the stuck element `e` slide in the direction in which it then accelerates.
void let_slide(Workspace& w, double t, std::span<const double> x, const DofElement& e);

/// Decides for every resting friction element whether it sticks, given that the others
/// keep their mode; repeats until nothing changes. Each round lets one element go, so it
/// ends.
void settle_friction(Workspace& w, double t, std::span<const double> x, EventOutcome* outcome);

/// Which loops hold at t; whether that has changed.
bool set_loop_modes(Workspace& w, double t);

/// Applies modes; where that closes a loop, brings velocities onto the constraints: the
/// plastic impact.
void switch_modes(Workspace& w, double t, std::span<double> x);

}  // namespace carom
