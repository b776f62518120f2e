// The velocity problem of a step (velocity_problem.h), assembled from the parts of contact.
#pragma once

#include <array>
#include <optional>

#include "carom/contact/pair_law.h"
#include "carom/engine/evaluate.h"
#include "carom/math/velocity_problem.h"

namespace carom {

/// What a row's law is asked with.
struct RowLaw {
  const PairLaw* law = nullptr;
  NormalInput in;  ///< but for the depth
  std::array<double, kNormalConstants> constants{};
};

/// Where parts put their rows.
struct RowBuffer {
  VelocityProblem problem;
  std::vector<RowLaw> laws;  ///< per contact

  void clear();
  /// A point of the pair at p_W with the normal n_AB_W and depth `contact.depth`; its rows are made
  /// here. `push`: where the impulse of its normal row acts, if not along the normal.
  void add(const Workspace& w, const ContactPair& pair, const Vec3& p_W, const Vec3& n_AB_W,
           VelocityContact contact, const RowLaw& law, const std::optional<Vec3>& push = {});
};

/// The problem of the step of length h from (t, x), of the pairs that are near there. Kinematics
/// and factors of the mass stay in the Workspace for the two functions below.
///
/// v* = v + h a, with the accelerations a of all forces but contacts where the step begins;
/// gyroscopic torques are among them, so a body that spins fast wants short steps or a better v*.
Status assemble_velocity_problem(Workspace& w, double t, std::span<const double> x, double h,
                                 RowBuffer& out);

/// M v. Velocities that are not free take part.
void mass_times(Workspace& w, std::span<const double> v, std::span<double> p);
/// The velocities that an impulse p gives: M⁻¹ p, loops and couplings kept, known ones at rest.
void inverse_mass_times(Workspace& w, std::span<const double> p, std::span<double> v);

ContactPotential potential_of(const RowLaw& law, double depth);

}  // namespace carom
