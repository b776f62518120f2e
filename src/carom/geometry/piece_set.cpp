#include "carom/geometry/piece_set.h"

#include <algorithm>
#include <numeric>

#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

BoundingBox around(const BoundingBox& a, const BoundingBox& b) {
  BoundingBox out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.lower[i] = std::min(a.lower[i], b.lower[i]);
    out.upper[i] = std::max(a.upper[i], b.upper[i]);
  }
  return out;
}

class TreeBuilder {
 public:
  explicit TreeBuilder(const std::vector<BoundingBox>& boxes) : boxes_(boxes) {
    items_.resize(boxes.size());
    std::iota(items_.begin(), items_.end(), 0u);
    tree_.nodes.reserve(2 * boxes.size());
  }
  BoxTree build() {
    if (!items_.empty()) add(0, items_.size());
    return std::move(tree_);
  }

 private:
  Vec3 centre(std::uint32_t i) const { return 0.5 * (boxes_[i].lower + boxes_[i].upper); }

  /// Depth is log2 of the count: items are halved, whatever their places.
  std::size_t add(std::size_t first, std::size_t last) {
    const std::size_t at = tree_.nodes.size();
    tree_.nodes.emplace_back();
    BoundingBox box = boxes_[items_[first]];
    BoundingBox centres{centre(items_[first]), centre(items_[first])};
    for (std::size_t i = first + 1; i < last; ++i) {
      box = around(box, boxes_[items_[i]]);
      centres = around(centres, {centre(items_[i]), centre(items_[i])});
    }
    tree_.nodes[at].box = box;
    if (last - first == 1) {
      tree_.nodes[at].item = items_[first];
      return at;
    }
    const Vec3 side = centres.upper - centres.lower;
    const std::size_t axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
    const std::size_t middle = first + (last - first) / 2;
    const auto begin = items_.begin();
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
      const double x = centre(a)[axis], y = centre(b)[axis];
      return x < y || (x == y && a < b);
    };
    std::nth_element(begin + static_cast<std::ptrdiff_t>(first),
                     begin + static_cast<std::ptrdiff_t>(middle),
                     begin + static_cast<std::ptrdiff_t>(last), earlier);
    add(first, middle);
    const std::size_t right = add(middle, last);
    tree_.nodes[at].right = static_cast<std::int32_t>(right);
    return at;
  }

  const std::vector<BoundingBox>& boxes_;
  std::vector<std::uint32_t> items_;
  BoxTree tree_;
};

void plant(PieceSet& set) {
  std::vector<BoundingBox> boxes;
  for (const Core& c : set.cores) boxes.push_back(bounding_box(c));
  set.tree = make_box_tree(boxes);
}

/// For every vertex the least vertex that it is connected to.
std::vector<std::uint32_t> parts(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const Triangle& t : mesh.triangles) {
    for (std::size_t k = 1; k < 3; ++k) {
      const std::uint32_t a = root(t[0]), b = root(t[k]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  for (std::uint32_t i = 0; i < parent.size(); ++i) parent[i] = root(i);
  return parent;
}

}  // namespace

BoxTree make_box_tree(const std::vector<BoundingBox>& boxes) { return TreeBuilder(boxes).build(); }

PieceSet make_triangle_pieces(const TriangleMesh& mesh, double layer) {
  PieceSet set;
  for (const Triangle& t : mesh.triangles) {
    Core c;
    c.kind = &core_simplex, c.rounding = layer, c.count = 3;
    for (std::size_t k = 0; k < 3; ++k) c.v[k] = mesh.vertices[t[k]];
    set.cores.push_back(c);
  }
  plant(set);
  return set;
}

PieceSet make_convex_pieces(const TriangleMesh& mesh, double layer) {
  PieceSet set;
  const std::vector<std::uint32_t> part = parts(mesh);
  std::vector<std::vector<Vec3>> points(mesh.vertices.size());
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const Triangle& t : mesh.triangles) used[t[0]] = used[t[1]] = used[t[2]] = true;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (used[i]) points[part[i]].push_back(mesh.vertices[i]);
  }
  for (const std::vector<Vec3>& p : points) {
    if (!p.empty()) set.hulls.push_back(make_polytope(p));
  }
  for (const Polytope& hull : set.hulls) {
    Core c;
    c.kind = &core_polytope, c.rounding = layer, c.data = &hull;
    set.cores.push_back(c);
  }
  plant(set);
  return set;
}

}  // namespace carom
