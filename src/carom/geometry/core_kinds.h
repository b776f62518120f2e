// The kinds of cores, as inline functions for kernels that are compiled per pair
// of kinds, and as tables (`core_box`, ...) for everything else.
//
// Ties are broken one way: sign(0) = +1, the lower index, and the centre of a
// disc. So a support point is a pure function of the direction.
#pragma once

#include "carom/geometry/core.h"
#include "carom/geometry/polytope.h"

namespace carom {

/// v[0] = the point.
struct PointCore {
  static Vec3 support(const Core& c, const Vec3&) { return c.v[0]; }
  static SupportDerivatives derivatives(const Core& c, const Vec3&) { return {c.v[0], {}}; }
};

/// v[0] = centre, v[1] = half the vector from end to end.
struct SegmentCore {
  static Vec3 support(const Core& c, const Vec3& d) {
    return dot(d, c.v[1]) >= 0.0 ? c.v[0] + c.v[1] : c.v[0] - c.v[1];
  }
  static SupportDerivatives derivatives(const Core& c, const Vec3& n) {
    return {support(c, n), {}};
  }
};

/// v[0] = half sizes.
struct BoxCore {
  static Vec3 support(const Core& c, const Vec3& d) {
    const Vec3& h = c.v[0];
    return {d.x >= 0.0 ? h.x : -h.x, d.y >= 0.0 ? h.y : -h.y, d.z >= 0.0 ? h.z : -h.z};
  }
  static SupportDerivatives derivatives(const Core& c, const Vec3& n) {
    return {support(c, n), {}};
  }
};

/// v[0] = half axes a:  h = |A n|,  p = A² n / h,  H = (A² - p pᵀ) / h.
struct EllipsoidCore {
  static Vec3 support(const Core& c, const Vec3& d) {
    const Vec3& a = c.v[0];
    const Vec3 s{a.x * d.x, a.y * d.y, a.z * d.z};
    const double k = 1.0 / norm(s);
    return {k * a.x * s.x, k * a.y * s.y, k * a.z * s.z};
  }
  static SupportDerivatives derivatives(const Core& c, const Vec3& n) {
    const Vec3& a = c.v[0];
    const Vec3 s{a.x * n.x, a.y * n.y, a.z * n.z};
    const double k = 1.0 / norm(s);
    const Vec3 p{k * a.x * s.x, k * a.y * s.y, k * a.z * s.z};
    return {p, k * (Sym3::diagonal({a.x * a.x, a.y * a.y, a.z * a.z}) - outer(p))};
  }
};

/// r (d_y, d_z) / |(d_y, d_z)|; the centre where the direction is the axis.
inline Vec3 rim_point(double x, double r, const Vec3& d) {
  const double rho = std::sqrt(d.y * d.y + d.z * d.z);
  if (!(rho > 0.0)) return {x, 0.0, 0.0};
  const double k = r / rho;
  return {x, k * d.y, k * d.z};
}
/// Hessian of r sqrt(n_y² + n_z²): radius r / rho across the axis, zero along it.
/// At rho = 0 the normal is that of a flat face, whose radius is infinite: zero.
inline Sym3 rim_hessian(double r, const Vec3& n) {
  const double rho2 = n.y * n.y + n.z * n.z;
  if (!(rho2 > 0.0)) return {};
  const double k = r / (rho2 * std::sqrt(rho2));
  return {0.0, k * n.z * n.z, k * n.y * n.y, 0.0, 0.0, -k * n.y * n.z};
}

/// Axis x through the origin, v[0] = {half length, radius, -}.
struct CylinderCore {
  static Vec3 support(const Core& c, const Vec3& d) {
    return rim_point(d.x >= 0.0 ? c.v[0].x : -c.v[0].x, c.v[0].y, d);
  }
  static SupportDerivatives derivatives(const Core& c, const Vec3& n) {
    return {support(c, n), rim_hessian(c.v[0].y, n)};
  }
};

/// Axis x: discs v[0] = {x, radius, -} and v[1] = {x, radius, -} and what is between.
struct FrustumCore {
  static const Vec3& rim(const Core& c, const Vec3& d) {
    const double rho = std::sqrt(d.y * d.y + d.z * d.z);
    const double base = d.x * c.v[0].x + rho * c.v[0].y;
    const double top = d.x * c.v[1].x + rho * c.v[1].y;
    return top > base ? c.v[1] : c.v[0];
  }
  static Vec3 support(const Core& c, const Vec3& d) {
    const Vec3& r = rim(c, d);
    return rim_point(r.x, r.y, d);
  }
  static SupportDerivatives derivatives(const Core& c, const Vec3& n) {
    const Vec3& r = rim(c, n);
    return {rim_point(r.x, r.y, n), rim_hessian(r.y, n)};
  }
};

/// A stadium in x, y times an interval in z: v[0] = {half length of the straight
/// part, radius of the ends, half thickness}.
struct StadiumCore {
  static Vec3 support(const Core& c, const Vec3& d) {
    const Vec3& s = c.v[0];
    Vec3 p{d.x >= 0.0 ? s.x : -s.x, 0.0, d.z >= 0.0 ? s.z : -s.z};
    const double rho = std::sqrt(d.x * d.x + d.y * d.y);
    if (rho > 0.0) p.x += s.y / rho * d.x, p.y = s.y / rho * d.y;
    return p;
  }
  static SupportDerivatives derivatives(const Core& c, const Vec3& n) {
    SupportDerivatives out{support(c, n), {}};
    const double rho2 = n.x * n.x + n.y * n.y;
    if (!(rho2 > 0.0)) return out;
    const double k = c.v[0].y / (rho2 * std::sqrt(rho2));
    out.hessian = {k * n.y * n.y, k * n.x * n.x, 0.0, -k * n.x * n.y, 0.0, 0.0};
    return out;
  }
};

/// Up to four vertices v[0 .. count).
struct SimplexCore {
  static Vec3 support(const Core& c, const Vec3& d) {
    std::int32_t best = 0;
    double value = dot(d, c.v[0]);
    for (std::int32_t i = 1; i < c.count; ++i) {
      const double w = dot(d, c.v[i]);
      if (w > value) value = w, best = i;
    }
    return c.v[best];
  }
  static SupportDerivatives derivatives(const Core& c, const Vec3& n) {
    return {support(c, n), {}};
  }
};

/// data = Polytope.
struct PolytopeCore {
  static const Polytope& polytope(const Core& c) { return *static_cast<const Polytope*>(c.data); }
  static Vec3 support(const Core& c, const Vec3& d) {
    const Polytope& p = polytope(c);
    return p.vertices[support_vertex(p, d)];
  }
  static SupportDerivatives derivatives(const Core& c, const Vec3& n) {
    return {support(c, n), {}};
  }
};

extern const CoreKind core_point, core_segment, core_box, core_ellipsoid, core_cylinder,
    core_frustum, core_stadium, core_simplex, core_polytope;

/// z <= 0. Its support is infinite in every direction but +z.
extern const CoreKind core_half_space;

/// data = CustomSupport: a function of the user.
extern const CoreKind core_custom;

/// A support mapping given from C++. `hessian` may be missing: differences of
/// `support` are taken then.
struct CustomSupport {
  Vec3 (*support)(const void* data, const Vec3& direction) = nullptr;
  Sym3 (*hessian)(const void* data, const Vec3& unit_direction) = nullptr;
  const void* data = nullptr;  ///< the caller keeps it alive as long as the shape
};

Core make_point_core(const Vec3& point, double rounding);
Core make_segment_core(const Vec3& a, const Vec3& b, double rounding);
/// The cylinder of this size with its edges rounded by q; its faces stay.
Core make_cylinder_core(double radius, double length, double q);

}  // namespace carom
