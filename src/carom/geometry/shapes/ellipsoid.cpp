// Ellipsoid about the origin with half axes a, b, c along x, y, z:
// V = 4/3 π a b c, I_xx = m (b² + c²) / 5.
#include <numbers>

#include "carom/geometry/shape.h"
#include "carom/geometry/tessellation.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"radii", "m", "half axes along x, y, z", kRequired, 0.0, kInf, ParamType::vector3, true},
};

Vec3 radii(const Shape& s) { return {s.params[0], s.params[1], s.params[2]}; }

MassProperties unit_properties(const Shape& s) {
  const Vec3 a = radii(s);
  const double volume = 4.0 / 3.0 * std::numbers::pi * a.x * a.y * a.z;
  const double x2 = a.x * a.x, y2 = a.y * a.y, z2 = a.z * a.z;
  return {volume, volume, {}, 0.2 * volume * Sym3::diagonal({y2 + z2, x2 + z2, x2 + y2})};
}

Core core(const Shape& s) {
  Core c;
  c.kind = &core_ellipsoid;
  c.v[0] = radii(s);
  return c;
}

TriangleMesh tessellation(const Shape& s, int segments) {
  TriangleMesh mesh = unit_sphere(segments);
  scale(mesh, radii(s));
  return mesh;
}

std::vector<ShapeInput> examples() { return {{.params = {0.3, 0.2, 0.1}}}; }

}  // namespace

extern const ShapeKind shape_ellipsoid{.name = "ellipsoid",
                                       .doc = "an ellipsoid about the origin",
                                       .fields = kFields,
                                       .unit_properties = unit_properties,
                                       .core = core,
                                       .tessellate = tessellation,
                                       .examples = examples};

}  // namespace carom
