// The ellipse of contact of two curved surfaces (Hertz 1882; Johnson 1985, section 4.2).
//
// With semi-axes a >= b, e² = 1 - (b/a)² and complete elliptic integrals K(e), E(e),
//
//   B/A = [(a/b)² E - K] / [K - E],   d = (p0/E*) b K,   P = (2/3) pi p0 a b.         (1)
//
// By the arithmetic-geometric mean M of 1 and b/a, K = pi/(2M) and (K - E)/K = S, a sum that
// the mean's steps give without cancellation. From (1) the factor of stiffness.h is
//
//   B/A = (e² - S) / ((1 - e²) S),   f = M sqrt(2 (S/e²) sqrt(B/A)).                (2)
#pragma once

namespace carom {

struct ContactEllipse {
  double axis_ratio = 1.0;        ///< b/a
  double curvature_ratio = 1.0;   ///< B/A of (2)
  double stiffness_factor = 1.0;  ///< f of (2)
};

/// The ellipse of this b/a in (0, 1].
ContactEllipse contact_ellipse(double axis_ratio);

/// The factor f as a function of w = (r1 + r2)²/(r1 r2) of the two radii of curvature, where it is
/// smooth even at r1 = r2 (w = 4), and its slope.
struct FactorOfRadii {
  double factor = 1.0, slope = 0.0;
};
FactorOfRadii elliptic_factor_of_radii(double w);

/// The ellipse of this B/A >= 1, by iteration.
ContactEllipse solve_contact_ellipse(double B_over_A);

}  // namespace carom
