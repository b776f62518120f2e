// Rigid contacts of runs by time steps: which scenes can be stepped, and what the last step did as
// results.
#pragma once

#include "carom/engine/events/events.h"
#include "carom/engine/scene_step.h"

namespace carom {

StepObstacle find_stepping_obstacle(const Model& model);

/// Whether the workspace is of a run by time steps.
bool is_stepped(const Workspace& w);

/// Contacts that events have followed so far are followed by time steps from here on.
void begin_stepping(Workspace& w, std::span<double> x);

/// What presses, and how: the same number in two steps where nothing has changed. Zero where bodies
/// bounce or touch in ways whose events are not known.
std::uint64_t stepped_modes(const Workspace& w);

/// Contacts that time steps have followed so far are followed by events from here on. The outcome
/// fails where they cannot be: whoever asks has kept the state.
void end_stepping(Workspace& w, double t, std::span<double> x, EventOutcome& outcome);

/// After forces and accelerations without contacts: the mean forces of the last step act, and are
/// told as readings.
Status tell_stepped(Workspace& w);

}  // namespace carom
