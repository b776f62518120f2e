// Rigid contacts as results, per pair of bodies.
#pragma once

#include "carom/engine/workspace.h"

namespace carom {

struct RigidReading {
  double state = 0.0;    ///< 0 open, 1 sliding, 2 sticking
  double impacts = 0.0;  ///< so far
  Vec3 impulse;          ///< of these, on the second body [N.s]
};

/// Whether shapes of the two bodies may touch rigidly.
bool is_watched_rigidly(const Model& model, const WatchedPair& pair);
/// What they do now and did so far.
RigidReading read_rigid(const Workspace& w, const WatchedPair& pair);

}  // namespace carom
