// Where a contact leaves the range of its law (N16): Hertz' theory wants depths that are
// small against the radius of curvature, and pressures that do not make the solid yield.
//
//   d <= R / 10,   p_mean = (4 / (3 pi)) E* sqrt(d / R) <= 1.6 Y                          (1)
//
// R = 1 / sqrt(k1 k2); Johnson, "Contact Mechanics" (1985), 4.2 and 6.1.
#pragma once

#include <string>

#include "carom/engine/workspace.h"

namespace carom {

/// What is wrong with the deepest overlap of the pair so far; "" if nothing is.
std::string validity_warning(const Workspace& w, const ContactPair& pair, const Contact& contact);

}  // namespace carom
