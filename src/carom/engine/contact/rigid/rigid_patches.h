// Points of two bodies that all stick: what their forces do is a force and a moment, six numbers,
// however many points there are. With T the map of forces at the points to these,
//
//   A = J M^-1 J^T,   J = T' G,   range(J) within range(T')
//
// forces of least norm lie in range(T') = range(Q), with Q orthonormal: those of (Q'A Q) s = Q'b
// of least norm are s = Q'x, and x = Q s. A box on a box is six unknowns in place of twelve.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/math/vec3.h"

namespace carom {

/// What one unknown is: a force along an axis at a point, or a torque about it.
struct PatchForce {
  Vec3 axis, p;
  bool is_torque = false;
};

/// Unknowns [first, first + count) of one pair, and how they are made of fewer.
struct RigidPatch {
  std::size_t first = 0, count = 0, width = 0;
  std::vector<double> Q;  ///< count x width; empty: they are left as they are
};

/// `forces` of the patch, whose unknowns begin at `first`.
RigidPatch make_patch(std::size_t first, std::span<const PatchForce> forces);

/// The solution of least norm of A x = b, of least squares if there is none. The patches are all
/// unknowns, in their order. There may be several right-hand sides, one after the other.
std::vector<double> solve_by_patches(std::span<const double> A, std::span<const double> b,
                                     std::span<const RigidPatch> patches);

}  // namespace carom
