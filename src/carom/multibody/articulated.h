// Kernels of the articulated-body algorithm for one joint of fixed width: products
// with the columns of H, the inverse of D, and what a joint takes out of the inertia
// that the parent feels. Equation numbers are those of aba.cpp.
#pragma once

#include <cmath>

#include "carom/multibody/joint_kind.h"

namespace carom {

/// IA h for a column h of H.
template <Subspace S>
Wrench inertia_times(const ArticulatedInertia& a, const Motion& h) {
  if constexpr (S == Subspace::rotation) {
    return {a.I * h.w, transpose_times(a.H, h.w)};
  } else {
    return a * h;
  }
}
template <Subspace S>
double column_dot(const Motion& h, const Wrench& f) {
  if constexpr (S == Subspace::rotation) {
    return dot(h.w, f.t);
  } else {
    return dot(h, f);
  }
}
template <Subspace S>
void add_column(double s, const Motion& h, Motion& a) {
  a.w += s * h.w;
  if constexpr (S != Subspace::rotation) a.v += s * h.v;
}

/// Inverse of a symmetric positive definite N × N matrix (row-major) by Cholesky.
/// Returns false if a pivot is not positive relative to its diagonal.
template <int N>
bool invert_spd(const double* D, double* inverse) {
  if constexpr (N == 1) {
    inverse[0] = 1.0 / D[0];
    return D[0] > 0.0;
  } else {
    double L[N * N];
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j <= i; ++j) {
        double s = D[N * i + j];
        for (int k = 0; k < j; ++k) s -= L[N * i + k] * L[N * j + k];
        if (i == j) {
          // Rounding leaves about eps of the diagonal where the matrix is singular.
          if (!(s > 1e-15 * D[N * i + i])) return false;
          L[N * i + i] = std::sqrt(s);
        } else {
          L[N * i + j] = s / L[N * j + j];
        }
      }
    }
    double G[N * N];  // L⁻¹, lower triangle
    for (int j = 0; j < N; ++j) {
      G[N * j + j] = 1.0 / L[N * j + j];
      for (int i = j + 1; i < N; ++i) {
        double s = 0.0;
        for (int k = j; k < i; ++k) s -= L[N * i + k] * G[N * k + j];
        G[N * i + j] = s / L[N * i + i];
      }
    }
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j <= i; ++j) {
        double s = 0.0;
        for (int k = i; k < N; ++k) s += G[N * k + i] * G[N * k + j];
        inverse[N * i + j] = inverse[N * j + i] = s;
      }
    }
    return true;
  }
}

/// a − w uᵀ where that is symmetric: w and u are parallel, or a sum of such terms is.
inline ArticulatedInertia minus_product(const ArticulatedInertia& a, const Wrench& w,
                                        const Wrench& u) {
  const Vec3 &t = u.t, &f = u.f;
  return {{a.I.xx - w.t.x * t.x, a.I.yy - w.t.y * t.y, a.I.zz - w.t.z * t.z,  //
           a.I.xy - w.t.x * t.y, a.I.xz - w.t.x * t.z, a.I.yz - w.t.y * t.z},
          {{a.H.m[0] - w.t.x * f.x, a.H.m[1] - w.t.x * f.y, a.H.m[2] - w.t.x * f.z,  //
            a.H.m[3] - w.t.y * f.x, a.H.m[4] - w.t.y * f.y, a.H.m[5] - w.t.y * f.z,  //
            a.H.m[6] - w.t.z * f.x, a.H.m[7] - w.t.z * f.y, a.H.m[8] - w.t.z * f.z}},
          {a.M.xx - w.f.x * f.x, a.M.yy - w.f.y * f.y, a.M.zz - w.f.z * f.z,  //
           a.M.xy - w.f.x * f.y, a.M.xz - w.f.x * f.z, a.M.yz - w.f.y * f.z}};
}

/// Ia = IA − Σ U_i D⁻¹_ij U_jᵀ: (2).
template <int N>
ArticulatedInertia carried_inertia(const ArticulatedInertia& IA, const Wrench* U,
                                   const double* D_inv) {
  if constexpr (N == 0) {
    return IA;
  } else if constexpr (N == 1) {
    return minus_product(IA, D_inv[0] * U[0], U[0]);
  } else {
    ArticulatedInertia Ia = IA;
    for (int i = 0; i < N; ++i) {
      Wrench w = D_inv[i] * U[0];  // column i of U D⁻¹
      for (int j = 1; j < N; ++j) w += D_inv[N * j + i] * U[j];
      Ia = minus_product(Ia, w, U[i]);
    }
    return Ia;
  }
}

/// Inverse by cofactors; false if a pivot is not positive relative to the diagonal of
/// `scale`, the matrix from which `a` came by subtraction.
inline bool invert_sym3(const Sym3& a, const Sym3& scale, Sym3& inverse) {
  constexpr double kSingular = 1e-14;
  const double czz = a.xx * a.yy - a.xy * a.xy;
  const double cxx = a.yy * a.zz - a.yz * a.yz;
  const double cxy = a.xz * a.yz - a.xy * a.zz;
  const double cxz = a.xy * a.yz - a.xz * a.yy;
  const double determinant = a.xx * cxx + a.xy * cxy + a.xz * cxz;
  const bool regular = a.xx > kSingular * scale.xx && czz > kSingular * a.xx * scale.yy &&
                       determinant > kSingular * czz * scale.zz;
  const double s = 1.0 / determinant;
  inverse = {s * cxx, s * (a.xx * a.zz - a.xz * a.xz), s * czz, s * cxy,
             s * cxz, s * (a.xy * a.xz - a.xx * a.yz)};
  return regular;
}

/// The symmetric matrix of the blocks (S, −Z; −Zᵀ, T), all turned into the axes E.
inline void store_blocks(Sym3 S, Mat3 Z, Sym3 T, const Mat3& E, double* D) {
  if (E != Mat3{}) {
    const Mat3 Et = transpose(E);
    S = rotated(Et, S);
    T = rotated(Et, T);
    Z = Et * Z * E;
  }
  const Mat3 top = to_mat3(S), bottom = to_mat3(T);
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      D[6 * r + c] = top(r, c);
      D[6 * r + 3 + c] = D[6 * (3 + c) + r] = -Z(r, c);
      D[6 * (3 + r) + 3 + c] = bottom(r, c);
    }
  }
}

/// D⁻¹ for Subspace::full with the axes E: the inverse of IA, by blocks, in these axes.
/// With Y = H M⁻¹ and S = I − Y Hᵀ,
///
///   IA⁻¹ = [ S⁻¹        −S⁻¹ Y          ]
///          [ −Yᵀ S⁻¹    M⁻¹ + Yᵀ S⁻¹ Y  ]
inline bool invert_inertia(const ArticulatedInertia& a, const Mat3& E, double* D_inv) {
  Sym3 M_inv, S_inv;
  if (!invert_sym3(a.M, a.M, M_inv)) return false;
  if (a.H == Mat3::zero()) {  // the origin is the centre of mass, and nothing is carried
    if (!invert_sym3(a.I, a.I, S_inv)) return false;
    store_blocks(S_inv, Mat3::zero(), M_inv, E, D_inv);
    return true;
  }
  const Vec3 h0 = a.H.row(0), h1 = a.H.row(1), h2 = a.H.row(2);
  const Vec3 y0 = M_inv * h0, y1 = M_inv * h1, y2 = M_inv * h2;     // rows of Y
  const Sym3 S = a.I - Sym3{dot(y0, h0), dot(y1, h1), dot(y2, h2),  //
                            dot(y0, h1), dot(y0, h2), dot(y1, h2)};
  if (!invert_sym3(S, a.I, S_inv)) return false;
  const Vec3 c0{y0.x, y1.x, y2.x}, c1{y0.y, y1.y, y2.y}, c2{y0.z, y1.z, y2.z};
  const Vec3 z0 = S_inv * c0, z1 = S_inv * c1, z2 = S_inv * c2;       // columns of S⁻¹ Y
  const Sym3 T = M_inv + Sym3{dot(c0, z0), dot(c1, z1), dot(c2, z2),  //
                              dot(c0, z1), dot(c0, z2), dot(c1, z2)};
  store_blocks(S_inv, Mat3::from_columns(z0, z1, z2), T, E, D_inv);
  return true;
}

}  // namespace carom
