// Superquadric about the origin: between an ellipsoid, a cylinder along z and a box, by two
// exponents (superquadric_core.h). Volume and moments are Dirichlet's integrals.
#include <cmath>

#include "carom/base/text.h"
#include "carom/geometry/shape.h"
#include "carom/geometry/superquadric_core.h"
#include "carom/geometry/tessellation.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"radii", "m", "half axes along x, y, z", kRequired, 0.0, kInf, ParamType::vector3, true},
};
constexpr FormulaField kExponents[] = {
    {"exponents", "-", "p across z and q towards it, each from 2 to 200"}};

/// The exponents are two numbers beside the fields.
std::string build(const ShapeInput& input, MeshData&) {
  if (input.formulas.ranges.size() != 1) return "a superquadric needs its exponents, [p, q]";
  const auto& [name, p, q] = input.formulas.ranges.front();
  if (p >= 2.0 && p <= 200.0 && q >= 2.0 && q <= 200.0) return {};
  return "exponents of a superquadric are [" + number_text(p) + ", " + number_text(q) +
         "], each must be at least 2 and at most 200";
}

struct Exponents {
  double p, q;
};
Exponents exponents(const Shape& s) {
  return {s.formulas.ranges.front().lower, s.formulas.ranges.front().upper};
}

Core core(const Shape& s) {
  const auto [p, q] = exponents(s);
  return make_superquadric_core({s.params[0], s.params[1], s.params[2]}, p, q);
}

/// Integral of x^(m-1) y^(n-1) over the quarter of |x|^p + |y|^p <= 1.
double quarter(double m, double n, double p) {
  return std::exp(std::lgamma(m / p) + std::lgamma(n / p) - std::lgamma((m + n) / p + 1.0)) /
         (p * p);
}
/// Integral of z^(m-1) (1 - z^q)^(k/q) over 0 <= z <= 1.
double column(double m, double k, double q) {
  return std::exp(std::lgamma(m / q) + std::lgamma(k / q + 1.0) - std::lgamma((m + k) / q + 1.0)) /
         q;
}

MassProperties unit_properties(const Shape& s) {
  const double a = s.params[0], b = s.params[1], c = s.params[2];
  const auto [p, q] = exponents(s);
  const double volume = 8.0 * a * b * c * quarter(1, 1, p) * column(1, 2, q);
  const double xx = 8.0 * a * a * a * b * c * quarter(3, 1, p) * column(1, 4, q),
               yy = 8.0 * a * b * b * b * c * quarter(1, 3, p) * column(1, 4, q),
               zz = 8.0 * a * b * c * c * c * quarter(1, 1, p) * column(3, 2, q);
  return {volume, volume, {}, Sym3::diagonal({yy + zz, xx + zz, xx + yy})};
}

/// Points of a sphere along their rays, which is even. Of blocky bodies they are moved so that they
/// lie close together at edges: each coordinate grows as the root that the exponents ask for.
TriangleMesh tessellation(const Shape& s, int segments) {
  constexpr double kBlocky = 4.0;
  const auto [p, q] = exponents(s);
  if (p <= kBlocky && q <= kBlocky) {
    TriangleMesh mesh = unit_sphere(segments);
    scale(mesh, {s.params[0], s.params[1], s.params[2]});
    for (Vec3& x : mesh.vertices) x = x / superquadric_gauge(s.core, x, false).value;
    return mesh;
  }
  const auto grown = [](double x, double e) { return std::copysign(std::pow(std::abs(x), e), x); };
  TriangleMesh mesh = unit_sphere(segments);
  for (Vec3& d : mesh.vertices) {
    const double across = std::hypot(d.x, d.y);
    const double k = across > 0.0 ? 1.0 / across : 0.0;
    const double r = std::pow(across, 2.0 / q);
    d = {s.params[0] * r * grown(k * d.x, 2.0 / p), s.params[1] * r * grown(k * d.y, 2.0 / p),
         s.params[2] * grown(d.z, 2.0 / q)};
  }
  return mesh;
}

std::vector<ShapeInput> examples() {
  const auto make = [](const Vec3& a, double p, double q) {
    ShapeInput input{.params = {a.x, a.y, a.z}};
    input.formulas.ranges = {{"exponents", p, q}};
    return input;
  };
  return {make({0.3, 0.2, 0.1}, 2.0, 2.0), make({0.2, 0.15, 0.1}, 4.0, 3.0),
          make({0.1, 0.1, 0.15}, 2.0, 3.5)};
}

}  // namespace

extern const ShapeKind shape_superquadric{
    .name = "superquadric",
    .doc = "between an ellipsoid, a cylinder along z and a box, by two exponents",
    .fields = kFields,
    .ranges = kExponents,
    .build = build,
    .unit_properties = unit_properties,
    .core = core,
    .tessellate = tessellation,
    .examples = examples};

}  // namespace carom
