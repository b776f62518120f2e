// Pipe (hollow cylinder) about the origin, axis x. Contact sees it without its bore.
#include <algorithm>

#include "carom/base/text.h"
#include "carom/geometry/round_bodies.h"
#include "carom/geometry/shape.h"

namespace carom {
namespace {

enum { kOuter, kInner, kLength };
constexpr ParamField kFields[] = {
    {"outer_radius", "m", "radius outside", kRequired, 0.0, kInf, ParamType::number, true},
    {"inner_radius", "m", "radius of the bore", kRequired, 0.0},
    {"length", "m", "length along x", kRequired, 0.0, kInf, ParamType::number, true},
};
constexpr unsigned kAxes[] = {kAlongY | kAlongZ, kAlongY | kAlongZ, kAlongX};

std::string validate(std::span<const double> p) {
  if (p[kInner] < p[kOuter]) return {};
  return "inner_radius of a pipe is " + number_text(p[kInner]) +
         ", it must be less than outer_radius = " + number_text(p[kOuter]);
}

MassProperties unit_properties(const Shape& s) {
  return hollow_cylinder_properties(s.params[kOuter], s.params[kInner], s.params[kLength]);
}

double max_edge_radius(std::span<const double> p) { return std::min(p[kOuter], 0.5 * p[kLength]); }

Core core(const Shape& s) {
  return make_cylinder_core(s.params[kOuter], s.params[kLength], s.edge_radius);
}

TriangleMesh tessellation(const Shape& s, int segments) {
  return hollow_cylinder_mesh(s.params[kOuter], s.params[kInner], s.params[kLength], segments);
}

std::vector<ShapeInput> examples() { return {{.params = {0.1, 0.08, 0.4}}}; }

}  // namespace

extern const ShapeKind shape_pipe{.name = "pipe",
                                  .doc = "a hollow cylinder along x about the origin",
                                  .fields = kFields,
                                  .axes = kAxes,
                                  .rounding = Rounding::inward,
                                  .convex = false,
                                  .contact_as = "a full cylinder",
                                  .validate = validate,
                                  .unit_properties = unit_properties,
                                  .core = core,
                                  .max_edge_radius = max_edge_radius,
                                  .tessellate = tessellation,
                                  .examples = examples};

}  // namespace carom
