// A flat convex polygon: the hull of points in a plane; without volume.
#include "carom/geometry/mesh_shape.h"

namespace carom {
namespace {

std::string build(const ShapeInput& input, MeshData& out) {
  out.hull = make_polytope(input.mesh.vertices);
  if (out.hull.dimension == 3) return "the points of the polygon do not lie in a plane; use a hull";
  if (out.hull.dimension < 2) return "the points of the polygon lie on a line; use a segment";
  take_hull_as_mesh(out);
  return {};
}

std::vector<ShapeInput> examples() {
  ShapeInput square;
  square.mesh.vertices = {{-1, -1, 0.5}, {1, -1, 0.5}, {1, 1, 0.5}, {-1, 1, 0.5}, {0, 0.2, 0.5}};
  ShapeInput round{.edge_radius = 0.05};
  for (int i = 0; i < 60; ++i) {
    const double a = 0.1 * i;
    round.mesh.vertices.push_back({std::cos(a), 0.6 * std::sin(a), 0.8 * std::sin(a)});
  }
  return {square, round};
}

}  // namespace

extern const ShapeKind shape_polygon{.name = "polygon",
                                     .doc = "the convex hull of points in a plane; without volume",
                                     .fields = {},
                                     .source = ShapeSource::points,
                                     .rounding = Rounding::layer,
                                     .build = build,
                                     .core = mesh_hull_core,
                                     .tessellate = mesh_triangles,
                                     .examples = examples};

}  // namespace carom
