// Convex pieces from a mesh file: every part that is connected through vertices is taken
// as its convex hull. That is how a decomposition of a body into convex parts is given.
#include "carom/geometry/mesh_shape.h"

namespace carom {
namespace {

PieceSet pieces(const Shape& s) { return make_convex_pieces(s.mesh->mesh, s.edge_radius); }

}  // namespace

extern const ShapeKind shape_convex_pieces{.name = "convex_pieces",
                                           .doc = "the convex parts of a mesh file",
                                           .fields = {},
                                           .source = ShapeSource::mesh,
                                           .rounding = Rounding::layer,
                                           .convex = false,
                                           .contact_as = "the convex hulls of its connected parts",
                                           .build = build_mesh,
                                           .unit_properties = mesh_unit_properties,
                                           .core = mesh_hull_core,
                                           .pieces = pieces,
                                           .tessellate = mesh_triangles,
                                           .examples = mesh_examples};

}  // namespace carom
