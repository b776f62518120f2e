// How the force of a drive that is a formula answers to the joint that it drives.
//
// A controller of the user's own, `drive: {force: "=-5*(q - 1) - 0.1*v"}`, is a spring and a damper
// by another name. Held over a step they throw a light link farther than it was away; with their
// slopes, which formulas know exactly, they are implicit like those of a drive with gains.
#pragma once

#include "carom/engine/workspace.h"

namespace carom {

struct DriveSlopes {
  double position = 0.0, velocity = 0.0;  ///< by the coordinate of the joint, and its velocity
};

/// Of a signal, by all ways that lead from the joint through formulas to it, where the step begins.
DriveSlopes drive_slopes(const Workspace& w, int signal, const DofElement& element);

}  // namespace carom
