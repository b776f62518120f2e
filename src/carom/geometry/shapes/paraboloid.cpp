// Elliptic paraboloid z = x²/(2 a) + y²/(2 b) over a rectangle; the solid is below it, or, where a
// radius is positive, a bowl is hollowed out of it. Infinite radii would be a channel or a plane:
// give a large one.
#include "carom/geometry/chart_surface.h"
#include "carom/geometry/mesh_shape.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"radius_x", "m", "radius of curvature at the origin along x; negative: a hill", kRequired},
    {"radius_y", "m", "the same along y", kRequired},
    {"half_x", "m", "the surface reaches so far along x", kRequired, 0.0, 1e6, ParamType::number,
     true},
    {"half_y", "m", "the same along y", kRequired, 0.0, 1e6, ParamType::number, true},
};

class Paraboloid final : public ChartSurface {
 public:
  Paraboloid(double a, double b, double x, double y) : xx_(1.0 / a), yy_(1.0 / b) {
    range_[0] = {-x, x}, range_[1] = {-y, y};
  }
  std::string make() { return make_tree({{range_[0], range_[1], Interval(0.0)}}, 0.1); }

 protected:
  template <class T>
  std::array<Jet<T, 2>, 3> point(const T& u, const T& v) const {
    using J = Jet<T, 2>;
    const T xx(xx_), yy(yy_), half(0.5);
    J z = J::constant(half * (xx * (u * u) + yy * (v * v)));
    z.g[0] = xx * u, z.g[1] = yy * v;
    z.h[0] = xx, z.h[2] = yy;
    return {J::variable(u, 0), J::variable(v, 1), z};
  }
  Point2 jets(double u, double v) const override { return point<double>(u, v); }
  Bounds2 jet_bounds(const Interval& u, const Interval& v) const override {
    Bounds2 out = point<Interval>(u, v);
    out[2].v = Interval(0.5) * (Interval(xx_) * power(u, 2) + Interval(yy_) * power(v, 2));
    return out;
  }

 private:
  double xx_, yy_;
};

std::string validate(std::span<const double> p) {
  if (p[0] != 0.0 && p[1] != 0.0) return {};
  return "a radius of curvature of a paraboloid is 0, it must be another number";
}

std::shared_ptr<const SmoothSurface> surface(const ShapeInput& input, std::string& problem) {
  const std::vector<double>& p = input.params;
  auto made = std::make_shared<Paraboloid>(p[0], p[1], p[2], p[3]);
  problem = made->make();
  if (!problem.empty()) return nullptr;
  return made;
}

std::vector<ShapeInput> examples() { return {{.params = {0.5, 0.4, 0.3, 0.2}}}; }

}  // namespace

extern const ShapeKind shape_paraboloid{.name = "paraboloid",
                                        .doc = "everything below an elliptic paraboloid: a bowl",
                                        .fields = kFields,
                                        .convex = false,
                                        .validate = validate,
                                        .surface = surface,
                                        .core = mesh_hull_core,
                                        .tessellate = sheet_triangles,
                                        .examples = examples};

}  // namespace carom
