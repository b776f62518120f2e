// What is told of a contact when it has ended; filled in after accepted steps.
#pragma once

#include <cstdint>

namespace carom {

struct LoadTrack {
  double peak_force = 0.0, peak_time = 0.0;  ///< of the normal force [N], [s]
  double peak_depth = 0.0;                   ///< [m]
  double slip = 0.0;                         ///< way slid so far [m]
  std::int64_t held_steps = 0;               ///< in which the guard held its force back
  bool passed_wall = false;                  ///< one body has come out of a wall of the other
};

}  // namespace carom
