// Elastic coefficients of a contact from material and curvature (N8).
//
//   point   fe = hertz d^(3/2),  hertz = (4/3) E* sqrt(R_e) f(B/A)       elliptic Hertz
//   line    fe = linear d,       linear = (pi/4) E* L
//   face    fe = linear d,       linear = 2 E* sqrt(A/pi)                flat punch
//
// blended by the shares of the three regimes (manifold.h), so that a sweep of the pose from
// edge to face gives no jump of force.
#pragma once

#include "carom/proximity/manifold/manifold.h"

namespace carom {

struct ContactStiffness {
  double linear = 0.0;  ///< [N/m]
  double hertz = 0.0;   ///< [N/m^(3/2)]
};

/// Ellipses longer than this B/A gives are taken for this one: lines have a regime of their own.
inline constexpr double kMaxCurvatureRatio = 1e4;

/// Factor f of the elliptic Hertz stiffness over the one with R_e = 1/(2 sqrt(A B)), where
/// A <= B are half the principal relative curvatures: f(1) = 1, f(10) = 1.1090403.
double elliptic_hertz_factor(double B_over_A);

/// Coefficients of a whole contact with combined modulus E* [Pa] at a depth [m].
ContactStiffness contact_stiffness(const Contact& contact, const Manifold& manifold, double modulus,
                                   double depth);

}  // namespace carom
