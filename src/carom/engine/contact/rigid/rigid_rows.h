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

/// Unknowns of points, `points` of each, by the groups of these: ascending.
std::vector<std::vector<std::size_t>> by_groups(const RigidRows& rows,
                                                std::span<const std::size_t> points);

/// The same as solve_by_blocks for A(i, j) = entry(i, j), which is asked within a group only.
template <class Entry>
std::vector<double> solve_by_groups(std::span<const std::vector<std::size_t>> groups,
                                    std::span<const double> b, const Entry& entry) {
  std::vector<double> x(b.size()), own_A, own_b;
  for (const std::vector<std::size_t>& own : groups) {
    own_A.clear(), own_b.clear();
    for (const std::size_t i : own) {
      own_b.push_back(b[i]);
      for (const std::size_t j : own) own_A.push_back(entry(i, j));
    }
    const std::vector<double> found = solve_by_blocks(own_A, own_b);
    for (std::size_t k = 0; k < own.size(); ++k) x[own[k]] = found[k];
  }
  return x;
}

}  // namespace carom
