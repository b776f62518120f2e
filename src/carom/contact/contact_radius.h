// Modia3D's contact radius: one length per shape, from its kind and size, by which its law
// scales stiffness and rolling resistance where it does not look at curvature.
#pragma once

#include "carom/geometry/shape.h"

namespace carom {

struct ContactRadius {
  double radius = 0.0;   ///< [m]
  bool is_flat = false;  ///< box, beam, half space: the other shape's radius counts
  bool is_sphere = false;
};

ContactRadius contact_radius(const Shape& shape);
/// r1 r2 / (r1 + r2), or that of the one that is not flat [m].
double combined_radius(const ContactRadius& a, const ContactRadius& b);

}  // namespace carom
