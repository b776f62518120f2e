#include "carom/geometry/mesh_edges.h"

#include <array>
#include <limits>

namespace carom {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

struct Neighbour {
  std::uint32_t triangle = kNone;
  bool disagrees = false;
};

std::vector<std::array<Neighbour, 3>> find_neighbours(const TriangleMesh& mesh) {
  std::vector<std::array<Neighbour, 3>> out(mesh.triangles.size());
  const auto link = [&](const HalfEdge& from, const HalfEdge& to) {
    for (Neighbour& n : out[from.triangle]) {
      if (n.triangle != kNone) continue;
      n = {to.triangle, from.forward == to.forward};
      return;
    }
  };
  for_each_edge(mesh, [&](std::span<const HalfEdge> sides) {
    if (sides.size() != 2) return;
    link(sides[0], sides[1]);
    link(sides[1], sides[0]);
  });
  return out;
}

}  // namespace

std::vector<HalfEdge> sorted_half_edges(const TriangleMesh& mesh) {
  std::vector<HalfEdge> all;
  all.reserve(3 * mesh.triangles.size());
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      if (a != b) all.push_back({std::min(a, b), std::max(a, b), i, a < b});
    }
  }
  std::sort(all.begin(), all.end(), [](const HalfEdge& a, const HalfEdge& b) {
    if (a.low != b.low) return a.low < b.low;
    return a.high != b.high ? a.high < b.high : a.triangle < b.triangle;
  });
  return all;
}

std::span<const HalfEdge> half_edges_of(std::span<const HalfEdge> sorted, std::uint32_t a,
                                        std::uint32_t b) {
  const std::pair<std::uint32_t, std::uint32_t> edge = std::minmax(a, b);
  const auto first = std::partition_point(sorted.begin(), sorted.end(), [&](const HalfEdge& h) {
    return std::pair(h.low, h.high) < edge;
  });
  auto last = first;
  while (last != sorted.end() && last->low == edge.first && last->high == edge.second) ++last;
  return {first, last};
}

std::vector<ComponentSense> flood_orientation(const TriangleMesh& mesh) {
  const std::vector<std::array<Neighbour, 3>> neighbours = find_neighbours(mesh);
  std::vector<ComponentSense> sense(mesh.triangles.size());
  std::vector<bool> seen(mesh.triangles.size());
  std::vector<std::uint32_t> stack;
  std::size_t component = 0;
  for (std::uint32_t root = 0; root < sense.size(); ++root) {
    if (seen[root]) continue;
    seen[root] = true;
    sense[root] = {component, false};
    stack.push_back(root);
    while (!stack.empty()) {
      const std::uint32_t at = stack.back();
      stack.pop_back();
      for (const Neighbour& n : neighbours[at]) {
        if (n.triangle == kNone || seen[n.triangle]) continue;
        seen[n.triangle] = true;
        sense[n.triangle] = {component, sense[at].flip != n.disagrees};
        stack.push_back(n.triangle);
      }
    }
    ++component;
  }
  return sense;
}

std::size_t count_components(const TriangleMesh& mesh) {
  std::size_t count = 0;
  for (const ComponentSense& s : flood_orientation(mesh)) count = std::max(count, s.component + 1);
  return count;
}

}  // namespace carom
