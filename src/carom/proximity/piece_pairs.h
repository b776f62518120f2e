// Which pieces of two shapes can be near: a walk down both trees of boxes.
#pragma once

#include <algorithm>
#include <limits>

#include "carom/geometry/core_kinds.h"
#include "carom/geometry/shape.h"
#include "carom/math/pose.h"

namespace carom {

/// A shape as a tree, also where it is one piece.
class PieceTree {
 public:
  explicit PieceTree(const Shape& shape) : tree_(shape.pieces ? &shape.pieces->tree : nullptr) {
    if (tree_) return;
    one_.box = bounding_box(shape.core);
    plane_ = shape.core.kind == &core_half_space;
    rounding_ = shape.core.rounding;
  }
  const BoxTree::Node& node(std::size_t i) const { return tree_ ? tree_->nodes[i] : one_; }
  bool is_plane() const { return plane_; }
  double rounding() const { return rounding_; }

 private:
  const BoxTree* tree_;
  BoxTree::Node one_;
  bool plane_ = false;
  double rounding_ = 0.0;
};

/// A lower bound of the signed distance of what two boxes hold: that of a ball around the one and
/// of the other, whose faces are as far as they are where the ball's middle is inside; above a
/// plane, the lowest corner.
inline double box_distance(const BoundingBox& a, const BoundingBox& b, const Pose& X_AB) {
  const Vec3 c = X_AB * (0.5 * (b.lower + b.upper));
  Vec3 out;
  double inside = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = std::max({a.lower[i] - c[i], 0.0, c[i] - a.upper[i]});
    inside = std::min({inside, c[i] - a.lower[i], a.upper[i] - c[i]});
  }
  return norm(out) - std::max(0.0, inside) - 0.5 * norm(b.upper - b.lower);
}
inline double box_above_plane(const BoundingBox& box, const Vec3& n_box, double offset) {
  double low = offset;
  for (std::size_t i = 0; i < 3; ++i) low += n_box[i] * (n_box[i] > 0.0 ? box.lower : box.upper)[i];
  return low;
}

/// Calls visit(i, j, limit) for all pairs of pieces that may be nearer than `limit`, which
/// the visitor may lower. The order is that of the trees.
template <class Visit>
void visit_near(const Shape& A, const Pose& X_WA, const Shape& B, const Pose& X_WB, double limit,
                Visit visit) {
  const PieceTree ta(A), tb(B);
  const Pose X_AB = inverse(X_WA) * X_WB, X_BA = inverse(X_WB) * X_WA;
  const auto bound = [&](const BoxTree::Node& a, const BoxTree::Node& b) {
    if (ta.is_plane() && tb.is_plane()) return -std::numeric_limits<double>::infinity();
    if (ta.is_plane()) return box_above_plane(b.box, X_AB.R.row(2), X_AB.p.z) - ta.rounding();
    if (tb.is_plane()) return box_above_plane(a.box, X_BA.R.row(2), X_BA.p.z) - tb.rounding();
    return box_distance(a.box, b.box, X_AB);
  };
  // Both trees are balanced: 2^32 pieces are 32 deep, and a step leaves one pair behind.
  struct Pair {
    std::size_t a, b;
  };
  Pair stack[160];
  int count = 0;
  stack[count++] = {0, 0};
  while (count > 0) {
    const Pair at = stack[--count];
    const BoxTree::Node &a = ta.node(at.a), &b = tb.node(at.b);
    if (bound(a, b) > limit) continue;
    const bool leaf_a = a.right < 0, leaf_b = b.right < 0;
    if (leaf_a && leaf_b) {
      visit(a.item, b.item, limit);
      continue;
    }
    const bool split_a =
        !leaf_a && (leaf_b || norm2(a.box.upper - a.box.lower) >= norm2(b.box.upper - b.box.lower));
    Pair near = split_a ? Pair{at.a + 1, at.b} : Pair{at.a, at.b + 1};
    Pair far = split_a ? Pair{static_cast<std::size_t>(a.right), at.b}
                       : Pair{at.a, static_cast<std::size_t>(b.right)};
    if (bound(ta.node(far.a), tb.node(far.b)) < bound(ta.node(near.a), tb.node(near.b))) {
      std::swap(near, far);
    }
    stack[count++] = far, stack[count++] = near;
  }
}

}  // namespace carom
