#include "carom/geometry/superquadric_core.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {
namespace {

/// Flat places have no radius of curvature: what is larger than this many sizes counts as that.
constexpr double kFlattest = 1e9;

/// x^p for x >= 0; whole exponents by squaring, which is several times as fast as a logarithm.
double power_of(double x, double p) {
  constexpr double kMostSquarings = 256.0, kVanished = 1e-150;
  if (p < 0.0 || p > kMostSquarings || p != std::floor(p)) return std::pow(x, p);
  double out = 1.0;
  for (auto k = static_cast<unsigned>(p); k > 0; k >>= 1, x *= x) {
    if (k & 1u) out *= x;
    if (x < kVanished) return k > 1u ? 0.0 : out;
  }
  return out;
}

/// The norm (|x|^q + |y|^q)^(1/q) with its first and second derivatives.
struct PlaneNorm {
  double value = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
};
PlaneNorm plane_norm(double x, double y, double q, bool with_second = true) {
  PlaneNorm n;
  const double most = std::max(std::abs(x), std::abs(y));
  if (!(most > 0.0)) return n;
  const double a = std::abs(x) / most, b = std::abs(y) / most;
  const double root = std::pow(power_of(a, q) + power_of(b, q), 1.0 / q);
  n.value = most * root;
  const double alpha = a / root, beta = b / root;
  const double alpha_1 = power_of(alpha, q - 1.0), beta_1 = power_of(beta, q - 1.0);
  n.x = std::copysign(alpha_1, x), n.y = std::copysign(beta_1, y);
  if (!with_second) return n;
  const double k = (q - 1.0) / n.value, limit = kFlattest / most;
  const auto curved = [&](double own, double own_1, double other_q) {
    if (own > 0.0) return std::min(limit, k * own_1 / own * other_q);
    return q < 2.0 ? limit : q > 2.0 ? 0.0 : k * other_q;
  };
  n.xx = curved(alpha, alpha_1, beta * beta_1), n.yy = curved(beta, beta_1, alpha * alpha_1);
  n.xy = -k * n.x * n.y;
  return n;
}

double dual(double p) { return p / (p - 1.0); }

Vec3 support_of(const Core& c, const Vec3& d) {
  const Vec3& a = c.v[0];
  const PlaneNorm across = plane_norm(a.x * d.x, a.y * d.y, dual(c.v[1].x), false);
  const PlaneNorm whole = plane_norm(across.value, a.z * d.z, dual(c.v[1].y), false);
  return {a.x * whole.x * across.x, a.y * whole.x * across.y, a.z * whole.y};
}

/// Radii of curvature where the normal is n: the inverse of K over the tangent plane, which is
/// better known than the second derivative of (2).
SupportDerivatives derivatives_of(const Core& c, const Vec3& n) {
  SupportDerivatives out;
  out.point = support_of(c, n);
  const SuperquadricPoint s = superquadric_point(c, out.point);
  const Vec3 e1 = any_perpendicular(n), e2 = cross(n, e1);
  const Vec3 k1 = s.K * e1, k2 = s.K * e2;
  const double xx = dot(e1, k1), xy = dot(e2, k1), yy = dot(e2, k2);
  const double mean = 0.5 * (xx + yy), half = 0.5 * (xx - yy), root = std::hypot(half, xy);
  const double least = 1.0 / (kFlattest * std::max({c.v[0].x, c.v[0].y, c.v[0].z}));
  const double major = 1.0 / std::max(mean + root, least),
               minor = 1.0 / std::max(mean - root, least);
  const double cosine = root > 0.0 ? half / root : 1.0, sine = root > 0.0 ? xy / root : 0.0;
  const double sum = 0.5 * (major + minor), difference = 0.5 * (major - minor);
  const double rxx = sum + difference * cosine, rxy = difference * sine,
               ryy = sum - difference * cosine;
  out.hessian = (rxx - rxy) * outer(e1) + (ryy - rxy) * outer(e2) + rxy * outer(e1 + e2);
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

double largest_curvature(const Sym3& K, const Vec3& n) {
  const Vec3 e1 = any_perpendicular(n), e2 = cross(n, e1);
  const Vec3 k1 = K * e1, k2 = K * e2;
  const double xx = dot(e1, k1), xy = dot(e2, k1), yy = dot(e2, k2);
  return 0.5 * (xx + yy) + std::hypot(0.5 * (xx - yy), xy);
}

/// Seen at places of one eighth of the surface, close where it is round; with room, because a
/// larger ball would leave a body that is not convex.
double inner_radius(const Core& c) {
  constexpr int kPlaces = 24;
  constexpr double kRoom = 0.9;
  const double p = c.v[1].x, q = c.v[1].y;
  double most = 0.0;
  for (int i = 0; i <= kPlaces; ++i) {
    for (int k = 0; k <= kPlaces; ++k) {
      const double u = 0.5 * std::numbers::pi * i / kPlaces,
                   v = 0.5 * std::numbers::pi * k / kPlaces;
      const double across = std::pow(std::abs(std::cos(v)), 2.0 / q);
      const Vec3 x{c.v[0].x * across * std::pow(std::abs(std::cos(u)), 2.0 / p),
                   c.v[0].y * across * std::pow(std::abs(std::sin(u)), 2.0 / p),
                   c.v[0].z * std::pow(std::abs(std::sin(v)), 2.0 / q)};
      const SuperquadricPoint s = superquadric_point(c, x);
      most = std::max(most, largest_curvature(s.K, s.n));
    }
  }
  return kRoom / most;
}

/// Of p = q, value and slope: one root in place of two.
SuperquadricGauge gauge_of_one_exponent(const Vec3& a, const Vec3& s, double p) {
  const double most = std::max({std::abs(s.x), std::abs(s.y), std::abs(s.z)});
  if (!(most > 0.0)) return {};
  const Vec3 b{std::abs(s.x) / most, std::abs(s.y) / most, std::abs(s.z) / most};
  const Vec3 d{power_of(b.x, p - 1.0), power_of(b.y, p - 1.0), power_of(b.z, p - 1.0)};
  const double sum = d.x * b.x + d.y * b.y + d.z * b.z, root = std::pow(sum, 1.0 / p);
  const double k = root / sum;
  SuperquadricGauge out;
  out.value = most * root;
  out.gradient = {std::copysign(k * d.x, s.x) / a.x, std::copysign(k * d.y, s.y) / a.y,
                  std::copysign(k * d.z, s.z) / a.z};
  return out;
}

}  // namespace

const CoreKind core_superquadric{"superquadric", support_of, derivatives_of, radius_of};

SuperquadricGauge superquadric_gauge(const Core& c, const Vec3& x, bool with_hessian) {
  const Vec3 &a = c.v[0], s{x.x / a.x, x.y / a.y, x.z / a.z};
  if (!with_hessian && c.v[1].x == c.v[1].y) return gauge_of_one_exponent(a, s, c.v[1].x);
  const double q = c.v[1].y;
  const PlaneNorm r = plane_norm(s.x, s.y, c.v[1].x, with_hessian);
  const PlaneNorm N = plane_norm(r.value, s.z, q, with_hessian);
  SuperquadricGauge out;
  out.value = N.value;
  out.gradient = {N.x * r.x / a.x, N.x * r.y / a.y, N.y / a.z};
  if (!with_hessian) return out;
  Sym3& H = out.hessian;
  H.zz = N.yy / (a.z * a.z);
  if (!(r.value > 0.0)) {  // on the axis z, where only exponent 2 is curved
    const double k = q > 2.0 || !(N.value > 0.0) ? 0.0 : 1.0 / N.value;
    H.xx = k / (a.x * a.x), H.yy = k / (a.y * a.y);
    return out;
  }
  H.xx = (N.xx * r.x * r.x + N.x * r.xx) / (a.x * a.x);
  H.yy = (N.xx * r.y * r.y + N.x * r.yy) / (a.y * a.y);
  H.xy = (N.xx * r.x * r.y + N.x * r.xy) / (a.x * a.y);
  H.xz = N.xy * r.x / (a.x * a.z), H.yz = N.xy * r.y / (a.y * a.z);
  return out;
}

SuperquadricPoint superquadric_point(const Core& c, const Vec3& x) {
  const SuperquadricGauge g = superquadric_gauge(c, x);
  SuperquadricPoint out;
  out.p = x / g.value;
  const double slope = norm(g.gradient);
  out.n = g.gradient / slope;
  // The Hessian goes as 1/N; the tangent plane is cut out of it.
  const Sym3 H = (g.value / slope) * g.hessian;
  const Vec3 Hn = H * out.n;
  const double nHn = dot(out.n, Hn);
  const auto cut = [&](double h, std::size_t i, std::size_t k) {
    return h - out.n[i] * Hn[k] - Hn[i] * out.n[k] + nHn * out.n[i] * out.n[k];
  };
  out.K.xx = cut(H.xx, 0, 0), out.K.yy = cut(H.yy, 1, 1), out.K.zz = cut(H.zz, 2, 2);
  out.K.xy = cut(H.xy, 0, 1), out.K.xz = cut(H.xz, 0, 2), out.K.yz = cut(H.yz, 1, 2);
  return out;
}

Core make_superquadric_core(const Vec3& half_axes, double p, double q) {
  Core c;
  c.kind = &core_superquadric;
  c.v[0] = half_axes;
  c.v[1] = {p, q, 0.0};
  c.v[1].z = inner_radius(c);
  return c;
}

}  // namespace carom
