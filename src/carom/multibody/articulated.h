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

/// a −= w uᵀ, symmetric by construction: w and u are parallel, or a sum of such terms is.
inline void subtract_product(const Wrench& w, const Wrench& u, ArticulatedInertia& a) {
  const Vec3 &t = u.t, &f = u.f;
  a.I.xx -= w.t.x * t.x, a.I.yy -= w.t.y * t.y, a.I.zz -= w.t.z * t.z;
  a.I.xy -= w.t.x * t.y, a.I.xz -= w.t.x * t.z, a.I.yz -= w.t.y * t.z;
  a.M.xx -= w.f.x * f.x, a.M.yy -= w.f.y * f.y, a.M.zz -= w.f.z * f.z;
  a.M.xy -= w.f.x * f.y, a.M.xz -= w.f.x * f.z, a.M.yz -= w.f.y * f.z;
  a.H.m[0] -= w.t.x * f.x, a.H.m[1] -= w.t.x * f.y, a.H.m[2] -= w.t.x * f.z;
  a.H.m[3] -= w.t.y * f.x, a.H.m[4] -= w.t.y * f.y, a.H.m[5] -= w.t.y * f.z;
  a.H.m[6] -= w.t.z * f.x, a.H.m[7] -= w.t.z * f.y, a.H.m[8] -= w.t.z * f.z;
}

/// Σ U_i D⁻¹_ij U_jᵀ subtracted from IA: (2).
template <int N>
void remove_joint_inertia(const Wrench* U, const double* D_inv, ArticulatedInertia& a) {
  for (int i = 0; i < N; ++i) {
    Wrench w = D_inv[i] * U[0];  // column i of U D⁻¹
    for (int j = 1; j < N; ++j) w += D_inv[N * j + i] * U[j];
    subtract_product(w, U[i], a);
  }
}

}  // namespace carom
