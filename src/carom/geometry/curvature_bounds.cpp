#include "carom/geometry/curvature_bounds.h"

#include <cmath>

namespace carom {
namespace {

Interval times(const Vec3& e, const IntervalVector& x) {
  return Interval(e.x) * x[0] + Interval(e.y) * x[1] + Interval(e.z) * x[2];
}
IntervalVector seen(const ConeAxes& axes, const IntervalVector& x) {
  return {times(axes.e1, x), times(axes.e2, x), times(axes.a, x)};
}
Interval product(const IntervalVector& a, const IntervalVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Interval square_of(const IntervalVector& a) {
  return power(a[0], 2) + power(a[1], 2) + power(a[2], 2);
}

struct Components {
  Interval xx, xy, yy;
};

/// (2)
Components of_field(const CellBounds& b, const ConeAxes& axes) {
  const IntervalVector rows[3] = {{b.field[0], b.field[1], b.field[2]},
                                  {b.field[1], b.field[3], b.field[4]},
                                  {b.field[2], b.field[4], b.field[5]}};
  // B over the axes: the rows of B, then its columns.
  const IntervalVector over[3] = {seen(axes, rows[0]), seen(axes, rows[1]), seen(axes, rows[2])};
  IntervalVector B[3];
  for (std::size_t k = 0; k < 3; ++k) {
    const IntervalVector column = seen(axes, {over[0][k], over[1][k], over[2][k]});
    for (std::size_t i = 0; i < 3; ++i) B[i][k] = column[i];
  }
  const auto form = [&](const IntervalVector& s, const IntervalVector& t) {
    return product(s, {product(B[0], t), product(B[1], t), product(B[2], t)});
  };
  const Interval length = sqrt(square_of(b.normal));
  return {form(axes.t1, axes.t1) / length, form(axes.t1, axes.t2) / length,
          form(axes.t2, axes.t2) / length};
}

/// (3)
Components of_parameters(const CellBounds& b, const ConeAxes& axes) {
  const auto normal_part = [&](const IntervalVector& r) { return product(axes.n, seen(axes, r)); };
  const Interval uu = normal_part(b.second[0]), uv = normal_part(b.second[1]),
                 vv = normal_part(b.second[2]);
  const IntervalVector ru = seen(axes, b.first[0]), rv = seen(axes, b.first[1]);
  const Interval u1 = product(ru, axes.t1), u2 = product(ru, axes.t2), v1 = product(rv, axes.t1),
                 v2 = product(rv, axes.t2);
  const Interval det = square_of(b.normal), two(2.0);
  const auto own = [&](const Interval& u, const Interval& v) {
    return -(uu * power(v, 2) - two * uv * u * v + vv * power(u, 2)) / det;
  };
  return {own(u2, v2), (uu * v1 * v2 - uv * (u1 * v2 + u2 * v1) + vv * u1 * u2) / det, own(u1, v1)};
}

}  // namespace

ConeAxes::ConeAxes(const NormalCone& cone, const Vec3& first) : e1(first), a(cone.axis) {
  constexpr double kRounding = 1e-15;
  e2 = cross(a, e1);
  const double c = std::cos(cone.angle) - kRounding, s = std::sin(cone.angle) + kRounding;
  const Interval side(-s, s), square(0.0, s * s), sum(1.0 + c, 2.0);
  n = {side, side, Interval(c, 1.0)};
  const Interval along = Interval(1.0) - square / sum;
  // |αβ| is at most half of α² + β².
  const Interval mixed = Interval(-0.5 * s * s, 0.5 * s * s) / sum;
  t1 = {along, mixed, side}, t2 = {mixed, along, side};
}

CurvatureRange bound_curvature(const CellBounds& bounds, const NormalCone& cone) {
  CurvatureRange out;
  constexpr double kWide = 0.6;
  if (!bounds.has_field && (!bounds.has_parameters || bounds.is_at_pole)) return out;
  if (cone.angle > kWide) return out;
  const ConeAxes axes(cone);
  const Components K = bounds.has_field ? of_field(bounds, axes) : of_parameters(bounds, axes);
  const double xx = K.xx.width(), xy = K.xy.width(), yy = K.yy.width();
  const double off = 0.5 * std::sqrt(xx * xx + 2.0 * xy * xy + yy * yy);
  if (!std::isfinite(off)) return out;
  const double mixed = K.xy.middle();
  out.middle = K.xx.middle() * outer(axes.e1) + K.yy.middle() * outer(axes.e2) +
               mixed * (outer(axes.e1 + axes.e2) - outer(axes.e1) - outer(axes.e2));
  constexpr double kRounding = 1e-14;
  out.off = off + kRounding * (K.xx.magnitude() + K.xy.magnitude() + K.yy.magnitude());
  return out;
}

}  // namespace carom
