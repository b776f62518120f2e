// Rigid contacts of runs by time steps: which scenes can be stepped, what is near where a step
// begins, and what the last one did as results.
#pragma once

#include <string>

#include "carom/engine/workspace.h"

namespace carom {

/// Why time steps cannot take the model, and what to do instead; empty: they can.
struct SteppingObstacle {
  std::string what, remedy;
  bool empty() const { return what.empty(); }
};
SteppingObstacle find_stepping_obstacle(const Model& model);

/// Whether the workspace is of a run by time steps.
bool is_stepped(const Workspace& w);

/// Finds all pairs that a step of length h from (t, x) may bring together.
void expect_stepped(Workspace& w, double t, std::span<const double> x, double h);

/// After forces and accelerations without contacts: the mean forces of the last step act, and are
/// told as readings.
Status tell_stepped(Workspace& w);

}  // namespace carom
