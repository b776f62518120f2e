// A triangle mesh, usually from a file. Its mass is that of the enclosed body; in contact
// it is its convex hull.
#include "carom/geometry/mesh_shape.h"

namespace carom {

extern const ShapeKind shape_mesh{.name = "mesh",
                                  .doc = "a triangle mesh from a file",
                                  .fields = {},
                                  .source = ShapeSource::mesh,
                                  .rounding = Rounding::layer,
                                  .convex = false,
                                  .contact_as = "its convex hull",
                                  .build = build_mesh,
                                  .unit_properties = mesh_unit_properties,
                                  .core = mesh_hull_core,
                                  .tessellate = mesh_triangles,
                                  .examples = mesh_examples};

}  // namespace carom
