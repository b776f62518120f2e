// What contact by areas sees of a shape: its convex pieces with sharp edges. An edge radius stands
// for what a point would do at an edge, and an area has no need of it.
#pragma once

#include <vector>

#include "carom/geometry/shape.h"

namespace carom {

/// Nothing where the area of such a shape is not known. What a core refers to belongs to the shape.
std::vector<Core> area_cores(const Shape& shape);

/// Whether it presses by its triangles (mesh_area.h), in place of cores.
bool is_area_mesh(const Shape& shape);

}  // namespace carom
