// The right-hand side: a pure function of (t, x) and of what accepted steps left in
// the Workspace. Order as in docs/architecture.md: kinematics, signals, forces,
// accelerations, rates.
#pragma once

#include <span>

#include "carom/base/status.h"
#include "carom/engine/workspace.h"

namespace carom {

/// Everything up to accelerations and powers, into the Workspace.
Status evaluate(Workspace& w, double t, std::span<const double> x);

/// x' (evaluate and pack).
Status calc_rates(Workspace& w, double t, std::span<const double> x, std::span<double> xdot);

/// Kinematics and signals only; no forces.
void evaluate_kinematics(Workspace& w, double t, std::span<const double> x);

/// Energies of the state last evaluated.
Energies calc_energies(Workspace& w);

/// Accelerations of all links and the wrench through every tree joint (on the child,
/// about its link origin) as LinkState::pA, consistent with constraints; after evaluate.
void calc_reactions(Workspace& w);

/// Marks prescribed and stuck velocities as known, active loops as active; to be called
/// whenever modes or parameters change.
void apply_modes(Workspace& w);

/// Modes and parameters of `w` for one that looks on.
void follow_modes(const Workspace& w, Workspace& observer);

}  // namespace carom
