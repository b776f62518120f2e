// How far a trajectory is from the exact one: the same scene at a hundredth of the
// tolerance (fixed steps: at half the step), compared at every recorded instant.
#pragma once

#include <memory>

#include "carom/engine/model.h"
#include "carom/record/recording.h"

namespace carom {

/// Largest differences over all bodies and recorded instants.
struct ErrorEstimate {
  double position = 0.0;          ///< [m]
  double orientation = 0.0;       ///< [rad]
  double velocity = 0.0;          ///< [m/s]
  double angular_velocity = 0.0;  ///< [rad/s]
  double tolerance = 0.0;         ///< of the run that served as reference; 0 with fixed steps
};

/// `recording` must hold the channels of group "bodies". Runs the scene once more.
ErrorEstimate estimate_error(const Model& model, const Recording& recording);

}  // namespace carom
