// A point at the origin; with an edge radius, a massless ball.
#include "carom/geometry/shape.h"

namespace carom {
namespace {

Core core(const Shape& s) { return make_point_core({}, s.edge_radius); }

TriangleMesh tessellation(const Shape&, int) { return {{{}}, {}}; }

std::vector<ShapeInput> examples() { return {{.edge_radius = 0.01}, {}}; }

}  // namespace

extern const ShapeKind shape_point{.name = "point",
                                   .doc = "the origin; without volume",
                                   .fields = {},
                                   .rounding = Rounding::layer,
                                   .core = core,
                                   .tessellate = tessellation,
                                   .examples = examples};

}  // namespace carom
