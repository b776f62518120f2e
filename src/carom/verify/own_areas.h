// Contact areas and their forces from poses, by a quadrature that shares nothing with
// proximity/area: rays from the deepest point, their ends by halving, Simpson's rule in the square
// of the radius along each.
#pragma once

#include "carom/verify/own_contacts.h"

namespace carom::verify {

/// Compares the recorded area of balls, ellipsoids, boxes and half spaces on each other, and of
/// balls and ellipsoids on graphs whose hollows they fit into; and the normal force where the law
/// has no damping and the layer is given.
void compare_areas(const Model& model, const Recording& rows, std::vector<Recomputed>& out);

}  // namespace carom::verify
