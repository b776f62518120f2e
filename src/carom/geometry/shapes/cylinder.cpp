// Cylinder about the origin, axis x. Rounded by moving barrel and caps in by q.
#include <algorithm>

#include "carom/geometry/round_bodies.h"
#include "carom/geometry/shape.h"

namespace carom {
namespace {

enum { kRadius, kLength };
constexpr ParamField kFields[] = {
    {"radius", "m", "radius", kRequired, 0.0, kInf, ParamType::number, true},
    {"length", "m", "length along x", kRequired, 0.0, kInf, ParamType::number, true},
};
constexpr unsigned kAxes[] = {kAlongY | kAlongZ, kAlongX};

MassProperties unit_properties(const Shape& s) {
  return hollow_cylinder_properties(s.params[kRadius], 0.0, s.params[kLength]);
}

double max_edge_radius(std::span<const double> p) { return std::min(p[kRadius], 0.5 * p[kLength]); }

Core core(const Shape& s) {
  return make_cylinder_core(s.params[kRadius], s.params[kLength], s.edge_radius);
}

TriangleMesh tessellation(const Shape& s, int segments) {
  return hollow_cylinder_mesh(s.params[kRadius], 0.0, s.params[kLength], segments);
}

std::vector<ShapeInput> examples() {
  return {{.params = {0.1, 0.4}}, {.params = {0.2, 0.1}, .edge_radius = 0.03}};
}

}  // namespace

extern const ShapeKind shape_cylinder{.name = "cylinder",
                                      .doc = "a cylinder along x about the origin",
                                      .fields = kFields,
                                      .axes = kAxes,
                                      .rounding = Rounding::inward,
                                      .unit_properties = unit_properties,
                                      .core = core,
                                      .max_edge_radius = max_edge_radius,
                                      .tessellate = tessellation,
                                      .examples = examples};

}  // namespace carom
