// A triangle by its corners; without volume.
#include "carom/geometry/shape.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"a", "m", "first corner", kRequired, -kInf, kInf, ParamType::vector3},
    {"b", "m", "second corner", kRequired, -kInf, kInf, ParamType::vector3},
    {"c", "m", "third corner", kRequired, -kInf, kInf, ParamType::vector3},
};

Vec3 corner(std::span<const double> p, std::size_t i) {
  return {p[3 * i], p[3 * i + 1], p[3 * i + 2]};
}

std::string validate(std::span<const double> p) {
  const Vec3 u = corner(p, 1) - corner(p, 0), v = corner(p, 2) - corner(p, 0);
  if (norm2(cross(u, v)) > 1e-24 * norm2(u) * norm2(v)) return {};
  return "the corners of the triangle lie on a line; use a segment";
}

Core core(const Shape& s) {
  Core c;
  c.kind = &core_simplex, c.rounding = s.edge_radius, c.count = 3;
  for (std::size_t i = 0; i < 3; ++i) c.v[i] = corner(s.params, i);
  return c;
}

TriangleMesh tessellation(const Shape& s, int) {
  return {{corner(s.params, 0), corner(s.params, 1), corner(s.params, 2)}, {{0, 1, 2}}};
}

std::vector<ShapeInput> examples() {
  return {{.params = {0, 0, 0, 0.3, 0, 0.1, 0, 0.2, 0}},
          {.params = {0, 0, 0, 0.3, 0, 0.1, 0, 0.2, 0}, .edge_radius = 0.02}};
}

}  // namespace

extern const ShapeKind shape_triangle{.name = "triangle",
                                      .doc = "a triangle by its corners; without volume",
                                      .fields = kFields,
                                      .rounding = Rounding::layer,
                                      .validate = validate,
                                      .core = core,
                                      .tessellate = tessellation,
                                      .examples = examples};

}  // namespace carom
