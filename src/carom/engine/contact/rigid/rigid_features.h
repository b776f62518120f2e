// Where two solids (rigid_solids.h) touch: a corner on a face, two edges that cross, and, where
// they are rounded, a corner on an edge or on a corner.
//
// Each is a pair of points c_A, c_B of the bodies without their rounding and a normal n, with
//
//   phi = n . (c_B - c_A) - r_A - r_B                                                      (1)
//
// It is a contact where c_A and c_B lie within their features and n parts the bodies: the corners
// of the polygon that two faces have in common are corners of one on the other and crossings of
// their edges. How far the points are from the border of a feature is its margin; where that ends,
// others take over. With n' and the velocities a, b of c_A, c_B over their bodies,
//
//   s_A = a + r_A (n' - w_A x n),   s_B = b - r_B (n' - w_B x n),   s_A - s_B = u_t        (2)
//
// are those of the contact point over the surfaces (rigid_sites.h (2)): a corner has a = 0, a point
// of an edge moves along it, and that of a face follows from the other.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/engine/contact/contact_points.h"
#include "carom/engine/contact/rigid/rigid_data.h"
#include "carom/engine/contact/rigid/rigid_solids.h"

namespace carom {

/// Most faces, edges or corners of a solid: their numbers share a word.
inline constexpr std::size_t kMostFeatures = 1u << 14;

/// Features whose gap is below this are looked for, over the size of the smaller body [-].
inline constexpr double kNearFeature = 1e-9;

/// All that touch or nearly do, each place once; none where the bodies are farther apart, or meet
/// edge along edge so that nothing says where their normal is.
void find_features(const PairState& s, const RigidSolid& A, const RigidSolid& B, double size,
                   std::vector<RigidSite>& out);

/// That of one number, wherever its points are.
RigidSite feature_site(const PairState& s, const RigidSolid& A, const RigidSolid& B,
                       RigidFeature number);

/// What is left of the margin before others take over [m].
double feature_margin(const RigidSite& site, double size);

}  // namespace carom
