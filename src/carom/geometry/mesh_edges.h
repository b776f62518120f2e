// Edges of a triangle mesh and what is connected through them. Internal to geometry.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "carom/geometry/mesh.h"

namespace carom {

struct HalfEdge {
  std::uint32_t low, high;  ///< vertex indices, low < high
  std::uint32_t triangle;
  bool forward;  ///< the triangle runs from low to high
};

/// All half edges, those of one edge side by side.
std::vector<HalfEdge> sorted_half_edges(const TriangleMesh& mesh);

/// Those of the edge between two vertices, of all sorted ones.
std::span<const HalfEdge> half_edges_of(std::span<const HalfEdge> sorted, std::uint32_t a,
                                        std::uint32_t b);

/// Calls `visit(span of the half edges of one edge)` for every edge.
template <class Visit>
void for_each_edge(const TriangleMesh& mesh, Visit visit) {
  const std::vector<HalfEdge> all = sorted_half_edges(mesh);
  for (std::size_t i = 0; i < all.size();) {
    std::size_t j = i + 1;
    while (j < all.size() && all[j].low == all[i].low && all[j].high == all[i].high) ++j;
    visit(std::span<const HalfEdge>(all.data() + i, j - i));
    i = j;
  }
}

struct ComponentSense {
  std::size_t component = 0;
  bool flip = false;  ///< against the sense of the component's first triangle
};
/// Walks from triangle to triangle over edges shared by two; per triangle its
/// component and whether it must be turned to agree with the first of it.
std::vector<ComponentSense> flood_orientation(const TriangleMesh& mesh);

std::size_t count_components(const TriangleMesh& mesh);

}  // namespace carom
