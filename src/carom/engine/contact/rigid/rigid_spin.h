// Friction against drilling: bodies that turn over each other about the normal of a point.
//
//   |M| <= rho mu N,   w = n . (w_B - w_A)
//   turning   M = -rho mu_k N sign(w)
//   held      w = 0, whatever M that takes up to rho mu_s N                                (1)
//
// rho is `spin_radius`: of a pressure over a disc of radius a that does not vary, 2 a / 3. It acts
// beside Coulomb's law for the slip and does not weaken it.
#pragma once

#include "carom/contact/cones/impact.h"
#include "carom/engine/contact/rigid/rigid_sites.h"

namespace carom {

/// rho of a pair [m].
double spin_radius(const Workspace& w, const ContactPair& pair);
/// w of (1) [rad/s].
double spin_rate(const Workspace& w, const ContactPair& pair, const RigidSite& site);
/// w' with the accelerations that the links have (LinkState::A) [rad/s^2].
double spin_acceleration(const Workspace& w, const ContactPair& pair, const RigidSite& site);
/// Turning slower than this is none: errors of the run would turn it round [rad/s].
double least_spin(const Workspace& w);

/// A problem u = W r + q of points, three rows each, with their turning about the normals inside:
/// that of points that turn follows their normal force, that of held ones is eliminated.
struct SpinProblem {
  std::vector<double> W, q;
  std::vector<std::size_t> held;     ///< points
  std::vector<double> free, answer;  ///< torques of these = free + answer r, row by row

  /// Torque of the k-th of `held` with the forces r.
  double torque(std::size_t k, std::span<const double> r) const;
};

/// `lever`: rho mu_k per point; `q`: of all rows.
SpinProblem take_in_spins(const RigidRows& rows, std::span<const RigidSpin> spins,
                          std::span<const double> lever, std::span<const double> q);

/// solve_impact of the points, with (1) of impulses: by turns, each with what the other has found.
/// W and u of the problem are those of all rows, and so is P. An impact in which drilling would
/// give energy has none.
ImpactAnswer strike_and_drill(const RigidRows& rows, const ImpactProblem& problem,
                              std::span<const double> lever, std::span<double> P);

}  // namespace carom
