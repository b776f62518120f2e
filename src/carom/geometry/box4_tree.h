// A static tree of boxes with four children per node, for queries that test four at once.
//
// Boxes are floats about the middle of everything, rounded outwards: four of them lie side by
// side in the cache and in the registers. A child is a node, an item, or nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "carom/geometry/core.h"

namespace carom {

struct Box4Tree {
  static constexpr std::int32_t kNothing = std::numeric_limits<std::int32_t>::min();

  struct alignas(64) Node {
    float centre[3][4];     ///< [m], relative to `middle`; [axis][child]
    float half[3][4];       ///< negative beyond reach for a child that is nothing
    std::int32_t child[4];  ///< a node; ~item; or kNothing
  };

  Vec3 middle;              ///< of all boxes [m]
  Vec3 half;                ///< half the extent of all boxes [m]
  std::vector<Node> nodes;  ///< the first is the root; none if there are no boxes

  static bool is_item(std::int32_t child) { return child < 0; }
  static std::uint32_t item(std::int32_t child) { return static_cast<std::uint32_t>(~child); }
};

/// The order of nodes is a function of the boxes alone. Items that lie together in space lie
/// together in the tree: they are halved along the longest side of their centres.
Box4Tree make_box4_tree(std::span<const BoundingBox> boxes);

}  // namespace carom
