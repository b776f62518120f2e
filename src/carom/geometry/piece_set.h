// A shape that is no convex body but a set of them: the triangles of a mesh, or its
// convex parts. A tree of boxes tells which of them are near.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/geometry/core.h"
#include "carom/geometry/mesh.h"
#include "carom/geometry/polytope.h"

namespace carom {

/// A binary tree of boxes, in one array. A leaf holds one item.
struct BoxTree {
  struct Node {
    BoundingBox box;
    std::int32_t right = -1;  ///< the left child follows its parent; -1: a leaf
    std::uint32_t item = 0;   ///< of a leaf
  };
  std::vector<Node> nodes;  ///< the first is the root
};

/// Splits at the middle of the longest side of the centres; the order is a function of the
/// boxes alone.
BoxTree make_box_tree(const std::vector<BoundingBox>& boxes);

struct PieceSet {
  std::vector<Core> cores;
  std::vector<Polytope> hulls;  ///< what the cores of convex parts refer to
  BoxTree tree;
};

/// Every triangle as a core covered with a layer.
PieceSet make_triangle_pieces(const TriangleMesh& mesh, double layer);
/// The convex hull of every part that is connected through vertices.
PieceSet make_convex_pieces(const TriangleMesh& mesh, double layer);

}  // namespace carom
