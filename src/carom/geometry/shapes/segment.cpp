// A straight segment between two points; without volume.
#include "carom/geometry/shape.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"start", "m", "one end", kRequired, -kInf, kInf, ParamType::vector3},
    {"end", "m", "the other end", kRequired, -kInf, kInf, ParamType::vector3},
};

Vec3 start(const Shape& s) { return {s.params[0], s.params[1], s.params[2]}; }
Vec3 end(const Shape& s) { return {s.params[3], s.params[4], s.params[5]}; }

Core core(const Shape& s) { return make_segment_core(start(s), end(s), s.edge_radius); }

TriangleMesh tessellation(const Shape& s, int) { return {{start(s), end(s)}, {}}; }

std::vector<ShapeInput> examples() {
  return {{.params = {-0.1, 0, 0, 0.3, 0.1, 0.2}},
          {.params = {-0.1, 0, 0, 0.3, 0.1, 0.2}, .edge_radius = 0.02}};
}

}  // namespace

extern const ShapeKind shape_segment{.name = "segment",
                                     .doc = "a straight segment between two points; without volume",
                                     .fields = kFields,
                                     .rounding = Rounding::layer,
                                     .core = core,
                                     .tessellate = tessellation,
                                     .examples = examples};

}  // namespace carom
