// Whether the gap between a cell of a smooth surface and a strictly convex body has minima.
//
// With G = phi + H, H the radii of curvature of the body, minima of the gap are where the map
// s -> g of smooth_pair.h vanishes, whose slope is -J, J = 1 + G K, similar to a symmetric matrix
// where G > 0. With the middles G0, K0 of G and K over a cell, J0 = 1 + G0 K0 and
//
//   |J0⁻¹ J - 1| <= E = |J0⁻¹| |G - G0| (|K0| + |K - K0|) + |J0⁻¹ G0| |K - K0|            (1)
//
// by components. Where the spectral radius of E is below 1, no J of the cell is singular: the map
// is one to one, so that the cell holds one stationary point at most, and eigenvalues of J keep
// their signs, which say whether that is a minimum. Elsewhere there is no minimum where
//
//   M = G + G K G                                                                    (2)
//
// has a negative eigenvalue all over the cell.
#pragma once

#include "carom/geometry/smooth_surface.h"
#include "carom/proximity/smooth/smooth_pair.h"

namespace carom {

enum class CellVerdict : std::uint8_t {
  drop,   ///< there is no minimum in the cell
  split,  ///< nothing is known
  unique  ///< one stationary point at most, a minimum
};

/// Points of the body, in its axes, wherever its normals are opposite to those of a cone.
IntervalVector bound_points(const ConvexBody& body, const NormalCone& cone);

/// `phi`, of a ball as seen from its centre, with how far others are from it.
CellVerdict judge_gap(const CellShape& cell, const ConvexBody& body, double phi, double off);

}  // namespace carom
