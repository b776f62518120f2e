#include "carom/proximity/triangles/curves.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "carom/proximity/triangles/exact_signs.h"

namespace carom::triangles {
namespace {

/// Heights of the ends of an edge above a plane, from which the piercing is interpolated. Where
/// the edge all but lies in the plane they are computed exactly: beyond a ten-thousandth of the
/// size rounding moves the point by less than 1e-11 of the edge.
double share_of_way(const Vec3 t[3], const Vec3& low, const Vec3& high) {
  const Vec3 u = t[1] - t[0], v = t[2] - t[0], n = cross(u, v), size = cross_magnitude(u, v);
  double from = std::abs(dot(n, low - t[0])), to = std::abs(dot(n, high - t[0]));
  const double bound = dot_magnitude(size, low - t[0]) + dot_magnitude(size, high - t[0]);
  if (!(from + to > 1e-4 * bound)) {
    from = std::abs(exact_orient(t[0], t[1], t[2], low));
    to = std::abs(exact_orient(t[0], t[1], t[2], high));
  }
  return from + to > 0.0 ? from / (from + to) : 0.5;
}

class Chaining {
 public:
  Chaining(const PlacedPair& placed, const std::vector<RawSegment>& raw, Curves& out)
      : placed_(placed), raw_(raw), out_(out) {}

  void run() {
    clear();
    for (const RawSegment& s : raw_) {
      out_.segments.push_back({s.a, s.b, piercing(s, s.from, true), piercing(s, s.to, false)});
    }
    link();
    // Curves with ends first, from their beginning; then what goes round.
    const auto count = static_cast<std::uint32_t>(out_.segments.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      if (out_.previous[i] == kNoIndex) walk(i, false);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (out_.segments[i].curve == kNoIndex) walk(i, true);
    }
  }

 private:
  void clear() {
    out_.piercings.clear(), out_.segments.clear(), out_.order.clear(), out_.curves.clear();
    out_.table.assign(std::bit_ceil(4 * raw_.size() + 4), kNoIndex);
  }

  std::uint32_t piercing(const RawSegment& s, End end, bool is_begin) {
    const bool of_b = end >= 3;
    const std::size_t k = of_b ? end - 3u : end;
    const TriangleSurface& owner = of_b ? *placed_.b.surface : *placed_.a.surface;
    const std::uint32_t face = of_b ? s.b : s.a, through = of_b ? s.a : s.b;
    const std::uint32_t edge = owner.edges_of[face][k];
    std::uint64_t h = (std::uint64_t{2 * edge + (of_b ? 1u : 0u)} << 32) | through;
    h *= 0x9E3779B97F4A7C15u;
    const std::size_t mask = out_.table.size() - 1;
    for (std::size_t at = (h >> 32) & mask;; at = (at + 1) & mask) {
      const std::uint32_t i = out_.table[at];
      if (i == kNoIndex) {
        out_.table[at] = static_cast<std::uint32_t>(out_.piercings.size());
        // B's edge goes down into A where a segment begins, A's edge comes up out of B.
        const bool runs_in = of_b == is_begin;
        add(edge, through, of_b, runs_in == owner.runs_forward(face, k));
        return out_.table[at];
      }
      const Piercing& p = out_.piercings[i];
      if (p.edge == edge && p.triangle == through && p.edge_of_b == of_b) return i;
    }
  }

  void add(std::uint32_t edge, std::uint32_t through, bool of_b, bool enters) {
    const PlacedSurface& owner = of_b ? placed_.b : placed_.a;
    const PlacedSurface& other = of_b ? placed_.a : placed_.b;
    const Triangle& t = other.surface->triangles[through];
    const Vec3 corners[3] = {other.vertex(t[0]), other.vertex(t[1]), other.vertex(t[2])};
    const SurfaceEdge& e = owner.surface->edges[edge];
    const Vec3 low = owner.vertex(e.low), high = owner.vertex(e.high);
    const double along = share_of_way(corners, low, high);
    Piercing p;
    p.p = low + along * (high - low);
    p.along = along, p.edge = edge, p.triangle = through, p.edge_of_b = of_b;
    p.enters = enters ? 1 : -1;
    out_.piercings.push_back(p);
  }

  /// Who follows whom. Where several begin in one point (an edge of more than two triangles),
  /// they are taken in order.
  void link() {
    const auto count = static_cast<std::uint32_t>(out_.segments.size());
    out_.starting.assign(out_.piercings.size(), kNoIndex);
    out_.next_starting.assign(count, kNoIndex);
    out_.next.assign(count, kNoIndex);
    out_.previous.assign(count, kNoIndex);
    for (std::uint32_t i = count; i-- > 0;) {
      std::uint32_t& head = out_.starting[out_.segments[i].from];
      out_.next_starting[i] = head, head = i;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint32_t& head = out_.starting[out_.segments[i].to];
      if (head == kNoIndex) continue;
      out_.next[i] = head, out_.previous[head] = i;
      head = out_.next_starting[head];
    }
  }

  void walk(std::uint32_t start, bool is_closed) {
    const auto number = static_cast<std::uint32_t>(out_.curves.size());
    Curve curve{static_cast<std::uint32_t>(out_.order.size()), 0, is_closed, 0};
    for (std::uint32_t i = start; i != kNoIndex && out_.segments[i].curve == kNoIndex;
         i = out_.next[i]) {
      Segment& s = out_.segments[i];
      s.curve = number;
      out_.piercings[s.from].curve = out_.piercings[s.to].curve = number;
      out_.order.push_back(i);
    }
    curve.count = static_cast<std::uint32_t>(out_.order.size()) - curve.first;
    out_.curves.push_back(curve);
  }

  const PlacedPair& placed_;
  const std::vector<RawSegment>& raw_;
  Curves& out_;
};

}  // namespace

void chain_segments(const PlacedPair& placed, const std::vector<RawSegment>& raw, Curves& out) {
  Chaining(placed, raw, out).run();
}

}  // namespace carom::triangles
