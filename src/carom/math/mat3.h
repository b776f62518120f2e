// 3×3 matrices: full (Mat3, row-major) and symmetric (Sym3).
#pragma once

#include "carom/math/vec3.h"

namespace carom {

struct Mat3 {
  double m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< row-major; identity by default

  double& operator()(std::size_t r, std::size_t c) { return m[3 * r + c]; }
  const double& operator()(std::size_t r, std::size_t c) const { return m[3 * r + c]; }
  Vec3 row(std::size_t r) const { return {m[3 * r], m[3 * r + 1], m[3 * r + 2]}; }
  Vec3 col(std::size_t c) const { return {m[c], m[3 + c], m[6 + c]}; }
  bool operator==(const Mat3&) const = default;

  static Mat3 zero() { return {{0, 0, 0, 0, 0, 0, 0, 0, 0}}; }
  static Mat3 from_columns(const Vec3& a, const Vec3& b, const Vec3& c) {
    return {{a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z}};
  }
  static Mat3 diagonal(const Vec3& d) { return {{d.x, 0, 0, 0, d.y, 0, 0, 0, d.z}}; }
  /// cross_matrix(a) * b == cross(a, b)
  static Mat3 cross_matrix(const Vec3& a) { return {{0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0}}; }
};

inline Vec3 operator*(const Mat3& a, const Vec3& v) {
  return {a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
          a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z};
}
/// aᵀ v without forming aᵀ.
inline Vec3 transpose_times(const Mat3& a, const Vec3& v) {
  return {a.m[0] * v.x + a.m[3] * v.y + a.m[6] * v.z, a.m[1] * v.x + a.m[4] * v.y + a.m[7] * v.z,
          a.m[2] * v.x + a.m[5] * v.y + a.m[8] * v.z};
}
inline Mat3 transpose(const Mat3& a) {
  return {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}
inline Mat3 operator*(const Mat3& a, const Mat3& b) {
  Mat3 c;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      c.m[3 * i + j] =
          a.m[3 * i] * b.m[j] + a.m[3 * i + 1] * b.m[3 + j] + a.m[3 * i + 2] * b.m[6 + j];
    }
  }
  return c;
}
inline Mat3 operator+(const Mat3& a, const Mat3& b) {
  Mat3 c;
  for (std::size_t i = 0; i < 9; ++i) c.m[i] = a.m[i] + b.m[i];
  return c;
}
inline Mat3 operator-(const Mat3& a, const Mat3& b) {
  Mat3 c;
  for (std::size_t i = 0; i < 9; ++i) c.m[i] = a.m[i] - b.m[i];
  return c;
}
inline Mat3 operator*(double s, const Mat3& a) {
  Mat3 c;
  for (std::size_t i = 0; i < 9; ++i) c.m[i] = s * a.m[i];
  return c;
}
inline double determinant(const Mat3& a) { return dot(a.row(0), cross(a.row(1), a.row(2))); }

/// A symmetric matrix by its upper triangle.
struct Sym3 {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

  static Sym3 diagonal(const Vec3& d) { return {d.x, d.y, d.z, 0, 0, 0}; }
  Sym3& operator+=(const Sym3& b) {
    xx += b.xx, yy += b.yy, zz += b.zz, xy += b.xy, xz += b.xz, yz += b.yz;
    return *this;
  }
  Sym3& operator-=(const Sym3& b) {
    xx -= b.xx, yy -= b.yy, zz -= b.zz, xy -= b.xy, xz -= b.xz, yz -= b.yz;
    return *this;
  }
  bool operator==(const Sym3&) const = default;
};

inline Sym3 operator+(Sym3 a, const Sym3& b) { return a += b; }
inline Sym3 operator-(Sym3 a, const Sym3& b) { return a -= b; }
inline Sym3 operator*(double s, const Sym3& a) {
  return {s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.xz, s * a.yz};
}
inline Vec3 operator*(const Sym3& a, const Vec3& v) {
  return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
          a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
inline double trace(const Sym3& a) { return a.xx + a.yy + a.zz; }
inline Mat3 to_mat3(const Sym3& a) {
  return {{a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz}};
}
/// The symmetric part of `a`.
inline Sym3 symmetric_part(const Mat3& a) {
  return {a.m[0],
          a.m[4],
          a.m[8],
          0.5 * (a.m[1] + a.m[3]),
          0.5 * (a.m[2] + a.m[6]),
          0.5 * (a.m[5] + a.m[7])};
}
inline Sym3 outer(const Vec3& a) {
  return {a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z};
}
/// |a|² 1 − a aᵀ: inertia of a unit point mass at `a` about the origin.
inline Sym3 point_inertia(const Vec3& a) {
  return {a.y * a.y + a.z * a.z,
          a.x * a.x + a.z * a.z,
          a.x * a.x + a.y * a.y,
          -a.x * a.y,
          -a.x * a.z,
          -a.y * a.z};
}
/// R a Rᵀ: the tensor `a`, given in rotated axes, in the axes R maps to.
inline Sym3 rotated(const Mat3& R, const Sym3& a) {
  const Vec3 r0 = R.row(0), r1 = R.row(1), r2 = R.row(2);
  const Vec3 a0 = a * r0, a1 = a * r1, a2 = a * r2;
  return {dot(r0, a0), dot(r1, a1), dot(r2, a2), dot(r1, a0), dot(r2, a0), dot(r2, a1)};
}
/// Inverse by cofactors; the caller ensures that `a` is regular.
inline Sym3 inverse(const Sym3& a) {
  const double cxx = a.yy * a.zz - a.yz * a.yz;
  const double cxy = a.xz * a.yz - a.xy * a.zz;
  const double cxz = a.xy * a.yz - a.xz * a.yy;
  const double s = 1.0 / (a.xx * cxx + a.xy * cxy + a.xz * cxz);
  return {s * cxx, s * (a.xx * a.zz - a.xz * a.xz), s * (a.xx * a.yy - a.xy * a.xy), s * cxy,
          s * cxz, s * (a.xy * a.xz - a.xx * a.yz)};
}

}  // namespace carom
