// Which vertices and whole triangles of a surface lie inside the other body.
//
// Going along an edge the number of the bodies around a point changes by `enters` at every
// piercing and nowhere else, so
//
//   inside(high) - inside(low) = sum of enters over the piercings of the edge              (1)
//
// whatever their order. An edge with a sum that is not zero tells the state of both ends; from
// the inner ones the rest is flooded by (1) through triangles. A part of the surface without such
// an edge is inside or outside with all its vertices: one of them is asked, by counting exactly
// how often a ray from it pierces the other surface. Curves with ends bound nothing: the flood
// does not begin at them.
#pragma once

#include <span>

#include "carom/proximity/triangles/curves.h"

namespace carom::triangles {

/// A value that counts only in the query that set it, so that nothing has to be cleared.
struct Mark {
  std::uint32_t query = 0, value = 0;
};

struct WholeTriangle {
  std::uint32_t triangle, cluster;
};

/// What a query knows of one surface.
struct InsideParts {
  static constexpr std::uint32_t kOutside = kNoIndex, kUnknown = kNoIndex - 1;

  std::uint32_t query = 0;
  std::vector<Mark> vertex;           ///< its cluster, or kOutside
  std::vector<Mark> triangle;         ///< its place in `cut`, or kNoIndex for one that was flooded
  std::vector<Mark> edge;             ///< its first piercing
  std::vector<Mark> part;             ///< has a vertex whose state is known
  std::vector<std::uint32_t> cut;     ///< triangles with segments
  std::vector<std::uint32_t> cut_at;  ///< and the first segment of each
  std::vector<WholeTriangle> whole;   ///< triangles inside
  std::uint32_t clusters = 0;         ///< connected sets of vertices inside
  std::vector<std::uint32_t> seed;    ///< a vertex of each
  /// Of each cluster: (1) has no answer, because the other surface is open and this one passes
  /// its rim, or because this one ends within the other body.
  std::vector<std::uint8_t> doubtful;
  std::vector<std::uint32_t> doubtful_curves;  ///< the same for curves
  std::vector<std::uint32_t> stack;

  std::uint32_t cluster(std::uint32_t v) const {
    return vertex[v].query == query ? vertex[v].value : kUnknown;
  }
  /// And that is no doubt.
  bool is_inside(std::uint32_t v) const {
    const std::uint32_t c = cluster(v);
    return c < clusters && doubtful[c] == 0;
  }
  /// kNoIndex: not pierced.
  std::uint32_t first_piercing(std::uint32_t e) const {
    return edge[e].query == query ? edge[e].value : kNoIndex;
  }
  bool is_cut(std::uint32_t t) const {
    return triangle[t].query == query && triangle[t].value != kNoIndex;
  }
};

/// For the surface A (of_b false) or B of the pair. Links the piercings of each edge.
void find_inside(const PlacedPair& placed, bool of_b, Curves& curves, InsideParts& out);

/// How often the closed surface B (in_b) or A goes around a point of A's frame.
int winding(const PlacedPair& placed, bool in_b, const Vec3& point);

}  // namespace carom::triangles
