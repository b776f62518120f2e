// Rotations: unit quaternions (w, x, y, z), axis and angle, Cardan angles.
#pragma once

#include "carom/math/mat3.h"

namespace carom {

struct Quat {
  double w = 1.0, x = 0.0, y = 0.0, z = 0.0;
  Vec3 vec() const { return {x, y, z}; }
  bool operator==(const Quat&) const = default;
};

inline Quat operator*(const Quat& a, const Quat& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quat conjugate(const Quat& q) { return {q.w, -q.x, -q.y, -q.z}; }
inline double norm(const Quat& q) {
  return std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}
inline Quat normalized(const Quat& q) {
  const double s = 1.0 / norm(q);
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

/// Rotation matrix of `q`, which need not be normalised (N12: the right-hand side
/// normalises where it reads).
inline Mat3 to_matrix(const Quat& q) {
  const double s = 2.0 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  const double xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
  const double xy = s * q.x * q.y, xz = s * q.x * q.z, yz = s * q.y * q.z;
  const double wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
  return {{1 - yy - zz, xy - wz, xz + wy, xy + wz, 1 - xx - zz, yz - wx, xz - wy, yz + wx,
           1 - xx - yy}};
}

/// Unit quaternion with w >= 0 of a rotation matrix (Shepperd's choice of pivot).
Quat to_quat(const Mat3& R);

/// dq/dt of R_FM(q) when M turns with `w_F` relative to F, in F axes.
inline Quat quat_rate(const Quat& q, const Vec3& w_F) {
  const Quat p = Quat{0.0, w_F.x, w_F.y, w_F.z} * q;
  return {0.5 * p.w, 0.5 * p.x, 0.5 * p.y, 0.5 * p.z};
}

/// Rotation by `angle` about the unit vector `axis`.
Mat3 axis_angle(const Vec3& axis, double angle);
inline Mat3 rotation_x(double a) {
  const double c = std::cos(a), s = std::sin(a);
  return {{1, 0, 0, 0, c, -s, 0, s, c}};
}
inline Mat3 rotation_y(double a) {
  const double c = std::cos(a), s = std::sin(a);
  return {{c, 0, s, 0, 1, 0, -s, 0, c}};
}
inline Mat3 rotation_z(double a) {
  const double c = std::cos(a), s = std::sin(a);
  return {{c, -s, 0, s, c, 0, 0, 0, 1}};
}
/// Cardan angles about the moving x, y, z axes in that order: R = Rx(a) Ry(b) Rz(c).
Mat3 cardan_xyz(const Vec3& angles);
/// The inverse of cardan_xyz with the second angle in [-pi/2, pi/2].
Vec3 to_cardan_xyz(const Mat3& R);
/// exp: rotation by |r| about r.
Quat quat_exp(const Vec3& r);
/// log: rotation vector of `q`, |r| <= pi.
Vec3 quat_log(const Quat& q);
/// A rotation whose third column is the unit vector `z`.
Mat3 frame_with_z(const Vec3& z);

}  // namespace carom
