// What rigid contacts do at an instant at which something changes: impacts, landings, and which
// points press, slide, stick or lift off from there on.
#pragma once

#include "carom/engine/events/events.h"

namespace carom {

/// Decides everything at (t, x) from where bodies are and how they move: what was decided before
/// has no say in it. x gets the velocities after impacts, and lies on the contacts that hold.
/// `outcome` may be null: nothing is told then, as at the start.
void settle_rigid(Workspace& w, double t, std::span<double> x, EventOutcome* outcome);

/// Where a state is taken up in which bodies are about to strike, some gaps are below zero, by what
/// events resolve, and would not be seen to close: they are lifted, and close at once.
void lift_due_impacts(Workspace& w, double t, std::span<const double> x);

/// Says of bodies that are jammed what keeps the run from going on.
std::string jam_text(const Workspace& w, double t, const RigidJam& jam);

/// Gaps below this count as none where a run begins, over the size of the smaller body [-].
inline constexpr double kRigidStart = 1e-9;

}  // namespace carom
