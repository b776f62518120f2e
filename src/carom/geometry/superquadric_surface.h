// A superquadric as a smooth surface, for contacts with surfaces by formulas.
//
// A state is a direction in the axes scaled by the half axes, its largest component ±1: a point of
// a cube, which is projected from the middle. Cells are rectangles on the faces of that cube; over
// them |x|/r and r/N of superquadric_core.h (1) are monotonic in every coordinate, so bounds of
// points and normals come from corners, whatever the exponents are.
#pragma once

#include <memory>

#include "carom/geometry/core.h"
#include "carom/geometry/smooth_surface.h"

namespace carom {

std::shared_ptr<const SmoothSurface> make_superquadric_surface(const Core& core);

}  // namespace carom
