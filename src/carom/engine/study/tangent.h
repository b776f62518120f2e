// The state in minimal coordinates: x ⊕ (δ, v, z) with δ in the tangent space of q,
// restricted to the directions that constraints leave free.
#pragma once

#include <span>
#include <vector>

#include "carom/engine/evaluate.h"

namespace carom {

/// q ⊕ δ for all joints.
void move_positions(const TreeModel& tree, std::span<const double> delta, std::span<double> q);

/// An orthonormal basis (columns, nv × n, column-major) of the velocities that
/// constraints, prescribed motions and sticking leave free at x.
std::vector<double> free_directions(Workspace& w, double t, std::span<const double> x);

/// A tolerance of `project` that asks for all that rounding allows.
inline constexpr double kToRounding = 1e-16;

/// Brings q and v of x onto the constraints; returns the remaining position error.
double project(Workspace& w, double t, std::span<double> x, double tolerance, int max_iterations);

}  // namespace carom
