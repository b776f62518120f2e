// What implicit steps know of a free body that rests (engine/implicit/frozen.h).
#pragma once

#include <array>
#include <cstdint>

#include "carom/math/spatial.h"

namespace carom {

struct RestRecord {
  std::int32_t island = 0;    ///< a number of all that was frozen together; 0: it may move
  double still = 0.0;         ///< for how long it has not moved; of what is frozen, since then [s]
  double speed = 0.0;         ///< where that time began [m/s]
  std::array<double, 7> q{};  ///< coordinates at which it is frozen
  Vec3 force, torque;         ///< that act on it there besides contacts, about the centre of mass
};

}  // namespace carom
