// Where a line leaves a convex body: what a depth measured along one direction is made of.
#pragma once

#include <limits>

#include "carom/geometry/core.h"

namespace carom {

struct LineExit {
  double t = 0.0;  ///< along the line [m]
  Vec3 normal;     ///< outward, of the surface there; a unit vector
};

/// The largest t for which p + t d is in the core, in its axes; d is a unit vector. False where the
/// line passes it by. The core is one that knows_exits(). A guess, where a line beside it leaves
/// the body, may save time and changes rounding alone.
bool find_exit(const Core& core, const Vec3& p, const Vec3& d, LineExit& out,
               double guess = std::numeric_limits<double>::quiet_NaN());

/// Whether the core has a closed form: balls, capsules, and bodies with sharp edges.
bool knows_exits(const Core& core);

}  // namespace carom
