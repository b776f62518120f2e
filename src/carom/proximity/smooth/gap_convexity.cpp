#include "carom/proximity/smooth/gap_convexity.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/geometry/core_kinds.h"
#include "carom/geometry/curvature_bounds.h"

namespace carom {
namespace {

struct Matrix2 {
  double xx = 0.0, xy = 0.0, yx = 0.0, yy = 0.0;
  double det() const { return xx * yy - xy * yx; }
  double trace() const { return xx + yy; }
};
Matrix2 operator+(const Matrix2& a, const Matrix2& b) {
  return {a.xx + b.xx, a.xy + b.xy, a.yx + b.yx, a.yy + b.yy};
}
Matrix2 operator*(const Matrix2& a, const Matrix2& b) {
  return {a.xx * b.xx + a.xy * b.yx, a.xx * b.xy + a.xy * b.yy, a.yx * b.xx + a.yy * b.yx,
          a.yx * b.xy + a.yy * b.yy};
}
Matrix2 magnitudes(const Matrix2& a) {
  return {std::abs(a.xx), std::abs(a.xy), std::abs(a.yx), std::abs(a.yy)};
}
Matrix2 inverse(const Matrix2& a) {
  const double k = 1.0 / a.det();
  return {k * a.yy, -k * a.xy, -k * a.yx, k * a.xx};
}
/// Of a symmetric one.
double norm_of(const Matrix2& a) {
  return 0.5 * std::abs(a.trace()) + std::hypot(0.5 * (a.xx - a.yy), a.xy);
}
double least_of(const Matrix2& a) {
  return 0.5 * a.trace() - std::hypot(0.5 * (a.xx - a.yy), a.xy);
}
/// Of one without negative components.
double spectral_radius(const Matrix2& a) {
  return 0.5 * a.trace() + std::sqrt(0.25 * (a.xx - a.yy) * (a.xx - a.yy) + a.xy * a.yx);
}

/// A symmetric matrix over a cell: its middle, and how far its components are from that.
struct MatrixRange {
  Matrix2 middle, off;
};

Interval form(const Mat3& A, const IntervalVector& s, const IntervalVector& t) {
  Interval sum(0.0);
  for (std::size_t i = 0; i < 3; ++i) {
    Interval row(0.0);
    for (std::size_t k = 0; k < 3; ++k) row = row + Interval(A(i, k)) * t[k];
    sum = sum + s[i] * row;
  }
  return sum;
}

/// Radii of curvature of an ellipsoid without its rounding wherever its normals are opposite to
/// those of the cone, turned with these to its axis,
///
///   H = (A² - v vᵀ/h²)/h,   v = A² n,  h = |A n|
MatrixRange bound_radii(const ConvexBody& body, const ConeAxes& axes) {
  const Mat3 to_axes = transpose(Mat3::from_columns(axes.e1, axes.e2, axes.a)) * body.X_AB.R;
  const Vec3& a = body.core.v[0];
  const Mat3 A2 = to_mat3(rotated(to_axes, Sym3::diagonal({a.x * a.x, a.y * a.y, a.z * a.z})));
  const double least = std::min({a.x, a.y, a.z}), most = std::max({a.x, a.y, a.z});
  const Interval h2 = intersect(form(A2, axes.n, axes.n), {least * least, most * most});
  const Interval h = sqrt(h2), v1 = form(A2, axes.t1, axes.n), v2 = form(A2, axes.t2, axes.n);
  const Interval xx = (form(A2, axes.t1, axes.t1) - power(v1, 2) / h2) / h,
                 xy = (form(A2, axes.t1, axes.t2) - v1 * v2 / h2) / h,
                 yy = (form(A2, axes.t2, axes.t2) - power(v2, 2) / h2) / h;
  const double mixed = xy.middle(), off = 0.5 * xy.width();
  return {{xx.middle(), mixed, mixed, yy.middle()}, {0.5 * xx.width(), off, off, 0.5 * yy.width()}};
}

/// A direction across the axis along which the body is curved most or least where its normal is
/// opposite to that: bounds by components are narrow over such axes.
Vec3 main_direction(const ConvexBody& body, const Vec3& axis) {
  const Vec3 e1 = any_perpendicular(axis), e2 = cross(axis, e1);
  const Mat3& R = body.X_AB.R;
  const Sym3 H = rotated(R, surface_derivatives(body.core, transpose_times(R, -axis)).hessian);
  const Vec3 h1 = H * e1;
  const double turn = 0.5 * std::atan2(2.0 * dot(e2, h1), dot(e1, h1) - dot(e2, H * e2));
  return std::cos(turn) * e1 + std::sin(turn) * e2;
}

}  // namespace

IntervalVector bound_points(const ConvexBody& body, const NormalCone& cone) {
  constexpr double kRounding = 1e-14;
  // Components of -n: the angle of the axis with each direction, more or less that of the cone.
  const Vec3 axis = transpose_times(body.X_AB.R, -cone.axis);
  IntervalVector d;
  for (std::size_t i = 0; i < 3; ++i) {
    const double angle = std::acos(std::clamp(axis[i], -1.0, 1.0));
    d[i] = {std::cos(std::min(angle + cone.angle, std::numbers::pi)) - kRounding,
            std::cos(std::max(angle - cone.angle, 0.0)) + kRounding};
  }
  const Vec3& c = body.core.v[0];
  const double r = body.core.rounding;
  if (body.core.kind != &core_ellipsoid) {
    return {Interval(c.x) + Interval(r) * d[0], Interval(c.y) + Interval(r) * d[1],
            Interval(c.z) + Interval(r) * d[2]};
  }
  // a_i t/(t² + s²)^½ with t = a_i d_i and s² the sum of the other squares: it grows with t.
  const IntervalVector t{Interval(c.x) * d[0], Interval(c.y) * d[1], Interval(c.z) * d[2]};
  IntervalVector out;
  for (std::size_t i = 0; i < 3; ++i) {
    const Interval s2 = power(t[(i + 1) % 3], 2) + power(t[(i + 2) % 3], 2);
    const auto share = [&](double at, double s2_at) {
      return at == 0.0 ? 0.0 : at / std::sqrt(at * at + s2_at);
    };
    const double low = share(t[i].lo, t[i].lo > 0.0 ? s2.hi : s2.lo),
                 high = share(t[i].hi, t[i].hi > 0.0 ? s2.lo : s2.hi);
    out[i] = Interval(c[i]) * Interval(low - kRounding, high + kRounding) + Interval(r) * d[i];
  }
  return out;
}

CellVerdict judge_gap(const CellShape& cell, const ConvexBody& body, double phi, double off) {
  if (!std::isfinite(cell.curvature.off)) return CellVerdict::split;
  const bool is_ball = body.core.kind != &core_ellipsoid;
  const NormalCone cone{cell.axis, cell.angle};
  const ConeAxes axes(cone,
                      is_ball ? any_perpendicular(cell.axis) : main_direction(body, cell.axis));
  MatrixRange G;
  if (!is_ball) {
    G = bound_radii(body, axes);
    phi += body.core.rounding;
  }
  G.middle.xx += phi, G.middle.yy += phi, G.off.xx += off, G.off.yy += off;
  const Vec3 k1 = cell.curvature.middle * axes.e1;
  const double mixed = dot(axes.e2, k1), k_off = cell.curvature.off;
  const Matrix2 K{dot(axes.e1, k1), mixed, mixed, dot(axes.e2, cell.curvature.middle * axes.e2)};
  const Matrix2 K_off{k_off, k_off, k_off, k_off};
  const Matrix2 J = Matrix2{1.0, 0.0, 0.0, 1.0} + G.middle * K;
  const double g = norm_of(G.middle), k = norm_of(K), g_off = norm_of(G.off);
  if (!std::isfinite(g + g_off)) return CellVerdict::split;
  if (least_of(G.middle) > g_off && J.det() != 0.0) {
    const Matrix2 J_inverse = inverse(J);
    const Matrix2 E = magnitudes(J_inverse) * G.off * (magnitudes(K) + K_off) +
                      magnitudes(J_inverse * G.middle) * K_off;
    constexpr double kRegular = 0.99;
    if (spectral_radius(E) < kRegular) {  // (1)
      return J.det() > 0.0 && J.trace() > 0.0 ? CellVerdict::unique : CellVerdict::drop;
    }
  }
  const double beyond = g_off * (1.0 + 2.0 * k * g + k * g_off) + (g + g_off) * (g + g_off) * k_off;
  return least_of(G.middle + G.middle * (K * G.middle)) < -beyond ? CellVerdict::drop
                                                                  : CellVerdict::split;  // (2)
}

}  // namespace carom
