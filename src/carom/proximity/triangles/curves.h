// Segments chained to curves.
//
// An end of a segment is a piercing: an edge of one surface through a triangle of the other. It is
// one point for all triangles that share the edge, with one number in the table of piercings, and
// segments that end there are followed by those that begin there. Where edges have two triangles
// each, all curves close; where an edge at the rim of a sheet pierces, a curve ends.
#pragma once

#include <vector>

#include "carom/proximity/triangles/segments.h"

namespace carom::triangles {

struct Piercing {
  Vec3 p;              ///< in A's frame [m]
  double along = 0.0;  ///< p is this share of the way from the low end of the edge to the high one
  std::uint32_t edge = 0, triangle = 0;
  bool edge_of_b = false;  ///< of B through a triangle of A; otherwise of A through one of B
  std::int8_t enters = 0;  ///< +1: going from low to high the edge comes into the other body
  std::uint32_t curve = 0;
  std::uint32_t next_on_edge = kNoIndex;
};

struct Segment {
  std::uint32_t a, b;      ///< triangles
  std::uint32_t from, to;  ///< piercings; on A the inside of B lies to the left
  std::uint32_t curve = kNoIndex;
};

struct Curve {
  std::uint32_t first = 0, count = 0;  ///< its segments, in Curves::order
  bool is_closed = true;
  std::uint32_t patch = 0;
};

struct Curves {
  std::vector<Piercing> piercings;
  std::vector<Segment> segments;     ///< by triangle of A, then of B
  std::vector<std::uint32_t> order;  ///< segments, curve by curve
  std::vector<Curve> curves;

  std::vector<std::uint32_t> table, next, starting, next_starting, previous;  ///< scratch
};

/// `raw` must be in the order of keys. Allocates nothing once `out` has grown.
void chain_segments(const PlacedPair& placed, const std::vector<RawSegment>& raw, Curves& out);

}  // namespace carom::triangles
