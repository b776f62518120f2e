// Torus about z: a tube of radius r around a circle of radius R > r,
//
//   p(u, v) = ((R + r cos v) cos u, (R + r cos v) sin u, r sin v)                     (1)
//
// V = 2 π² R r², I_zz = m (R² + 3/4 r²), I_xx = m (R²/2 + 5/8 r²).
#include <cmath>
#include <numbers>

#include "carom/geometry/chart_surface.h"
#include "carom/geometry/mesh_shape.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"radius", "m", "R, of the circle in the middle of the tube", kRequired, 0.0, kInf,
     ParamType::number, true},
    {"tube_radius", "m", "r, of the tube; less than R", kRequired, 0.0, kInf, ParamType::number,
     true},
};

class Torus final : public ChartSurface {
 public:
  Torus(double R, double r) : R_(R), r_(r) {
    constexpr double pi = std::numbers::pi;
    range_[0] = range_[1] = {-pi, pi};
    is_periodic_[0] = is_periodic_[1] = is_closed_ = true;
  }
  /// Cells reach a little beyond π, which no double is: a minimum there must lie in one of them.
  std::string make() {
    constexpr double kBeyond = std::numbers::pi + 1e-9;
    return make_tree({{Interval(-kBeyond, kBeyond), Interval(-kBeyond, kBeyond), Interval(0.0)}},
                     0.2);
  }

  SurfacePoint at(const Vec3& s) const override {
    const Axes a = axes(s);
    SurfacePoint out;
    out.p = {a.w * a.cu, a.w * a.su, r_ * a.sv};
    out.n = {a.cv * a.cu, a.cv * a.su, a.sv};
    out.K = (a.cv / a.w) * outer(a.around()) + (1.0 / r_) * outer(a.across());
    return out;
  }
  Vec3 moved(const Vec3& s, const Vec3& t) const override {
    const Axes a = axes(s);
    return {s.x + dot(a.around(), t) / a.w, s.y + dot(a.across(), t) / r_, 0.0};
  }

 protected:
  template <class T>
  std::array<Jet<T, 2>, 3> point(const T& u, const T& v) const {
    using std::cos, std::sin;
    const T cu = cos(u), su = sin(u), cv = cos(v), sv = sin(v), r(r_), w = T(R_) + r * cv;
    std::array<Jet<T, 2>, 3> p;
    p[0].v = w * cu, p[1].v = w * su, p[2].v = r * sv;
    p[0].g[0] = -(w * su), p[1].g[0] = w * cu, p[2].g[0] = T(0.0);
    p[0].g[1] = -(r * sv * cu), p[1].g[1] = -(r * sv * su), p[2].g[1] = r * cv;
    p[0].h[0] = -(w * cu), p[1].h[0] = -(w * su), p[2].h[0] = T(0.0);
    p[0].h[1] = r * sv * su, p[1].h[1] = -(r * sv * cu), p[2].h[1] = T(0.0);
    p[0].h[2] = -(r * cv * cu), p[1].h[2] = -(r * cv * su), p[2].h[2] = -(r * sv);
    return p;
  }
  Point2 jets(double u, double v) const override { return point<double>(u, v); }
  Bounds2 jet_bounds(const Interval& u, const Interval& v) const override {
    return point<Interval>(u, v);
  }

 private:
  /// Main directions: around z, and across the tube.
  struct Axes {
    double cu, su, cv, sv, w;  ///< w: how far from z
    Vec3 around() const { return {-su, cu, 0.0}; }
    Vec3 across() const { return {-sv * cu, -sv * su, cv}; }
  };
  Axes axes(const Vec3& s) const {
    const double cv = std::cos(s.y);
    return {std::cos(s.x), std::sin(s.x), cv, std::sin(s.y), R_ + r_ * cv};
  }

  double R_, r_;
};

std::string validate(std::span<const double> p) {
  if (p[0] > p[1]) return {};
  return "the tube of a torus must be thinner than its circle: tube_radius below radius";
}

std::shared_ptr<const SmoothSurface> surface(const ShapeInput& input, std::string& problem) {
  auto made = std::make_shared<Torus>(input.params[0], input.params[1]);
  problem = made->make();
  if (!problem.empty()) return nullptr;
  return made;
}

MassProperties unit_properties(const Shape& s) {
  const double R = s.params[0], r = s.params[1];
  const double volume = 2.0 * std::numbers::pi * std::numbers::pi * R * r * r;
  const double across = 0.5 * R * R + 0.625 * r * r, along = R * R + 0.75 * r * r;
  return {volume, volume, {}, volume * Sym3::diagonal({across, across, along})};
}

std::vector<ShapeInput> examples() { return {{.params = {0.1, 0.03}}}; }

}  // namespace

extern const ShapeKind shape_torus{.name = "torus",
                                   .doc = "a ring about z",
                                   .fields = kFields,
                                   .convex = false,
                                   .validate = validate,
                                   .surface = surface,
                                   .unit_properties = unit_properties,
                                   .core = mesh_hull_core,
                                   .tessellate = surface_triangles,
                                   .examples = examples};

}  // namespace carom
