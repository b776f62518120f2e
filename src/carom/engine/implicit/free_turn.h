// Free rotation over a step that neither gains nor loses energy:
//
//   I (w+ - w) = h ((I w_m) x w_m + t),   w_m = (w + w+)/2                          (1)
//   R+ = R cay(h w_m)                                                               (2)
//
// in the axes of the body. The implicit midpoint (1) keeps w'Iw to rounding without torque; with
// Cayley's map (2) it keeps the spatial angular momentum R I w as well: (1 - a/2) I w+ =
// (1 + a/2) I w with a the cross matrix of h w_m. The exponential map instead lets it drift.
#pragma once

#include "carom/math/rotation.h"

namespace carom {

struct FreeTurn {
  Vec3 w;     ///< at the end, in the axes of the body
  Vec3 mean;  ///< w_m
  Quat turn;  ///< of the step, in the axes of the body
};

/// `inverse` is that of the inertia I about the centre of mass. Halves the step where Newton's
/// iteration of (1) does not converge.
FreeTurn turn_freely(const Sym3& inertia, const Sym3& inverse, const Vec3& w, const Vec3& torque,
                     double h, int halvings = 12);

}  // namespace carom
