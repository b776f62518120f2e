// A tetrahedron by its corners, in any order.
#include <utility>

#include "carom/geometry/shape.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"a", "m", "first corner", kRequired, -kInf, kInf, ParamType::vector3},
    {"b", "m", "second corner", kRequired, -kInf, kInf, ParamType::vector3},
    {"c", "m", "third corner", kRequired, -kInf, kInf, ParamType::vector3},
    {"d", "m", "fourth corner", kRequired, -kInf, kInf, ParamType::vector3},
};

Vec3 corner(std::span<const double> p, std::size_t i) {
  return {p[3 * i], p[3 * i + 1], p[3 * i + 2]};
}

/// Six times the signed volume.
double determinant_of(std::span<const double> p) {
  const Vec3 a = corner(p, 0);
  return dot(corner(p, 1) - a, cross(corner(p, 2) - a, corner(p, 3) - a));
}

std::string validate(std::span<const double> p) {
  const Vec3 a = corner(p, 0);
  const double size = norm(corner(p, 1) - a) * norm(corner(p, 2) - a) * norm(corner(p, 3) - a);
  if (std::abs(determinant_of(p)) > 1e-12 * size) return {};
  return "the corners of the tetrahedron lie in a plane; use a polygon";
}

TriangleMesh tessellation(const Shape& s, int) {
  TriangleMesh mesh{{}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  for (std::size_t i = 0; i < 4; ++i) mesh.vertices.push_back(corner(s.params, i));
  if (determinant_of(s.params) < 0.0) std::swap(mesh.vertices[0], mesh.vertices[1]);
  return mesh;
}

MassProperties unit_properties(const Shape& s) { return polyhedron_properties(tessellation(s, 0)); }

Core core(const Shape& s) {
  Core c;
  c.kind = &core_simplex, c.rounding = s.edge_radius, c.count = 4;
  for (std::size_t i = 0; i < 4; ++i) c.v[i] = corner(s.params, i);
  return c;
}

std::vector<ShapeInput> examples() {
  return {{.params = {0, 0, 0, 0.3, 0, 0, 0, 0.2, 0, 0.1, 0.1, 0.4}},
          {.params = {0.3, 0, 0, 0, 0, 0, 0, 0.2, 0, 0.1, 0.1, 0.4}, .edge_radius = 0.01}};
}

}  // namespace

extern const ShapeKind shape_tetrahedron{.name = "tetrahedron",
                                         .doc = "a tetrahedron by its corners, in any order",
                                         .fields = kFields,
                                         .rounding = Rounding::layer,
                                         .validate = validate,
                                         .unit_properties = unit_properties,
                                         .core = core,
                                         .tessellate = tessellation,
                                         .examples = examples};

}  // namespace carom
