// Superquadric about the origin with half axes a, b, c and exponents p, q >= 2:
//
//   (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q <= 1                                         (1)
//
// An ellipsoid for 2, 2; nearly a box for large ones, nearly a cylinder along z for 2 and a large
// one. (1) is a norm, so the support function is its dual, of the exponents p/(p - 1), q/(q - 1):
//
//   h(n) = ‖(‖(a n_x, b n_y)‖, c n_z)‖                                               (2)
//
// Volume and moments are Dirichlet's integrals.
#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/geometry/shape.h"
#include "carom/geometry/tessellation.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"radii", "m", "half axes along x, y, z", kRequired, 0.0, kInf, ParamType::vector3, true},
};
constexpr FormulaField kExponents[] = {
    {"exponents", "-", "p across z and q towards it, each from 2 to 200"}};

/// Flat places have no radius of curvature: what is larger than this many sizes counts as that.
constexpr double kFlattest = 1e9;

/// The norm (|x|^q + |y|^q)^(1/q) with its first and second derivatives.
struct Norm2 {
  double value = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
};
Norm2 norm_of(double x, double y, double q) {
  Norm2 n;
  const double most = std::max(std::abs(x), std::abs(y));
  if (!(most > 0.0)) return n;
  const double a = std::abs(x) / most, b = std::abs(y) / most;
  const double root = std::pow(std::pow(a, q) + std::pow(b, q), 1.0 / q);
  n.value = most * root;
  const double alpha = a / root, beta = b / root;
  n.x = std::copysign(std::pow(alpha, q - 1.0), x), n.y = std::copysign(std::pow(beta, q - 1.0), y);
  const double k = (q - 1.0) / n.value, limit = kFlattest / most;
  const double alpha_q = std::pow(alpha, q), beta_q = std::pow(beta, q);
  const auto curved = [&](double own, double other_q) {
    if (!(own > 0.0)) return q < 2.0 ? limit : k * other_q;
    return std::min(limit, k * std::pow(own, q - 2.0) * other_q);
  };
  n.xx = curved(alpha, beta_q), n.yy = curved(beta, alpha_q);
  n.xy = -k * n.x * n.y;
  return n;
}

double dual(double p) { return p / (p - 1.0); }

Vec3 support_of(const Core& c, const Vec3& d) {
  const Vec3& a = c.v[0];
  const Norm2 across = norm_of(a.x * d.x, a.y * d.y, dual(c.v[1].x));
  const Norm2 whole = norm_of(across.value, a.z * d.z, dual(c.v[1].y));
  return {a.x * whole.x * across.x, a.y * whole.x * across.y, a.z * whole.y};
}

SupportDerivatives derivatives_of(const Core& c, const Vec3& n) {
  const Vec3& a = c.v[0];
  const Norm2 s = norm_of(a.x * n.x, a.y * n.y, dual(c.v[1].x));
  const Norm2 h = norm_of(s.value, a.z * n.z, dual(c.v[1].y));
  SupportDerivatives out;
  out.point = {a.x * h.x * s.x, a.y * h.x * s.y, a.z * h.y};
  Sym3& H = out.hessian;
  if (!(s.value > 0.0)) {  // along z
    const double size = std::max({a.x, a.y, a.z});
    const bool is_round = c.v[1].x == 2.0 && c.v[1].y == 2.0;
    H.xx = is_round ? a.x * a.x / a.z : kFlattest * size;
    H.yy = is_round ? a.y * a.y / a.z : kFlattest * size;
    return out;
  }
  H.xx = a.x * a.x * (h.xx * s.x * s.x + h.x * s.xx);
  H.yy = a.y * a.y * (h.xx * s.y * s.y + h.x * s.yy);
  H.xy = a.x * a.y * (h.xx * s.x * s.y + h.x * s.xy);
  H.xz = a.x * a.z * h.xy * s.x, H.yz = a.y * a.z * h.xy * s.y;
  H.zz = a.z * a.z * h.yy;
  return out;
}

/// Largest distance from the origin: of t_i = (x_i/a_i)² the sum of a_i² t_i, in the norm p/2.
double radius_of(const Core& c) {
  const auto joined = [](double a2, double b2, double p) {
    if (p <= 2.0) return std::max(a2, b2);
    const double r = p / (p - 2.0), most = std::max(a2, b2);
    return most * std::pow(std::pow(a2 / most, r) + std::pow(b2 / most, r), 1.0 / r);
  };
  const Vec3& a = c.v[0];
  return std::sqrt(joined(joined(a.x * a.x, a.y * a.y, c.v[1].x), a.z * a.z, c.v[1].y));
}

const CoreKind core_superquadric{"superquadric", support_of, derivatives_of, radius_of};

/// The exponents are two numbers beside the fields.
std::string build(const ShapeInput& input, MeshData&) {
  if (input.formulas.ranges.size() != 1) return "a superquadric needs its exponents";
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
  Core c;
  c.kind = &core_superquadric;
  c.v[0] = {s.params[0], s.params[1], s.params[2]};
  c.v[1] = {p, q, 0.0};
  return c;
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

TriangleMesh tessellation(const Shape& s, int segments) {
  const auto [p, q] = exponents(s);
  TriangleMesh mesh = unit_sphere(segments);
  for (Vec3& d : mesh.vertices) {
    const double across = norm_of(d.x, d.y, p).value;
    d = d / norm_of(across, d.z, q).value;
  }
  scale(mesh, {s.params[0], s.params[1], s.params[2]});
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
