// Half space z <= 0: the ideal ground. Infinite, so it has no mass.
#include "carom/geometry/shape.h"

namespace carom {
namespace {

Core core(const Shape&) {
  Core c;
  c.kind = &core_half_space;
  return c;
}

/// A square piece of the plane: something to draw.
TriangleMesh tessellation(const Shape&, int) {
  const double h = 5.0;
  return {{{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}}, {{0, 1, 2}, {0, 2, 3}}};
}

std::vector<ShapeInput> examples() { return {{}}; }

}  // namespace

extern const ShapeKind shape_half_space{.name = "half_space",
                                        .doc = "everything below the plane z = 0",
                                        .fields = {},
                                        .core = core,
                                        .tessellate = tessellation,
                                        .examples = examples};

}  // namespace carom
