#include "carom/geometry/box4_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace carom {
namespace {

constexpr float kFar = 1e30f;

class Box4Builder {
 public:
  explicit Box4Builder(std::span<const BoundingBox> boxes) : boxes_(boxes), items_(boxes.size()) {
    std::iota(items_.begin(), items_.end(), 0u);
  }

  Box4Tree build() {
    if (items_.empty()) return std::move(tree_);
    const BoundingBox all = around(0, items_.size());
    tree_.middle = 0.5 * (all.lower + all.upper);
    tree_.half = 0.5 * (all.upper - all.lower);
    tree_.nodes.reserve(items_.size() / 2 + 1);
    add(0, items_.size());
    return std::move(tree_);
  }

 private:
  Vec3 centre(std::uint32_t i) const { return 0.5 * (boxes_[i].lower + boxes_[i].upper); }

  BoundingBox around(std::size_t first, std::size_t last) const {
    BoundingBox box = boxes_[items_[first]];
    for (std::size_t i = first + 1; i < last; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        box.lower[k] = std::min(box.lower[k], boxes_[items_[i]].lower[k]);
        box.upper[k] = std::max(box.upper[k], boxes_[items_[i]].upper[k]);
      }
    }
    return box;
  }

  /// Halves a range of items along the longest side of their centres.
  std::size_t halve(std::size_t first, std::size_t last) {
    if (last - first < 2) return last;
    Vec3 lower = centre(items_[first]), upper = lower;
    for (std::size_t i = first + 1; i < last; ++i) {
      const Vec3 c = centre(items_[i]);
      for (std::size_t k = 0; k < 3; ++k) {
        lower[k] = std::min(lower[k], c[k]), upper[k] = std::max(upper[k], c[k]);
      }
    }
    const Vec3 side = upper - lower;
    const std::size_t axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
    const std::size_t middle = first + (last - first) / 2;
    const auto at = [&](std::size_t i) { return items_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(first), at(middle), at(last), [&](std::uint32_t a, std::uint32_t b) {
      const double x = centre(a)[axis], y = centre(b)[axis];
      return x < y || (x == y && a < b);
    });
    return middle;
  }

  /// Rounded outwards: the float box contains the double one.
  void set_box(Box4Tree::Node& node, std::size_t lane, const BoundingBox& box) const {
    for (std::size_t k = 0; k < 3; ++k) {
      const double low = box.lower[k] - tree_.middle[k], high = box.upper[k] - tree_.middle[k];
      const auto c = static_cast<float>(0.5 * (low + high));
      const double reach = std::max(high - static_cast<double>(c), static_cast<double>(c) - low);
      node.centre[k][lane] = c;
      node.half[k][lane] = std::nextafter(static_cast<float>(reach), kFar);
    }
  }

  std::int32_t add(std::size_t first, std::size_t last) {
    const std::size_t at = tree_.nodes.size();
    tree_.nodes.emplace_back();
    const std::size_t middle = halve(first, last);
    const std::size_t quarter[5] = {first, halve(first, middle), middle, halve(middle, last), last};
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const std::size_t from = quarter[lane], to = quarter[lane + 1];
      Box4Tree::Node& node = tree_.nodes[at];
      if (from >= to) {
        for (std::size_t k = 0; k < 3; ++k) node.centre[k][lane] = 0.0f, node.half[k][lane] = -kFar;
        node.child[lane] = Box4Tree::kNothing;
        continue;
      }
      set_box(node, lane, around(from, to));
      if (to - from == 1) {
        node.child[lane] = ~static_cast<std::int32_t>(items_[from]);
      } else {
        const std::int32_t child = add(from, to);
        tree_.nodes[at].child[lane] = child;
      }
    }
    return static_cast<std::int32_t>(at);
  }

  std::span<const BoundingBox> boxes_;
  std::vector<std::uint32_t> items_;
  Box4Tree tree_;
};

}  // namespace

Box4Tree make_box4_tree(std::span<const BoundingBox> boxes) { return Box4Builder(boxes).build(); }

}  // namespace carom
