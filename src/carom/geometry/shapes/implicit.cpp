// A body h(x, y, z) < 0 by a formula, within a box. A state is the point itself; with g the
// gradient and B the Hessian of h,
//
//   n = g/|g|,   K = P B P/|g|,   P = 1 - n nᵀ                                       (1)
//
// and a step leads to p + t, from where Newton's method goes along the gradient back to h = 0.
//
// Volume and moments are integrals over the surface (divergence theorem), which is cut into
// triangles whose corners and middles of edges lie on it: parabolas, off by the fourth power of
// their size.
#include <cmath>

#include "carom/geometry/implicit_mesh.h"
#include "carom/geometry/mesh_shape.h"
#include "carom/geometry/surface_tape.h"
#include "carom/math/formula_run.h"

namespace carom {
namespace {

constexpr FormulaField kFormulas[] = {
    {"h", "-", "negative inside, a formula in x, y and z; its gradient is not zero where h is"}};
constexpr FormulaField kRanges[] = {
    {"x", "m", "from and to"}, {"y", "m", "from and to"}, {"z", "m", "from and to"}};

class ImplicitBody final : public ImplicitSurface {
 public:
  std::string make(const SurfaceFormulas& formulas) {
    std::string problem;
    tape_ = surface_tape(formulas, kRanges, "h", problem);
    SurfaceCell whole;
    for (std::size_t i = 0; i < 3 && problem.empty(); ++i) {
      whole.s[i] = surface_range(formulas, kRanges[i].name, problem);
    }
    if (!problem.empty()) return problem;
    return finish(whole);
  }

 protected:
  Jet<double, 3> field(const Vec3& p) const override {
    const double x[3] = {p.x, p.y, p.z};
    return formula_jet<3>(tape_, x);
  }
  double value_at(const Vec3& p) const override {
    const double x[3] = {p.x, p.y, p.z};
    return run_formula<double>(tape_, [&](std::size_t i) { return x[i]; });
  }
  Jet<Interval, 3> field_bounds(const SurfaceCell& cell) const override {
    const Interval x[3] = {cell.s[0], cell.s[1], cell.s[2]};
    return formula_bounds<3>(tape_, x);
  }

 private:
  FormulaTape tape_;
};

std::shared_ptr<const SmoothSurface> surface(const ShapeInput& input, std::string& problem) {
  auto made = std::make_shared<ImplicitBody>();
  problem = made->make(input.formulas);
  if (!problem.empty()) return nullptr;
  return made;
}

MassProperties unit_properties(const Shape& s) {
  return static_cast<const ImplicitSurface&>(*s.surface).unit_properties();
}

std::vector<ShapeInput> examples() {
  ShapeInput ring;
  ring.formulas.texts = {{"h", "(sqrt(x^2+y^2)-R)^2 + z^2 - r^2"}};
  ring.formulas.ranges = {{"x", -0.2, 0.21}, {"y", -0.2, 0.19}, {"z", -0.1, 0.11}};
  ring.formulas.with = {{"R", 0.1}, {"r", 0.03}};
  return {ring};
}

}  // namespace

extern const ShapeKind shape_implicit{.name = "implicit",
                                      .doc = "where a formula in x, y and z is negative",
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
