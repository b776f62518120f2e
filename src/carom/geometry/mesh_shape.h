// What kinds of shapes share that have vertices and a hull: of meshes, of points, and of smooth
// surfaces, whose MeshData are their triangles.
#pragma once

#include "carom/geometry/shape.h"

namespace carom {

std::string build_mesh(const ShapeInput& input, MeshData& out);
MassProperties mesh_unit_properties(const Shape& shape);
/// The hull, covered with the layer.
Core mesh_hull_core(const Shape& shape);
TriangleMesh mesh_triangles(const Shape& shape, int segments);
/// Of a smooth surface that closes in itself: `segments` along each of its parameters.
TriangleMesh surface_triangles(const Shape& shape, int segments);
/// Of one that is a sheet, drawn finer: all of it is one side, where a closed one has two.
TriangleMesh sheet_triangles(const Shape& shape, int segments);
/// Of points: the mesh is that of their hull, which is known.
void take_hull_as_mesh(MeshData& out);
std::vector<ShapeInput> mesh_examples();

}  // namespace carom
