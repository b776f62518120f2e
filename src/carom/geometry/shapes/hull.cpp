// The convex hull of points.
#include "carom/geometry/mesh_shape.h"
#include "carom/geometry/tessellation.h"

namespace carom {
namespace {

std::string build(const ShapeInput& input, MeshData& out) {
  if (input.mesh.vertices.size() < 4) return "a hull takes at least four points";
  out.hull = make_polytope(input.mesh.vertices);
  if (out.hull.dimension == 2) return "the points of the hull lie in a plane; use a polygon";
  if (out.hull.dimension < 2) return "the points of the hull lie on a line; use a segment";
  take_hull_as_mesh(out);
  return {};
}

std::vector<ShapeInput> examples() {
  ShapeInput cube, cloud{.edge_radius = 0.01};
  for (int i = 0; i < 8; ++i) {
    cube.mesh.vertices.push_back({0.2 * (i & 1), 0.15 * (i >> 1 & 1), 0.1 * (i >> 2)});
  }
  cube.mesh.vertices.push_back({0.1, 0.1, 0.05});
  for (const Vec3& d : spread_directions(300)) {
    cloud.mesh.vertices.push_back({0.3 * d.x, 0.2 * d.y, 0.1 + 0.25 * d.z});
  }
  return {cube, cloud};
}

}  // namespace

extern const ShapeKind shape_hull{.name = "hull",
                                  .doc = "the convex hull of points",
                                  .fields = {},
                                  .source = ShapeSource::points,
                                  .rounding = Rounding::layer,
                                  .build = build,
                                  .unit_properties = mesh_unit_properties,
                                  .core = mesh_hull_core,
                                  .tessellate = mesh_triangles,
                                  .examples = examples};

}  // namespace carom
