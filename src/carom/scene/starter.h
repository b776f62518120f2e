// The scene that `carom new` writes.
#pragma once

#include <string>

namespace carom {

/// A pendulum with comments that explain the format.
std::string starter_scene();

}  // namespace carom
