#include "carom/verify/own_track.h"

namespace carom::verify {

bool has_column(const Recording& rows, const std::string& name) {
  for (const Channel& c : rows.channels) {
    for (int k = 0; k < c.width; ++k) {
      if (column_name(c, k) == name) return true;
    }
  }
  return false;
}

bool read_track(const Recording& rows, const std::string& body, Track& track) {
  if (!has_column(rows, body + ".position.x") || !has_column(rows, body + ".velocity.x") ||
      !has_column(rows, body + ".orientation.w") ||
      !has_column(rows, body + ".angular_velocity.x")) {
    return false;
  }
  const char* axes[] = {"x", "y", "z"};
  const char* parts[] = {"w", "x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    track.p[k] = rows.column(body + ".position." + axes[k]);
    track.v[k] = rows.column(body + ".velocity." + axes[k]);
    track.w[k] = rows.column(body + ".angular_velocity." + axes[k]);
  }
  for (int k = 0; k < 4; ++k) track.q[k] = rows.column(body + ".orientation." + parts[k]);
  return true;
}

Pose pose_at(const Track& k, std::size_t i) {
  return {to_matrix(Quat{k.q[0][i], k.q[1][i], k.q[2][i], k.q[3][i]}),
          {k.p[0][i], k.p[1][i], k.p[2][i]}};
}

Moment moment_at(const Track& k, const MassProperties& mass, std::size_t i) {
  const Mat3 R = pose_at(k, i).R;
  const Vec3 r = R * mass.com;
  Moment m;
  m.w = {k.w[0][i], k.w[1][i], k.w[2][i]};
  m.p = Vec3{k.p[0][i], k.p[1][i], k.p[2][i]} + r;
  m.v = Vec3{k.v[0][i], k.v[1][i], k.v[2][i]} + cross(m.w, r);
  const Vec3 w_B = transpose_times(R, m.w);
  const Sym3& I = mass.inertia;
  m.spin = R * Vec3{I.xx * w_B.x + I.xy * w_B.y + I.xz * w_B.z,
                    I.xy * w_B.x + I.yy * w_B.y + I.yz * w_B.z,
                    I.xz * w_B.x + I.yz * w_B.y + I.zz * w_B.z};
  return m;
}

}  // namespace carom::verify
