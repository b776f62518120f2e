// How often a closed surface goes around a point: the piercings of a ray, counted with their
// direction. The ray is a segment along +x of the surface's own frame to beyond its box; whether
// it pierces a triangle is decided by the same exact signs, and the same ε, as everything else.
#include "carom/proximity/triangles/exact_signs.h"
#include "carom/proximity/triangles/inside.h"

namespace carom::triangles {
namespace {

class Ray {
 public:
  Ray(const PlacedPair& placed, bool in_b, const Vec3& point)
      : placed_(placed),
        in_b_(in_b),
        target_(in_b ? placed.b : placed.a),
        tree_(target_.surface->tree),
        from_(point) {
    const Pose X = in_b ? inverse(target_.X) : Pose{};
    local_ = X * point - tree_.middle;
    // Rounding of the pose, and of floats, against the size.
    slack_ = 1e-6 * (norm(tree_.half) + norm(local_));
    const Vec3 end{1.5 * tree_.half.x + 0.1 * norm(tree_.half), local_.y, local_.z};
    to_ = in_b ? target_.X * (end + tree_.middle) : end + tree_.middle;
  }

  int count() const {
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(std::abs(local_[k]) <= tree_.half[k] + slack_)) return 0;
    }
    return below(0);
  }

 private:
  int below(std::size_t at) const {
    const Box4Tree::Node& node = tree_.nodes[at];
    int sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::int32_t child = node.child[i];
      if (child == Box4Tree::kNothing || !meets(node, i)) continue;
      sum += Box4Tree::is_item(child) ? piercing(Box4Tree::item(child))
                                      : below(static_cast<std::size_t>(child));
    }
    return sum;
  }

  bool meets(const Box4Tree::Node& node, std::size_t i) const {
    const auto reach = [&](std::size_t k) { return static_cast<double>(node.half[k][i]) + slack_; };
    const auto away = [&](std::size_t k) {
      return static_cast<double>(node.centre[k][i]) - local_[k];
    };
    return std::abs(away(1)) <= reach(1) && std::abs(away(2)) <= reach(2) && away(0) >= -reach(0);
  }

  /// +1 where the ray leaves the body through the triangle, -1 where it comes in.
  int piercing(std::uint32_t triangle) const {
    const int first = side_of(placed_, in_b_, triangle, from_);
    if (first == side_of(placed_, in_b_, triangle, to_)) return 0;
    const Triangle& t = target_.surface->triangles[triangle];
    int turn = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 p = target_.vertex(t[k]), q = target_.vertex(t[(k + 1) % 3]);
      const double value = orient(from_, to_, q, p);
      // If B moves by ε its edges do; if A is asked, the point does.
      const int side = value > 0.0   ? 1
                       : value < 0.0 ? -1
                                     : (in_b_ ? 1 : -1) * leading_cross_sign(from_, to_, p, q);
      if (k > 0 && side != turn) return 0;
      turn = side;
    }
    return -first;
  }

  const PlacedPair& placed_;
  const bool in_b_;
  const PlacedSurface& target_;
  const Box4Tree& tree_;
  Vec3 from_, to_, local_;
  double slack_ = 0.0;
};

}  // namespace

int winding(const PlacedPair& placed, bool in_b, const Vec3& point) {
  const PlacedSurface& target = in_b ? placed.b : placed.a;
  if (target.surface->tree.nodes.empty()) return 0;
  return Ray(placed, in_b, point).count();
}

}  // namespace carom::triangles
