// Parameters of the p^n law for connected surfaces, from materials and geometry.
//
//   point   K = (4/3) E* sqrt(R_e) f(B/A)    n = 3/2    elliptic Hertz
//   line    K = (pi/4) E* L                  n = 1      cylinder, Johnson 1985, section 4.2
//   plane   K = 2 E* sqrt(A/pi)              n = 1      flat punch
//
// K is that of the whole contact; the law's c counts per point, so it is K, K/2 and K/4. Damping
// is Hunt and Crossley's, m = n and d = c chi, with chi such that an impact at the speed v has
// the restitution of the pair (exact_restitution.h): chi = factor(e) / v. The layer t is a
// tenth of the smallest radius of curvature or of the flat surface: as deep as such laws hold.
#pragma once

#include "carom/contact/pair_material.h"
#include "carom/contact/stiffness.h"
#include "carom/proximity/smooth/surface_pair.h"

namespace carom {

struct SurfaceParameters {
  double c = 0.0;  ///< per point [N/m^n]
  double d = 0.0;  ///< per point [N.s/m^(m+1)]
  double n = 1.5, m = 1.5;
  double t = 1e-3;  ///< [m]
};

/// Elastic coefficients of the whole contact for the combined modulus E* [Pa].
ContactStiffness surface_stiffness(const IdealSurface& a, const IdealSurface& b, double modulus);

/// A length of the pair: smallest radius of curvature, or that of a circle as large as the
/// smaller flat surface [m].
double surface_scale(const IdealSurface& a, const IdealSurface& b);

SurfaceParameters derive_parameters(const IdealSurface& a, const IdealSurface& b,
                                    const PairMaterial& material, double speed);

}  // namespace carom
