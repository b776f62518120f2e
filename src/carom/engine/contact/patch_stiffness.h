// How stiff the points of a contact are together against a small change of depth, for friction
// laws that are elastic.
//
// A law that goes with the power p of the depth stores E = f d/(p + 1), so that force and energy
// give the stiffness without asking the law for its derivative:
//
//   p = f d/E - 1,   k = p f/d,   k' = (p - 1) k d'/d                                    (1)
//
// Where a point and a face share a contact this p lies within 2 % of the true one.
#pragma once

#include "carom/contact/friction_law.h"
#include "carom/engine/workspace.h"

namespace carom {

/// Sets stiffness, its rate and the rate of load from the points of the scratch that press.
void add_patch_stiffness(const ContactScratch& scratch, FrictionInput& in);

}  // namespace carom
