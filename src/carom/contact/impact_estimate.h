// What to expect of an impact of two bodies after Hertz (Johnson 1985, section 11.4):
//
//   d = (5 m v² / (4 K))^(2/5),   F = K d^(3/2),   T = 2.9432751843 d / v
//
// with the effective mass m and the stiffness K of F = K d^(3/2), without loss.
#pragma once

#include <cmath>
#include <numbers>

namespace carom {

struct ImpactEstimate {
  double depth = 0.0;     ///< greatest [m]
  double force = 0.0;     ///< greatest [N]
  double duration = 0.0;  ///< [s]
  double radius = 0.0;    ///< of the contact circle at the greatest depth [m]
  double pressure = 0.0;  ///< mean at the greatest depth [Pa]
};

/// `radius` is the combined one, `modulus` E*, `speed` > 0.
inline ImpactEstimate estimate_impact(double modulus, double radius, double mass, double speed) {
  const double K = 4.0 / 3.0 * modulus * std::sqrt(radius);
  ImpactEstimate e;
  e.depth = std::pow(1.25 * mass * speed * speed / K, 0.4);
  e.force = K * e.depth * std::sqrt(e.depth);
  e.duration = 2.9432751843247047 * e.depth / speed;
  e.radius = std::sqrt(radius * e.depth);
  e.pressure = e.force / (std::numbers::pi * e.radius * e.radius);
  return e;
}

}  // namespace carom
