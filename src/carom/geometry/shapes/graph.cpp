// The graph z = f(x, y) of a formula over a rectangle; the solid is below it.
//
// Contact sees the graph alone, neither the sides nor an underside: where the rectangle ends,
// contact ends. Without an underside there is no volume, so a body made of it states its mass or
// is fixed.
#include "carom/geometry/chart_surface.h"
#include "carom/geometry/mesh_shape.h"
#include "carom/geometry/surface_tape.h"
#include "carom/math/formula_run.h"

namespace carom {
namespace {

constexpr FormulaField kFormulas[] = {{"z", "m", "height of the surface, a formula in x and y"}};
constexpr FormulaField kRanges[] = {{"x", "m", "from and to"}, {"y", "m", "from and to"}};

class GraphSurface final : public HeightSurface {
 public:
  std::string make(const SurfaceFormulas& formulas) {
    std::string problem;
    tape_ = surface_tape(formulas, kRanges, "z", problem);
    if (problem.empty()) range_[0] = surface_range(formulas, "x", problem);
    if (problem.empty()) range_[1] = surface_range(formulas, "y", problem);
    if (!problem.empty()) return problem;
    problem = make_tree({{range_[0], range_[1], Interval(0.0)}}, kCone);
    if (problem.empty()) problem = undefined_place();
    return problem;
  }

 protected:
  Jet<double, 2> height(double x, double y) const override {
    const double s[2] = {x, y};
    return formula_jet<2>(tape_, s);
  }
  Jet<Interval, 2> height_bounds(const Interval& x, const Interval& y) const override {
    const Interval s[2] = {x, y};
    return formula_bounds<2>(tape_, s);
  }

 private:
  static constexpr double kCone = 0.1;

  /// Heights and slopes are asked for on a grid: bounds alone do not tell a place where a root
  /// has no value.
  std::string undefined_place() const {
    constexpr int kPlaces = 64;
    for (int i = 0; i <= kPlaces; ++i) {
      for (int j = 0; j <= kPlaces; ++j) {
        const Vec3 s{range_[0].lo + range_[0].width() * i / kPlaces,
                     range_[1].lo + range_[1].width() * j / kPlaces, 0.0};
        const SurfacePoint q = at(s);
        if (is_finite(q.p) && is_finite(q.n) && std::isfinite(trace(q.K))) continue;
        return "z, its slope or its curvature has no value at x = " + std::to_string(s.x) +
               ", y = " + std::to_string(s.y);
      }
    }
    return {};
  }

  FormulaTape tape_;
};

std::shared_ptr<const SmoothSurface> surface(const ShapeInput& input, std::string& problem) {
  auto made = std::make_shared<GraphSurface>();
  problem = made->make(input.formulas);
  if (!problem.empty()) return nullptr;
  return made;
}

std::vector<ShapeInput> examples() {
  ShapeInput wave;
  wave.formulas.texts = {{"z", "a*cos(2*pi*x)*cos(2*pi*y)"}};
  wave.formulas.ranges = {{"x", -1.0, 1.0}, {"y", -0.5, 0.5}};
  wave.formulas.with = {{"a", 0.1}};
  return {wave};
}

}  // namespace

extern const ShapeKind shape_graph{.name = "graph",
                                   .doc = "everything below a height given by a formula",
                                   .formulas = kFormulas,
                                   .ranges = kRanges,
                                   .source = ShapeSource::formulas,
                                   .convex = false,
                                   .surface = surface,
                                   .core = mesh_hull_core,
                                   .tessellate = sheet_triangles,
                                   .examples = examples};

}  // namespace carom
