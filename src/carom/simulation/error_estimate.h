// How far a trajectory is from the exact one: the same scene at a hundredth of the
// tolerance (fixed steps: at half the step), compared at every recorded instant.
#pragma once

#include <memory>
#include <span>

#include "carom/engine/model.h"
#include "carom/record/recording.h"

namespace carom {

/// Largest differences over all bodies and recorded instants.
struct ErrorEstimate {
  double position = 0.0;          ///< [m]
  double orientation = 0.0;       ///< [rad]
  double velocity = 0.0;          ///< [m/s]
  double angular_velocity = 0.0;  ///< [rad/s]
  double reaction_force = 0.0;    ///< in joints and loops [N]
  double reaction_torque = 0.0;   ///< [N.m]
  double peak_force = 0.0;        ///< of the largest contact, drive and reaction forces [N]
  double peak_torque = 0.0;       ///< of the largest torques [N.m]
  double tolerance = 0.0;         ///< of the run that served as reference; 0 with fixed steps
};

/// `recording` must hold the channels of group "bodies"; reactions are compared where it has
/// them. `peaks` are the largest values of the run, each to be compared with that of the other
/// run. Runs the scene once more.
ErrorEstimate estimate_error(const Model& model, const Recording& recording,
                             std::span<const PeakRecord> peaks = {});

}  // namespace carom
