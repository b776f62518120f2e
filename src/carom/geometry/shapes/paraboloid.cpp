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

class Paraboloid final : public HeightSurface {
 public:
  Paraboloid(double a, double b, double x, double y) : xx_(1.0 / a), yy_(1.0 / b) {
    range_[0] = {-x, x}, range_[1] = {-y, y};
  }
  std::string make() { return make_tree({{range_[0], range_[1], Interval(0.0)}}, 0.1); }

 protected:
  template <class T>
  Jet<T, 2> jet(const T& x, const T& y, const T& z) const {
    const T xx(xx_), yy(yy_);
    Jet<T, 2> out = Jet<T, 2>::constant(z);
    out.g[0] = xx * x, out.g[1] = yy * y;
    out.h[0] = xx, out.h[2] = yy;
    return out;
  }
  Jet<double, 2> height(double x, double y) const override {
    return jet(x, y, 0.5 * (xx_ * (x * x) + yy_ * (y * y)));
  }
  Jet<Interval, 2> height_bounds(const Interval& x, const Interval& y) const override {
    return jet(x, y, Interval(0.5) * (Interval(xx_) * power(x, 2) + Interval(yy_) * power(y, 2)));
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
