// A half space against anything: the normal is known, the rest is one support point.
#pragma once

#include "carom/proximity/distance.h"

namespace carom {

/// One of A and B is a half space. Two of them have no distance: status fatal.
Contact half_space_distance(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB);

}  // namespace carom
