// A triangle mesh of any form whose contact is on its triangles: hollows and holes stay
// open, and it can be touched at several places at once. A triangle has no inside, so the
// layer of the edge radius is what can be pressed into: depths beyond it are not those of
// the body.
#include "carom/geometry/mesh_shape.h"

namespace carom {
namespace {

PieceSet pieces(const Shape& s) { return make_triangle_pieces(s.mesh->mesh, s.edge_radius); }

}  // namespace

extern const ShapeKind shape_triangle_mesh{
    .name = "triangle_mesh",
    .doc = "a triangle mesh from a file, with contact on every triangle",
    .fields = {},
    .source = ShapeSource::mesh,
    .rounding = Rounding::layer,
    .convex = false,
    .contact_as =
        "its triangles; by the method elastic, plates as thick as the layer of its edge radius",
    .build = build_mesh,
    .unit_properties = mesh_unit_properties,
    .core = mesh_hull_core,
    .pieces = pieces,
    .tessellate = mesh_triangles,
    .examples = mesh_examples};

}  // namespace carom
