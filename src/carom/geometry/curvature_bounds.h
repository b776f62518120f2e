// Guaranteed bounds of shape operators over a cell of a smooth surface.
//
// For a normal n of the cell let t1, t2 be what the least turn from the axis a of its normals to n
// makes of e1, e2 across a. With α = e1.n, β = e2.n, γ = a.n, over e1, e2, a,
//
//   t1 = (1 - α²/(1 + γ), -αβ/(1 + γ), -α),  t2 = (-αβ/(1 + γ), 1 - β²/(1 + γ), -β)       (1)
//
// and with n they are orthonormal. So the components of K, turned with its normal to a, are
//
//   K_ij = t_i.B t_j / |g|                                  g, B of a field h(p) = 0      (2)
//   K_11 = -(L_uu v2² - 2 L_uv u2 v2 + L_vv u2²)/|N|²       of a surface r(u, v)          (3)
//   K_12 =  (L_uu v1 v2 - L_uv (u1 v2 + u2 v1) + L_vv u1 u2)/|N|²
//   K_22 = -(L_uu v1² - 2 L_uv u1 v1 + L_vv u1²)/|N|²
//
// with N = r_u x r_v, L_kl = n.r_kl, u_i = r_u.t_i and v_i = r_v.t_i; all of it by intervals.
#pragma once

#include "carom/geometry/smooth_surface.h"

namespace carom {

/// Axes across and along the axis of a cone of normals, and what the normals and their tangents are
/// over these (1).
struct ConeAxes {
  Vec3 e1, e2, a;
  IntervalVector n, t1, t2;
  explicit ConeAxes(const NormalCone& cone) : ConeAxes(cone, any_perpendicular(cone.axis)) {}
  ConeAxes(const NormalCone& cone, const Vec3& e1);
};

/// Of a cell whose normals are in a cone; infinite where its bounds tell nothing.
CurvatureRange bound_curvature(const CellBounds& bounds, const NormalCone& cone);

}  // namespace carom
