// Sphere about the origin: V = 4/3 π r³, I = 2/5 m r². Its core is a point.
#include <numbers>

#include "carom/geometry/shape.h"
#include "carom/geometry/tessellation.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"radius", "m", "radius", kRequired, 0.0, kInf, ParamType::number, true},
};

MassProperties unit_properties(const Shape& s) {
  const double r = s.params[0];
  const double volume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const double i = 0.4 * volume * r * r;
  return {volume, volume, {}, Sym3::diagonal({i, i, i})};
}

Core core(const Shape& s) { return make_point_core({}, s.params[0]); }

TriangleMesh tessellation(const Shape& s, int segments) {
  TriangleMesh mesh = unit_sphere(segments);
  scale(mesh, {s.params[0], s.params[0], s.params[0]});
  return mesh;
}

std::vector<ShapeInput> examples() { return {{.params = {0.25}}}; }

}  // namespace

extern const ShapeKind shape_sphere{.name = "sphere",
                                    .doc = "a ball about the origin",
                                    .fields = kFields,
                                    .unit_properties = unit_properties,
                                    .core = core,
                                    .tessellate = tessellation,
                                    .examples = examples};

}  // namespace carom
