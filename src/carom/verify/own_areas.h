// Contact areas, their forces and centres of pressure from poses, by quadratures that share nothing
// with proximity/area (own_quadrature.h).
#pragma once

#include "carom/verify/own_contacts.h"

namespace carom::verify {

/// Compares the recorded area of balls, ellipsoids, boxes, superquadrics, cylinders, capsules,
/// cones and half spaces on each other, of tori on half spaces, balls and each other, of balls and
/// ellipsoids on graphs whose hollows they fit into, and of closed meshes with all of these but
/// graphs; and the normal force and its place where the law has no damping and the layer is given.
/// Within what each is stated to be integrated to.
void compare_areas(const Model& model, const Recording& rows, std::vector<Recomputed>& out);

}  // namespace carom::verify
