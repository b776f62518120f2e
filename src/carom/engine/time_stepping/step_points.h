// Where the bodies of a pair may press on each other within a time step: corners over a plane, the
// points of the patch on which flat faces lie, else the nearest points.
#pragma once

#include <vector>

#include "carom/engine/contact/contact_points.h"

namespace carom {

struct FoundPoint {
  std::uint32_t feature = 0;  ///< the same while it is the same corner of the pair
  Vec3 p, n;                  ///< half-way between the surfaces; normal from A to B
  double phi = 0.0;           ///< [m]
};

/// All points of the pair with gaps up to `reach`, at the kinematics last evaluated, into `out`,
/// which is cleared first. Returns the least gap; infinite where it is beyond `reach`.
double find_step_points(Workspace& w, const ContactPair& pair, double reach,
                        std::vector<FoundPoint>& out);

}  // namespace carom
