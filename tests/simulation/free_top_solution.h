// The torque-free asymmetric top in closed form [LandauLifshitz1, § 37].
//
// Let C be the principal axis that the angular velocity circles about in the body, B the
// middle one and A the other, right-handed, with inertias A, B, C. Then
//
//   w = (a cn u, b sn u, c dn u),   u = p t + u0                                (1)
//   a² = (2TC - L²)/(A(C-A)),  b² = (2TC - L²)/(B(C-B)),  c² = (L² - 2TA)/(C(C-A)),
//   p² = (C-B)(L² - 2TA)/(ABC),  m = (B-A)(2TC - L²)/((C-B)(L² - 2TA)).
//
// Euler's angles about the fixed angular momentum L (R = Rz(phi) Rx(theta) Rz(psi)):
//
//   cos theta = C w_C/L,  tan psi = A w_A/(B w_B),
//   phi' = L (A w_A² + B w_B²)/(A² w_A² + B² w_B²)                              (2)
//
// phi is integrated by Gauss's rule over panels of a twentieth of a second, exact to
// rounding of double; everything else is closed.
#pragma once

#include <array>

#include "carom/math/rotation.h"
#include "elliptic.h"

namespace carom::testing {

class FreeTopSolution {
 public:
  /// Inertias about body axes that increase from x to z; w0 in body axes; the body's
  /// axes are the world's at t = 0.
  FreeTopSolution(const Vec3& inertia, const Vec3& w0) {
    const long double I[3] = {inertia.x, inertia.y, inertia.z}, w[3] = {w0.x, w0.y, w0.z};
    long double T2 = 0.0L, L2 = 0.0L;
    for (int i = 0; i < 3; ++i) {
      T2 += I[i] * w[i] * w[i];
      L2 += I[i] * I[i] * w[i] * w[i];
    }
    momentum_ = std::sqrt(L2);
    about_x_ = L2 < T2 * I[1];
    const std::array<long double, 3> start = from_body({w[0], w[1], w[2]});
    A_ = about_x_ ? I[2] : I[0];
    B_ = I[1];
    C_ = about_x_ ? I[0] : I[2];
    a_ = std::sqrt((T2 * C_ - L2) / (A_ * (C_ - A_)));
    b_ = std::sqrt((T2 * C_ - L2) / (B_ * (C_ - B_)));
    c_ = std::copysign(std::sqrt((L2 - T2 * A_) / (C_ * (C_ - A_))), start[2]);
    m_ = (B_ - A_) * (T2 * C_ - L2) / ((C_ - B_) * (L2 - T2 * A_));
    p_ = (C_ - B_) * b_ * c_ / (A_ * a_);  // from A w_A' = (B - C) w_B w_C: p with its sign
    u0_ = incomplete_first_kind(std::atan2(start[1] / b_, start[0] / a_), m_);
    to_world_ = transpose(euler(0.0L));  // the attitude at 0 is the identity
  }

  /// Angular velocity in body axes.
  Vec3 angular_velocity(double t) const {
    const std::array<long double, 3> w = rates(t);
    return to_body(w);
  }

  /// R_WB.
  Mat3 attitude(double t) const { return to_world_ * euler(t); }

 private:
  using Triple = std::array<long double, 3>;

  /// The axes (A, B, C) are (x, y, z), or (z, -y, x) where w circles about x.
  Triple from_body(const Triple& v) const { return about_x_ ? Triple{v[2], -v[1], v[0]} : v; }
  Vec3 to_body(const Triple& v) const {
    const Triple b = about_x_ ? Triple{v[2], -v[1], v[0]} : v;
    return {static_cast<double>(b[0]), static_cast<double>(b[1]), static_cast<double>(b[2])};
  }

  Triple rates(long double t) const {
    const JacobiElliptic e = jacobi_elliptic(p_ * t + u0_, m_);
    return {a_ * e.cn, b_ * e.sn, c_ * e.dn};  // (1)
  }

  /// Rotation from body axes to the frame whose z lies along L.
  Mat3 euler(long double t) const {
    const Triple w = rates(t);
    const long double along = std::sqrt(A_ * A_ * w[0] * w[0] + B_ * B_ * w[1] * w[1]);
    const long double theta = std::atan2(along, C_ * w[2]);
    const long double psi = std::atan2(A_ * w[0], B_ * w[1]);
    const int panels = 1 + static_cast<int>(20.0L * t);
    const long double phi = integrate(
        [this](long double s) {
          const Triple v = rates(s);
          const long double x = A_ * v[0], y = B_ * v[1];
          return momentum_ * (x * v[0] + y * v[1]) / (x * x + y * y);  // (2)
        },
        0.0L, t, panels);
    const long double turn = std::remainder(phi, 2.0L * std::numbers::pi_v<long double>);
    const auto d = [](long double x) { return static_cast<double>(x); };
    const Mat3 R = rotation_z(d(turn)) * rotation_x(d(theta)) * rotation_z(d(psi));
    return about_x_ ? R * Mat3{{0, 0, 1, 0, -1, 0, 1, 0, 0}} : R;
  }

  bool about_x_ = false;
  long double momentum_, A_, B_, C_, a_, b_, c_, p_, m_, u0_;
  Mat3 to_world_;
};

}  // namespace carom::testing
