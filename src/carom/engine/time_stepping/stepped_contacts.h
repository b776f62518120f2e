// Rigid contacts of runs by time steps: which scenes can be stepped, and what the last step did as
// results.
#pragma once

#include "carom/engine/scene_step.h"

namespace carom {

StepObstacle find_stepping_obstacle(const Model& model);

/// Whether the workspace is of a run by time steps.
bool is_stepped(const Workspace& w);

/// Contacts that events have followed so far are followed by time steps from here on.
void begin_stepping(Workspace& w, std::span<double> x);

/// After forces and accelerations without contacts: the mean forces of the last step act, and are
/// told as readings.
Status tell_stepped(Workspace& w);

}  // namespace carom
