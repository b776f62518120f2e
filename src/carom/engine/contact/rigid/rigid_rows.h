// Rows of points that touch: how they move, and how they answer to forces.
//
//   u = J v,   W = J M^-1 J^T
//
// three rows per point, along n, t1 and t2. Loops, couplings, prescribed and stuck velocities are
// inside M^-1, as far as the factors in TreeData know of them.
#pragma once

#include "carom/engine/contact/rigid/rigid_sites.h"

namespace carom {

/// Makes the rows of the points, and those of their turning about the normal where it is resisted
/// and `with_spin` asks for it. Factors of the mass must be current.
void make_rows(Workspace& w, std::span<const RigidActor> points, RigidRows& rows,
               bool with_spin = false);

/// The solution of least norm of A x = b, block by block of unknowns that act on each other: bodies
/// that touch different things are as cheap together as they are alone.
std::vector<double> solve_by_blocks(std::span<const double> A, std::span<const double> b);

}  // namespace carom
