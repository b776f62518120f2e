// What one contact does at the state last evaluated.
#pragma once

#include <cstddef>

#include "carom/math/vec3.h"

namespace carom {

struct ContactReading {
  std::size_t pair = 0;  ///< into ContactMemory::pairs
  double phi = 0.0;      ///< [m]
  Vec3 point;            ///< centre of pressure [m]
  Vec3 normal;           ///< from A to B
  double normal_force = 0.0;
  Vec3 force;                                       ///< on B [N]
  Vec3 torque;                                      ///< on B about `point` [N·m]
  double slip_speed = 0.0;                          ///< [m/s]
  double normal_power = 0.0, friction_power = 0.0;  ///< dissipated [W]
  int points = 0;
};

}  // namespace carom
