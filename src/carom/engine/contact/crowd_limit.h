// How far the bodies of a crowd may move in one step.
//
// After a step every pair whose boxes it has swept is watched (N4). Bodies that fall freely are
// given steps in which they cross the whole scene; of a few that is cheap, of thousands each has
// then swept all others, and hundreds of millions of pairs would be held. So where there are many,
// none moves by more than half their radius, the harmonic mean of all r_i, which the small ones
// decide:
//
//   v h + g h²/2 <= n / (2 sum 1/r_i),   v the speed of the fastest.                          (1)
#pragma once

namespace carom {

class Workspace;

/// The longest step from the state of the last begin_search() [s]; infinite where there are few.
double longest_step_of_crowd(const Workspace& w);

}  // namespace carom
