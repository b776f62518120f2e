// Box about the origin: I_xx = m (b² + c²) / 12. Rounded by moving its faces in by q.
#include <algorithm>

#include "carom/geometry/shape.h"
#include "carom/geometry/tessellation.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"size", "m", "edge lengths along x, y, z", kRequired, 0.0, kInf, ParamType::vector3, true},
};

Vec3 size(const Shape& s) { return {s.params[0], s.params[1], s.params[2]}; }

MassProperties unit_properties(const Shape& s) {
  const Vec3 a = size(s);
  const double volume = a.x * a.y * a.z;
  const double x2 = a.x * a.x, y2 = a.y * a.y, z2 = a.z * a.z;
  return {volume, volume, {}, volume / 12.0 * Sym3::diagonal({y2 + z2, x2 + z2, x2 + y2})};
}

double max_edge_radius(std::span<const double> p) { return 0.5 * std::min({p[0], p[1], p[2]}); }

Core core(const Shape& s) {
  const double q = s.edge_radius;
  Core c;
  c.kind = &core_box, c.rounding = q;
  c.v[0] = 0.5 * size(s) - Vec3{q, q, q};
  return c;
}

TriangleMesh tessellation(const Shape& s, int) {
  const Vec3 h = 0.5 * size(s);
  const Vec3 face[] = {{-h.x, -h.y, 0}, {h.x, -h.y, 0}, {h.x, h.y, 0}, {-h.x, h.y, 0}};
  return extrude(face, {}, h.z);
}

std::vector<ShapeInput> examples() {
  return {{.params = {0.4, 0.3, 0.2}},
          {.params = {0.4, 0.3, 0.2}, .edge_radius = 0.05},
          {.params = {0.4, 0.3, 0.2}, .edge_radius = 0.0}};
}

}  // namespace

extern const ShapeKind shape_box{.name = "box",
                                 .doc = "a box about the origin",
                                 .fields = kFields,
                                 .rounding = Rounding::inward,
                                 .unit_properties = unit_properties,
                                 .core = core,
                                 .max_edge_radius = max_edge_radius,
                                 .tessellate = tessellation,
                                 .examples = examples};

}  // namespace carom
