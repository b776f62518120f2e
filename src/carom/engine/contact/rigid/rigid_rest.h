// What rests does so for good: rounding would carry it off, by half its acceleration times the
// square of a step that nothing else bounds.
//
// Of bodies that all stick to each other accelerations are known to the rounding of the sums that
// balance in them, which of a row of J is
//
//   eps c sum_j |W_ij| |r_j|                                                              (1)
//
// Where all that such bodies do is less than that, |J_ik a_k| of every velocity k in every row i,
// they rest. A block that lies under a million times its weight is moved by far more than the
// rounding of its own weight, and so is what lies on it, since both are found from one system.
#pragma once

namespace carom {

class Workspace;

/// Takes accelerations that are rounding from the links; rows and forces of the points must be
/// current.
void remove_rounding(Workspace& w);

}  // namespace carom
