// Curves that belong to one overlap.
//
// A patch is a connected part of A ∩ B; a ring on a plate has two curves. Curves hang together
// that bound the same piece of one surface inside the other body: over the inner intervals of the
// edges they cut, over inner vertices, and, where a curve lies within a single triangle and has
// the inside around it, over whatever is next to it in that triangle.
#pragma once

#include "carom/proximity/triangles/inside.h"

namespace carom::triangles {

/// Numbers of patches, for curves and for clusters of inner vertices.
struct Regions {
  std::uint32_t patches = 0;
  std::vector<std::uint32_t> parent;   ///< curves, then clusters of A, then of B
  std::vector<std::uint32_t> patch;    ///< of each of these; kNoIndex for a cluster in doubt
  std::vector<std::uint8_t> doubtful;  ///< of a patch: it borders on what is in doubt
  std::vector<std::uint32_t> on_edge;  ///< scratch
  std::vector<std::uint8_t> doubtful_curve;
  std::uint32_t curves = 0, clusters_of_a = 0;

  std::uint32_t of_curve(std::uint32_t curve) const { return patch[curve]; }
  std::uint32_t of_cluster(bool of_b, std::uint32_t cluster) const {
    return patch[curves + (of_b ? clusters_of_a : 0) + cluster];
  }
};

void find_regions(const PlacedPair& placed, Curves& curves, const InsideParts& a,
                  const InsideParts& b, Regions& out);

}  // namespace carom::triangles
