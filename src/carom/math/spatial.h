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

  Motion& operator+=(const Motion& b) { w += b.w, v += b.v; return *this; }
  Motion& operator-=(const Motion& b) { w -= b.w, v -= b.v; return *this; }
};
inline Motion operator+(Motion a, const Motion& b) { return a += b; }
inline Motion operator-(Motion a, const Motion& b) { return a -= b; }
inline Motion operator*(double s, const Motion& a) { return {s * a.w, s * a.v}; }

/// Torque about the reference point, and force.
struct Wrench {
  Vec3 t;  ///< torque [N·m]
  Vec3 f;  ///< force [N]

  Wrench& operator+=(const Wrench& b) { t += b.t, f += b.f; return *this; }
  Wrench& operator-=(const Wrench& b) { t -= b.t, f -= b.f; return *this; }
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

/// The articulated inertia, given about a point displaced by `r`, about the
/// reference point:  H' = H + r̂ M,  I' = I + r̂ Hᵀ + (r̂ Hᵀ)ᵀ + r̂ M r̂ᵀ.
inline ArticulatedInertia shifted(const ArticulatedInertia& a, const Vec3& r) {
  ArticulatedInertia b;
  b.M = a.M;
  // Columns of M and rows of H feed cross products with r.
  const Vec3 mx = cross(r, {a.M.xx, a.M.xy, a.M.xz});
  const Vec3 my = cross(r, {a.M.xy, a.M.yy, a.M.yz});
  const Vec3 mz = cross(r, {a.M.xz, a.M.yz, a.M.zz});
  b.H = a.H + Mat3::from_columns(mx, my, mz);
  // r̂ (H + r̂M/…)ᵀ: with H' = H + r̂M,  I' = I + r̂Hᵀ + H' r̂ᵀ.
  const Mat3 rHt = Mat3::from_columns(cross(r, a.H.row(0)), cross(r, a.H.row(1)),
                                      cross(r, a.H.row(2)));
  const Mat3 Hrt = transpose(Mat3::from_columns(cross(r, b.H.row(0)), cross(r, b.H.row(1)),
                                                cross(r, b.H.row(2))));
  b.I = a.I + symmetric_part(rHt + Hrt);
  return b;
}

}  // namespace carom
