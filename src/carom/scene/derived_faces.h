// Idealised surfaces from a shape: the faces of a box, the side and the ends of a cylinder.
#pragma once

#include <string>
#include <vector>

#include "carom/scene/scene.h"

namespace carom {

/// The surfaces of a shape, with sharp edges; `like` gives body, material and place in the file,
/// and the first part of their names: NAME_plus_x, NAME_minus_x, …, NAME_side. None where the
/// shape has no such faces.
std::vector<SurfaceSpec> derive_faces(const SurfaceSpec& like, const ShapeSpec& shape);

}  // namespace carom
