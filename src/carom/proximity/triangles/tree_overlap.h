// Pairs of items of two trees whose boxes meet.
//
// One box of one tree is tested against the four of a node of the other, all four at once, on
// the six axes of both frames; the nine cross products of axes would cost more than they spare.
// Boxes grow by a bound of the rounding of the test, so no pair is missed.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/geometry/box4_tree.h"
#include "carom/math/pose.h"

namespace carom::triangles {

struct ItemPair {
  std::uint32_t a, b;
};

struct TreePairs {
  std::vector<ItemPair> items;  ///< those with the same b often follow each other
  std::vector<ItemPair> stack;  ///< of nodes, while it runs
};

/// Whether the spheres around two trees are apart; also for a pose that is not finite.
bool are_apart(const Box4Tree& A, const Box4Tree& B, const Pose& X_AB, double margin = 0.0);

/// Fills `out.items`; `X_AB` is the pose of B's frame in A's. Boxes count as `margin` larger.
void find_overlaps(const Box4Tree& A, const Box4Tree& B, const Pose& X_AB, double margin,
                   TreePairs& out);

}  // namespace carom::triangles
