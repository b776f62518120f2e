// Which pieces carry the contact: how they enter and leave the set of optimum.h.
#pragma once

#include "carom/proximity/convex/newton_step.h"

namespace carom {

bool contains(const Minkowski& M, const ActiveSet& s, const MinkowskiPoint& p);

/// A new piece enters; from a full set the one leaves without which all others push.
void enter(const Minkowski& M, const Tangent& at, const MinkowskiPoint& p, ActiveSet& s);

/// Solves (3), dropping pieces that pull instead of push.
void solve_step(const Minkowski& M, const Tangent& at, ActiveSet& s, Step& d);

}  // namespace carom
