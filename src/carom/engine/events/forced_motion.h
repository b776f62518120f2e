// Stuck joints that their loops force to move.
//
// A held slider leaves the crank of its mechanism free at the dead centre, but to first
// order only: as soon as the crank turns, the slider has to follow, and no friction, however
// large, can hold it there (the lever is infinitely long). The rows of the loops then lose
// rank, so that the holding force says nothing. What tells is the bias of the constraints,
//
//   J v' = -J'(v) v   cannot be met with the held v' = 0,                        (1)
//
// at the velocity itself, or, where the mechanism starts from rest, at the one that its
// acceleration will give it.
#pragma once

#include <span>

#include "carom/engine/evaluate.h"

namespace carom {

/// A stuck element that cannot stay so by (1), or null. The Workspace must have been, and
/// is again, evaluated at (t, x).
const DofElement* find_forced(Workspace& w, double t, std::span<const double> x);

/// The acceleration of velocity `v` that (1) will demand, once the mechanism moves as it now
/// accelerates. The Workspace must have been, and is again, evaluated at (t, x).
double coming_acceleration(Workspace& w, double t, std::span<const double> x, int v);

}  // namespace carom
