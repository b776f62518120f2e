// One point of two bodies of which one is strictly convex, a ball or an ellipsoid, and the other
// any convex one with faces, edges, rims and corners.
//
// With the radii of curvature R of the surfaces (those of an edge vanish across it, where a
// curvature would have no bound), the turn nu = n' - w_A x n of the normal over A, and slip u,
//
//   s_A = R_A nu,   s_B = -R_B (nu - W),   s_A - s_B = u,   W = (w_B - w_A) x n,          (1)
//   (R_A + R_B) nu = u + R_B W                                                             (2)
//
// and along straight lines of a surface, where R has no bound, nu vanishes.
#pragma once

#include "carom/engine/contact/contact_points.h"
#include "carom/engine/contact/rigid/rigid_data.h"
#include "carom/engine/contact/rigid/rigid_planes.h"
#include "carom/engine/contact/rigid/rigid_solids.h"

namespace carom {

/// A body as it is seen here: where its core is null it is the strictly convex one.
struct TouchedBody {
  const Core* core = nullptr;
  const RigidRound* round = nullptr;
};

/// False where the finder fails.
bool touch_site(const PairState& s, const TouchedBody& a, const TouchedBody& b, RigidSite& site);

/// Their distance alone.
Contact touch_distance(const PairState& s, const TouchedBody& a, const TouchedBody& b);

}  // namespace carom
