// Where two scenes differ, field by field, exactly. Places in the source do not count.
#pragma once

#include <string>

#include "carom/scene/scene.h"

namespace carom {

/// Names the first field that differs; empty if the scenes are equal.
std::string first_difference(const Scene& a, const Scene& b);

}  // namespace carom
