// Cylinders with and without a bore: shared by cylinder, pipe, gearwheel and spring.
#pragma once

#include "carom/geometry/mass_properties.h"
#include "carom/geometry/mesh.h"

namespace carom {

/// Density 1, axis x through the origin:
/// I_axial = m (R² + r²) / 2,  I_across = m (3 (R² + r²) + L²) / 12.
MassProperties hollow_cylinder_properties(double outer, double inner, double length);

TriangleMesh hollow_cylinder_mesh(double outer, double inner, double length, int segments);

}  // namespace carom
