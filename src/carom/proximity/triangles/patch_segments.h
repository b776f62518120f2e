// The segments of overlaps one by one, with the normals of their triangles, for laws that press at
// every pair of triangles; and how far each overlap has been pushed in.
#pragma once

#include <array>

#include "carom/proximity/triangles/piece_surfaces.h"

namespace carom::triangles {

struct PatchSegment {
  std::uint32_t a = 0, b = 0;  ///< triangles
  std::uint32_t patch = 0;     ///< into SurfaceState::patches
  Vec3 from, to;               ///< ends, in the world [m]
  Vec3 n_a, n_b;               ///< outward normals of the two triangles
};

struct PatchSegments {
  std::vector<PatchSegment> segments;  ///< by triangle of A, then of B
  /// Of each patch, along its normal from where A ends in B to where B ends in A [m].
  std::vector<double> approach;
  std::vector<std::array<double, 2>> reach;  ///< scratch: of A's part forwards, of B's backwards
};

/// The same triangle for every segment that has it.
Vec3 triangle_normal(const PlacedSurface& s, std::uint32_t triangle);

/// Of the intersection that find_state() has found last, of surfaces that are closed.
void list_segments(const PieceSurfaces& s, const Intersection& x, const SurfaceState& state,
                   PatchSegments& out);

}  // namespace carom::triangles
