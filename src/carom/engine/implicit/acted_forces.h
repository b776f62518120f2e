// Contact forces as implicit steps record them: those that acted.
//
// A law evaluated where a step ends is not what has pressed within it: a blow that is shorter than
// the step has passed, or a corner that came down in it is deeper than its row had been. Times the
// length of the step, what acted is the impulse that the contact gave, so forces add up to weights
// and impulses at any step. Where a step was halved, they are means over the whole of it.
#pragma once

#include "carom/engine/workspace.h"

namespace carom {

/// After the laws of the contacts were applied: brings readings, and what pushes the bodies, to the
/// loads of the last step. A contact that has begun where the step did and pressed in no step yet
/// keeps what its law says. Behind the readings of what touches come those of what pressed in the
/// step and is apart where it ends: it was met within the step, or has ended in the first part of
/// one that was halved.
void tell_acted_forces(Workspace& w);

}  // namespace carom
