// What lies next to a hole: a closed curve within one triangle, with the inside around it.
//
// The outer and the inner shell of a hollow ball cut a plate in two circles that no edge joins.
// From a point of the inner one a ray runs within the triangle to the next curve, or to the
// border: to a vertex or a piercing there.
#pragma once

#include "carom/proximity/triangles/inside.h"

namespace carom::triangles {

struct Neighbour {
  std::uint32_t curve = kNoIndex, vertex = kNoIndex;  ///< at most one of them
};

/// Nothing, if `curve` is no hole in a triangle of A (of_b false) or of B.
Neighbour around_hole(const PlacedPair& placed, bool of_b, const Curves& curves,
                      const InsideParts& parts, std::uint32_t curve);

}  // namespace carom::triangles
