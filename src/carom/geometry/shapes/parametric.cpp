// A surface by three formulas in two parameters (parametric_surface.h); closed ones are bodies.
#include "carom/geometry/mesh_shape.h"
#include "carom/geometry/parametric_surface.h"

namespace carom {
namespace {

constexpr FormulaField kFormulas[] = {{"x", "m", "a formula in u and v"},
                                      {"y", "m", "a formula in u and v"},
                                      {"z", "m", "a formula in u and v"}};
constexpr FormulaField kRanges[] = {{"u", "-", "from and to"}, {"v", "-", "from and to"}};

std::shared_ptr<const SmoothSurface> surface(const ShapeInput& input, std::string& problem) {
  auto made = std::make_shared<ParametricSurface>();
  problem = made->make(input.formulas, kRanges);
  if (!problem.empty()) return nullptr;
  return made;
}

MassProperties unit_properties(const Shape& s) {
  return static_cast<const ParametricSurface&>(*s.surface).unit_properties();
}

std::vector<ShapeInput> examples() {
  ShapeInput egg;
  egg.formulas.texts = {
      {"x", "a*cos(u)*cos(v)"}, {"y", "b*sin(u)*cos(v)"}, {"z", "c*sin(v)*(1 + 0.2*sin(v))"}};
  egg.formulas.ranges = {{"u", -3.141592653589793, 3.141592653589793},
                         {"v", -1.5707963267948966, 1.5707963267948966}};
  egg.formulas.with = {{"a", 0.1}, {"b", 0.07}, {"c", 0.05}};
  return {egg};
}

}  // namespace

extern const ShapeKind shape_parametric{.name = "parametric",
                                        .doc = "a surface by three formulas in two parameters",
                                        .formulas = kFormulas,
                                        .ranges = kRanges,
                                        .source = ShapeSource::formulas,
                                        .convex = false,
                                        .surface = surface,
                                        .unit_properties = unit_properties,
                                        .core = mesh_hull_core,
                                        .tessellate = surface_triangles,
                                        .examples = examples};

}  // namespace carom
