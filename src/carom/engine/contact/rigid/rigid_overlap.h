// Rigid bodies that are in each other after all: what a run has to confess.
//
//   located events   doubtful above max(1e-9, tolerance) of the size, broken above 2 %          (1)
//   time steps       doubtful above 5 % of the size, broken above 25 % (2)
//
// Gaps of closed points are projected to rounding where steps end, and what is seen to meet is
// located to that, too (1e-12 of the size): beyond (1) something was not seen. A time step leaves
// what it could not pay for (docs/rigid-contact.md), which is below (2). The size is what the
// smaller body measures where it is thinnest.
#pragma once

#include "carom/engine/workspace.h"

namespace carom {

/// The pair is in each other by `depth` [m] at t, where a step has ended: keeps the deepest, and
/// adds what is to be told of it to RigidData::overlaps.
void note_overlap(Workspace& w, double t, ContactPair& pair, double depth);

}  // namespace carom
