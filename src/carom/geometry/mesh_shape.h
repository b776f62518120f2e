// What the kinds of shapes that come from mesh files share.
#pragma once

#include "carom/geometry/shape.h"

namespace carom {

std::string build_mesh(const ShapeInput& input, MeshData& out);
MassProperties mesh_unit_properties(const Shape& shape);
/// The hull, covered with the layer.
Core mesh_hull_core(const Shape& shape);
TriangleMesh mesh_triangles(const Shape& shape, int segments);
std::vector<ShapeInput> mesh_examples();

}  // namespace carom
