// Pairs of a list of near triangles that cannot meet while it serves.
#pragma once

#include "carom/proximity/triangles/segments.h"

namespace carom::triangles {

/// Drops pairs of which one triangle is wholly on one side of the other's plane by more than
/// `margin`: boxes of slanted triangles meet long before the triangles do. The rest is
/// in the order of b, so that what is known of one serves for the next.
void drop_far_pairs(const PlacedPair& placed, double margin, std::vector<ItemPair>& pairs);

}  // namespace carom::triangles
