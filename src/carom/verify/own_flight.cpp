#include "carom/verify/own_flight.h"

#include <algorithm>
#include <cmath>

namespace carom::verify {
namespace {

/// I^-1 s by Cramer's rule, body axes.
Vec3 solve(const Sym3& I, const Vec3& s) {
  const Vec3 a{I.xx, I.xy, I.xz}, b{I.xy, I.yy, I.yz}, c{I.xz, I.yz, I.zz};
  const double all = dot(a, cross(b, c));
  return Vec3{dot(s, cross(b, c)), dot(a, cross(s, c)), dot(a, cross(b, s))} / all;
}

Quat sum(const Quat& q, const Quat& rate, double h) {
  return {q.w + h * rate.w, q.x + h * rate.x, q.y + h * rate.y, q.z + h * rate.z};
}

}  // namespace

Vec3 turning(const MassProperties& mass, const Quat& q, const Vec3& spin) {
  const Mat3 R = to_matrix(normalized(q));
  return R * solve(mass.inertia, transpose_times(R, spin));
}

Flight fly(const MassProperties& mass, const Flight& from, const Vec3& force, const Vec3& torque,
           double dt) {
  constexpr double kAngle = 0.005;  // of a step [rad]: its error is below rounding
  Flight to = from;
  const Vec3 a = force / mass.mass;
  to.v = from.v + dt * a, to.p = from.p + dt * from.v + (0.5 * dt * dt) * a;
  const double angle =
      dt * norm(turning(mass, from.q, from.spin)) + dt * dt * norm(solve(mass.inertia, torque));
  const int steps = 1 + static_cast<int>(std::min(1e6, angle / kAngle));
  const double h = dt / steps;
  const auto rate = [&](const Quat& q, const Vec3& spin) {
    const Vec3 w = turning(mass, q, spin);
    const Quat p = Quat{0.0, w.x, w.y, w.z} * q;
    return Quat{0.5 * p.w, 0.5 * p.x, 0.5 * p.y, 0.5 * p.z};
  };
  for (int i = 0; i < steps; ++i) {
    const Vec3 half = to.spin + (0.5 * h) * torque, end = to.spin + h * torque;
    const Quat k1 = rate(to.q, to.spin), k2 = rate(sum(to.q, k1, 0.5 * h), half);
    const Quat k3 = rate(sum(to.q, k2, 0.5 * h), half), k4 = rate(sum(to.q, k3, h), end);
    Quat q = sum(sum(to.q, k1, h / 6.0), k2, h / 3.0);
    q = sum(sum(q, k3, h / 3.0), k4, h / 6.0);
    to.q = normalized(q), to.spin = end;
  }
  return to;
}

}  // namespace carom::verify
