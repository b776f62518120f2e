// Gearwheel about the origin, axis x. Teeth are drawn only: mass and contact are
// those of cylinders with the pitch radius, on which two wheels roll.
//
// With the module m = 2 radius / teeth the drawn tip lies at radius + m and the root
// at radius - 1.25 m (ISO 53).
#include <algorithm>
#include <numbers>

#include "carom/base/text.h"
#include "carom/geometry/round_bodies.h"
#include "carom/geometry/shape.h"

namespace carom {
namespace {

enum { kRadius, kWidth, kTeeth, kHole };
constexpr ParamField kFields[] = {
    {"radius", "m", "pitch radius", kRequired, 0.0, kInf, ParamType::number, true},
    {"width", "m", "width along x", kRequired, 0.0, kInf, ParamType::number, true},
    {"teeth", "-", "number of teeth", 20.0, 4.0, 10000.0, ParamType::integer},
    {"hole_radius", "m", "radius of the bore", 0.0, 0.0},
};
constexpr unsigned kAxes[] = {kAlongY | kAlongZ, kAlongX, 0u, kAlongY | kAlongZ};

double root_radius(std::span<const double> p) { return p[kRadius] * (1.0 - 2.5 / p[kTeeth]); }
double tip_radius(std::span<const double> p) { return p[kRadius] * (1.0 + 2.0 / p[kTeeth]); }

std::string validate(std::span<const double> p) {
  if (p[kHole] < root_radius(p)) return {};
  return "hole_radius of a gearwheel is " + number_text(p[kHole]) +
         ", it must be less than the root radius " + number_text(root_radius(p));
}

MassProperties unit_properties(const Shape& s) {
  return hollow_cylinder_properties(s.params[kRadius], s.params[kHole], s.params[kWidth]);
}

double max_edge_radius(std::span<const double> p) { return std::min(p[kRadius], 0.5 * p[kWidth]); }

Core core(const Shape& s) {
  return make_cylinder_core(s.params[kRadius], s.params[kWidth], s.edge_radius);
}

/// Four points a tooth: up the flank, along the tip, down, along the root. Every point
/// of the outline has its partner on the bore at the same angle.
TriangleMesh tessellation(const Shape& s, int) {
  const double root = root_radius(s.params), tip = tip_radius(s.params);
  const double hole = s.params[kHole], h = 0.5 * s.params[kWidth];
  const double corner_angle[] = {-0.30, -0.15, 0.15, 0.30};
  const double corner_radius[] = {root, tip, tip, root};
  TriangleMesh mesh;
  const auto n = 4 * static_cast<std::uint32_t>(s.params[kTeeth]);
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t tooth = k / 4;
    const double a = 2.0 * std::numbers::pi * (tooth + corner_angle[k % 4]) / s.params[kTeeth];
    const double c = std::cos(a), w = std::sin(a), r = corner_radius[k % 4];
    mesh.vertices.push_back({-h, r * c, r * w});
    mesh.vertices.push_back({h, r * c, r * w});
    mesh.vertices.push_back({h, hole * c, hole * w});
    mesh.vertices.push_back({-h, hole * c, hole * w});
  }
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t a = 4 * k, b = 4 * ((k + 1) % n);
    for (std::uint32_t side = 0; side < 4; ++side) {
      const std::uint32_t next = (side + 1) % 4;
      mesh.triangles.push_back({a + side, b + side, b + next});
      mesh.triangles.push_back({a + side, b + next, a + next});
    }
  }
  weld(mesh);
  return mesh;
}

std::vector<ShapeInput> examples() {
  return {{.params = {0.1, 0.03, 24, 0.02}}, {.params = {0.05, 0.02, 40, 0.0}}};
}

}  // namespace

extern const ShapeKind shape_gearwheel{.name = "gearwheel",
                                       .doc = "a gearwheel along x about the origin",
                                       .fields = kFields,
                                       .axes = kAxes,
                                       .rounding = Rounding::inward,
                                       .convex = false,
                                       .contact_as = "a full cylinder of the pitch radius",
                                       .mass_as = "a hollow cylinder of the pitch radius",
                                       .validate = validate,
                                       .unit_properties = unit_properties,
                                       .core = core,
                                       .max_edge_radius = max_edge_radius,
                                       .tessellate = tessellation,
                                       .examples = examples};

}  // namespace carom
