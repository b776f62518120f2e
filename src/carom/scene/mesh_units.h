// Meshes whose size looks like that of another unit.
#pragma once

#include <string>

#include "carom/scene/scene.h"

namespace carom {

/// What is odd about the size of a shape made of a mesh, beside the largest shape of the other
/// bodies, with what to write; empty: nothing.
std::string mesh_unit_finding(const Scene& scene, const BodySpec& body, const ShapeSpec& shape);

}  // namespace carom
