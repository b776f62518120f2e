#include "carom/math/rotation.h"

#include <algorithm>

namespace carom {

Quat to_quat(const Mat3& R) {
  const double* m = R.m;
  const double t = m[0] + m[4] + m[8];
  Quat q;
  if (t >= m[0] && t >= m[4] && t >= m[8]) {
    q = {1.0 + t, m[7] - m[5], m[2] - m[6], m[3] - m[1]};
  } else if (m[0] >= m[4] && m[0] >= m[8]) {
    q = {m[7] - m[5], 1.0 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6]};
  } else if (m[4] >= m[8]) {
    q = {m[2] - m[6], m[1] + m[3], 1.0 - m[0] + m[4] - m[8], m[5] + m[7]};
  } else {
    q = {m[3] - m[1], m[2] + m[6], m[5] + m[7], 1.0 - m[0] - m[4] + m[8]};
  }
  q = normalized(q);
  return q.w < 0.0 ? Quat{-q.w, -q.x, -q.y, -q.z} : q;
}

Mat3 axis_angle(const Vec3& u, double angle) {
  const double c = std::cos(angle), s = std::sin(angle), k = 1.0 - c;
  return {{c + k * u.x * u.x, k * u.x * u.y - s * u.z, k * u.x * u.z + s * u.y,
           k * u.y * u.x + s * u.z, c + k * u.y * u.y, k * u.y * u.z - s * u.x,
           k * u.z * u.x - s * u.y, k * u.z * u.y + s * u.x, c + k * u.z * u.z}};
}

Mat3 cardan_xyz(const Vec3& a) { return rotation_x(a.x) * rotation_y(a.y) * rotation_z(a.z); }

Vec3 to_cardan_xyz(const Mat3& R) {
  return {std::atan2(-R(1, 2), R(2, 2)), std::asin(std::clamp(R(0, 2), -1.0, 1.0)),
          std::atan2(-R(0, 1), R(0, 0))};
}

Quat quat_exp(const Vec3& r) {
  const double angle = norm(r);
  // sin(a/2)/a with its series where the quotient loses digits.
  const double k = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : std::sin(0.5 * angle) / angle;
  return {std::cos(0.5 * angle), k * r.x, k * r.y, k * r.z};
}

Vec3 quat_log(const Quat& q_in) {
  const Quat q = q_in.w < 0.0 ? Quat{-q_in.w, -q_in.x, -q_in.y, -q_in.z} : q_in;
  const double s = norm(q.vec());
  const double angle = 2.0 * std::atan2(s, q.w);
  const double k = s < 1e-8 ? 2.0 / q.w : angle / s;
  return k * q.vec();
}

Mat3 frame_with_z(const Vec3& z) {
  const Vec3 x = any_perpendicular(z);
  return Mat3::from_columns(x, cross(z, x), z);
}

}  // namespace carom
