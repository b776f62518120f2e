// All pairs of triangles of two surfaces that intersect, each with its segment.
//
// In general position two triangles meet in a segment of the line of their planes, whose ends
// are two of the points where an edge of one pierces the other. With unit-free normals n_A, n_B
// (counter-clockwise seen from outside) segments run along
//
//   t = n_A × n_B.                                                                          (1)
//
// On that line A's triangle covers an interval that begins where its edge comes from below B's
// plane and ends where it goes below it; B's begins where its edge goes below A's plane. Of the
// points of two edges with directions d_A, d_B, at distance τ t from each other,
//
//   sign τ = - sign orient(e_A, e_B) sign(d_A.n_B) sign(d_B.n_A),                           (2)
//
// so everything follows from signs of orient() (exact_signs.h). Zeros are decided as if B had
// been moved by (ε, ε², ε³) in A's axes with an infinitely small ε > 0: one motion of the whole
// body, so that all decisions are of one configuration in general position, and curves close.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/geometry/triangle_surface.h"
#include "carom/math/pose.h"
#include "carom/proximity/triangles/tree_overlap.h"

namespace carom::triangles {

/// Which vertices the surfaces are used with.
enum class Faces {
  second_drawn_in,  ///< B's faces moved in by its `shrink`: faces in one plane are no chance
  as_given,         ///< both as they are; zeros are decided by ε alone
};

/// A surface in A's frame.
struct PlacedSurface {
  const TriangleSurface* surface = nullptr;
  const Vec3* points = nullptr;  ///< of the surface, in its own frame
  Pose X;                        ///< of the surface's frame in A's
  bool is_moved = false;         ///< B; A is where its frame is

  /// The same number for every triangle and edge that has this vertex.
  Vec3 vertex(std::uint32_t v) const { return is_moved ? X * points[v] : points[v]; }
};

struct PlacedPair {
  PlacedSurface a, b;
};
PlacedPair place(const TriangleSurface& A, const TriangleSurface& B, const Pose& X_AB, Faces faces);

/// An end of a segment: edge 0, 1, 2 of A's triangle pierces B's, or 3, 4, 5 the other way round.
using End = std::uint8_t;

struct RawSegment {
  std::uint32_t a, b;  ///< triangles
  End from, to;        ///< along (1)
  std::uint64_t key() const { return (std::uint64_t{a} << 32) | b; }
};

/// Appends the segment of two triangles, if they intersect.
void intersect(const PlacedPair& placed, std::uint32_t a, std::uint32_t b,
               std::vector<RawSegment>& out);

/// All segments of candidate pairs, in the order of their keys.
void find_segments(const PlacedPair& placed, const std::vector<ItemPair>& candidates,
                   std::vector<RawSegment>& out);

/// The sign of a point against the plane of a triangle: +1 above (outside), -1 below.
int side_of(const PlacedPair& placed, bool plane_of_b, std::uint32_t triangle, const Vec3& point);

}  // namespace carom::triangles
