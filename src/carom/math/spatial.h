// Spatial velocities, wrenches and inertias.
//
// Convention of the whole engine: a spatial quantity of a body is resolved in
// world axes and taken about a reference point that moves with the body. Moving
// from body to body is then a shift by a vector, never a rotation of a 6×6
// matrix, and nothing loses digits far from the world's origin.
#pragma once

#include "carom/math/mat3.h"

namespace carom {

/// Angular velocity (or acceleration) and that of the reference point.
struct Motion {
  Vec3 w;  ///< angular
  Vec3 v;  ///< of the reference point

  Motion& operator+=(const Motion& b) {
    w += b.w, v += b.v;
    return *this;
  }
  Motion& operator-=(const Motion& b) {
    w -= b.w, v -= b.v;
    return *this;
  }
};
inline Motion operator+(Motion a, const Motion& b) { return a += b; }
inline Motion operator-(Motion a, const Motion& b) { return a -= b; }
inline Motion operator*(double s, const Motion& a) { return {s * a.w, s * a.v}; }

/// Torque about the reference point, and force.
struct Wrench {
  Vec3 t;  ///< torque [N·m]
  Vec3 f;  ///< force [N]

  Wrench& operator+=(const Wrench& b) {
    t += b.t, f += b.f;
    return *this;
  }
  Wrench& operator-=(const Wrench& b) {
    t -= b.t, f -= b.f;
    return *this;
  }
};
inline Wrench operator+(Wrench a, const Wrench& b) { return a += b; }
inline Wrench operator-(Wrench a, const Wrench& b) { return a -= b; }
inline Wrench operator*(double s, const Wrench& a) { return {s * a.t, s * a.f}; }
inline double dot(const Motion& m, const Wrench& f) { return dot(m.w, f.t) + dot(m.v, f.f); }

/// The motion about a point displaced by `r` from the reference point.
inline Motion shifted(const Motion& m, const Vec3& r) { return {m.w, m.v + cross(m.w, r)}; }
/// The wrench, given about a point displaced by `r`, about the reference point.
inline Wrench shifted(const Wrench& f, const Vec3& r) { return {f.t + cross(r, f.f), f.f}; }

/// Mass, first moment and inertia tensor of a rigid body about its reference point.
struct Inertia {
  double m = 0.0;  ///< [kg]
  Vec3 h;          ///< mass × centre of mass [kg·m]
  Sym3 I;          ///< about the reference point, not the centre of mass [kg·m²]
};

inline Wrench operator*(const Inertia& a, const Motion& v) {
  return {a.I * v.w + cross(a.h, v.v), a.m * v.v - cross(a.h, v.w)};
}

/// Articulated inertia: [I H; Hᵀ M] with symmetric I and M.
struct ArticulatedInertia {
  Sym3 I;
  Mat3 H = Mat3::zero();
  Sym3 M;
};

inline Wrench operator*(const ArticulatedInertia& a, const Motion& v) {
  return {a.I * v.w + a.H * v.v, transpose_times(a.H, v.w) + a.M * v.v};
}

inline ArticulatedInertia to_articulated(const Inertia& a) {
  return {a.I, Mat3::cross_matrix(a.h), {a.m, a.m, a.m, 0, 0, 0}};
}

/// Adds to `sum` the articulated inertia `a`, given about a point displaced by `r`
/// from the reference point of `sum`:  H' = H + r̂ M,  I' = I + r̂ Hᵀ + H' r̂ᵀ.
/// I' is symmetric because r̂ M r̂ᵀ is, so only its upper triangle is formed.
inline void add_shifted(ArticulatedInertia& sum, const ArticulatedInertia& a, const Vec3& r) {
  const Vec3 x = a.H.row(0), y = a.H.row(1), z = a.H.row(2);
  // H', row by row.
  const Vec3 xs{x.x + (r.y * a.M.xz - r.z * a.M.xy), x.y + (r.y * a.M.yz - r.z * a.M.yy),
                x.z + (r.y * a.M.zz - r.z * a.M.yz)};
  const Vec3 ys{y.x + (r.z * a.M.xx - r.x * a.M.xz), y.y + (r.z * a.M.xy - r.x * a.M.yz),
                y.z + (r.z * a.M.xz - r.x * a.M.zz)};
  const Vec3 zs{z.x + (r.x * a.M.xy - r.y * a.M.xx), z.y + (r.x * a.M.yy - r.y * a.M.xy),
                z.z + (r.x * a.M.yz - r.y * a.M.xz)};
  sum.I.xx += a.I.xx + (r.y * (x.z + xs.z) - r.z * (x.y + xs.y));
  sum.I.yy += a.I.yy + (r.z * (y.x + ys.x) - r.x * (y.z + ys.z));
  sum.I.zz += a.I.zz + (r.x * (z.y + zs.y) - r.y * (z.x + zs.x));
  sum.I.xy += a.I.xy + ((r.y * y.z - r.z * y.y) + (r.z * xs.x - r.x * xs.z));
  sum.I.xz += a.I.xz + ((r.y * z.z - r.z * z.y) + (r.x * xs.y - r.y * xs.x));
  sum.I.yz += a.I.yz + ((r.z * z.x - r.x * z.z) + (r.x * ys.y - r.y * ys.x));
  const double H[9] = {xs.x, xs.y, xs.z, ys.x, ys.y, ys.z, zs.x, zs.y, zs.z};
  for (std::size_t k = 0; k < 9; ++k) sum.H.m[k] += H[k];
  sum.M += a.M;
}

}  // namespace carom
