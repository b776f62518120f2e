#include "carom/geometry/mesh_shape.h"

#include <algorithm>

namespace carom {

std::string build_mesh(const ShapeInput& input, MeshData& out) {
  const TriangleMesh& mesh = input.mesh;
  if (mesh.triangles.empty()) return "the mesh has no triangles";
  for (const Triangle& t : mesh.triangles) {
    if (std::max({t[0], t[1], t[2]}) >= mesh.vertices.size()) {
      return "a triangle of the mesh names a vertex that is not there";
    }
  }
  out.mesh = mesh;
  out.report = inspect(mesh);
  out.hull = make_polytope(mesh.vertices);
  return {};
}

MassProperties mesh_unit_properties(const Shape& s) { return polyhedron_properties(s.mesh->mesh); }

Core mesh_hull_core(const Shape& s) {
  Core c;
  c.kind = &core_polytope, c.rounding = s.edge_radius;
  c.data = &s.mesh->hull;
  return c;
}

TriangleMesh mesh_triangles(const Shape& s, int) { return s.mesh->mesh; }

TriangleMesh surface_triangles(const Shape& s, int segments) {
  return s.surface->triangles(segments);
}

TriangleMesh sheet_triangles(const Shape& s, int segments) {
  return s.surface->triangles(4 * segments / 3);
}

void take_hull_as_mesh(MeshData& out) {
  out.mesh.vertices = out.hull.vertices;
  out.mesh.triangles = triangulate(out.hull);
  out.report = inspect(out.mesh);
}

/// An L made of a long and a short leg: not convex, seven faces of its outline.
std::vector<ShapeInput> mesh_examples() {
  ShapeInput input;
  const Vec3 outline[] = {{0, 0, 0},     {0.4, 0, 0},   {0.4, 0.1, 0},
                          {0.1, 0.1, 0}, {0.1, 0.3, 0}, {0, 0.3, 0}};
  for (const double z : {0.0, 0.2}) {
    for (const Vec3& p : outline) input.mesh.vertices.push_back({p.x, p.y, z});
  }
  const Triangle cap[] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  for (const Triangle& t : cap) {
    input.mesh.triangles.push_back({t[0], t[2], t[1]});
    input.mesh.triangles.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
  }
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t j = (i + 1) % 6;
    input.mesh.triangles.push_back({i, j, j + 6});
    input.mesh.triangles.push_back({i, j + 6, i + 6});
  }
  ShapeInput covered = input;
  covered.edge_radius = 0.005;
  covered.scale = {1.0, 2.0, 0.5};
  return {input, covered};
}

}  // namespace carom
