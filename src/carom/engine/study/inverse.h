// Inverse dynamics of a scene: what its drives must give for wanted accelerations.
//
// Joints outside of loops and couplings are all driven: they get the acceleration asked for,
// else zero. In a loop only so many joints can be driven as it has degrees of freedom, and
// these have to be named; the others follow without a drive. So the answer is unique, and
// forward dynamics with it gives the wanted accelerations back.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "carom/engine/study/study.h"

namespace carom {

struct RequiredForces {
  std::vector<double>
      forces;          ///< per velocity, beyond the springs, dampers and forces of the scene
  std::string reason;  ///< not empty: why there is no answer
};

/// `vdot` are the accelerations wanted of the velocities marked in `named`. A prescribed
/// motion accelerates as it prescribes. Friction counts where it slides; what sticks is held
/// by the drive alone.
RequiredForces required_forces(StudyState& state, std::span<const double> vdot,
                               std::span<const std::uint8_t> named);

}  // namespace carom
