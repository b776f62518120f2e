// Triangles of a mesh that may be in a convex body or near it, by the balls around the boxes of its
// tree.
#pragma once

#include <array>
#include <cmath>

#include "carom/geometry/box4_tree.h"
#include "carom/math/pose.h"
#include "carom/proximity/area/inner_depth.h"

namespace carom {

/// The box around a child of a node, in the axes of another body.
struct MeshBox {
  Vec3 middle;
  std::array<Vec3, 3> half;  ///< along its edges

  double radius() const { return std::sqrt(norm2(half[0]) + norm2(half[1]) + norm2(half[2])); }
  /// The least of n.(x - middle) over it.
  double lowest(const Vec3& n) const {
    return -(std::abs(dot(n, half[0])) + std::abs(dot(n, half[1])) + std::abs(dot(n, half[2])));
  }
};
inline MeshBox child_box(const Box4Tree& tree, const Box4Tree::Node& node, std::size_t k,
                         const Pose& X_BM) {
  const Vec3 c{node.centre[0][k], node.centre[1][k], node.centre[2][k]};
  MeshBox box{X_BM * (tree.middle + c), {}};
  for (std::size_t i = 0; i < 3; ++i) box.half[i] = double{node.half[i][k]} * X_BM.R.col(i);
  return box;
}

/// Calls `visit` with every triangle whose ball comes nearer to the body than `gap` [m]; X_BM is
/// the mesh in the axes of the body. `gap` may shrink while it runs.
template <class Visit>
void visit_near_triangles(const Box4Tree& tree, const Core& core, const Pose& X_BM,
                          const double& gap, Visit&& visit) {
  if (tree.nodes.empty()) return;
  constexpr std::size_t kMostOpen = 256;  // of a tree of four, halved at every level
  std::array<std::int32_t, kMostOpen> open;
  std::size_t count = 0;
  open[count++] = 0;
  while (count > 0) {
    const Box4Tree::Node& node = tree.nodes[static_cast<std::size_t>(open[--count])];
    for (std::size_t k = 0; k < 4; ++k) {
      if (node.child[k] == Box4Tree::kNothing) continue;
      const Vec3 c{node.centre[0][k], node.centre[1][k], node.centre[2][k]};
      const Vec3 half{node.half[0][k], node.half[1][k], node.half[2][k]};
      if (most_inner_depth(core, X_BM * (tree.middle + c)) + norm(half) < -gap) continue;
      if (Box4Tree::is_item(node.child[k])) {
        visit(Box4Tree::item(node.child[k]));
      } else if (count < kMostOpen) {
        open[count++] = node.child[k];
      }
    }
  }
}

}  // namespace carom
