#include "carom/engine/contact/triangles/live_elements.h"

#include <algorithm>
#include <tuple>

#include "carom/proximity/triangles/patch_segments.h"

namespace carom {
namespace {

using triangles::PatchSegment;
using triangles::PatchSegments;

auto key_of(const TriangleElement& e) { return std::tuple(e.piece_a, e.piece_b, e.a, e.b); }

/// What accepted steps left of two pieces.
std::span<const TriangleElement> known_elements(const Workspace& w, const TrianglePieces& p) {
  const std::vector<TriangleElement>& all = w.modes.contacts.elements;
  const auto pieces = [](const TriangleElement& e) { return std::pair(e.piece_a, e.piece_b); };
  const auto found = std::ranges::equal_range(all, std::pair(p.piece_a, p.piece_b), {}, pieces);
  return {found.begin(), found.end()};
}

/// Where an end of a segment takes its memory from.
struct Source {
  const TriangleElement* element = nullptr;  ///< null: it has none
  std::size_t end = 0;
  bool shares_a = false, shares_b = false;
};

class Memory {
 public:
  Memory(const Workspace& w, const PairState& s, const TrianglePieces& p)
      : s_(s), p_(p), known_(known_elements(w, p)) {}

  Source find(const PatchSegment& segment, std::size_t end) const {
    const auto same = std::ranges::lower_bound(
        known_, std::tuple(p_.piece_a, p_.piece_b, segment.a, segment.b), {}, key_of);
    if (same != known_.end() && same->a == segment.a && same->b == segment.b) {
      return {&*same, end, true, true};
    }
    const Vec3& here = end == 0 ? segment.from : segment.to;
    // In a step the circumference may pass over whole triangles: then the nearest of all.
    Source sharing, nearest;
    double least_sharing = kInf, least = kInf;
    for (const TriangleElement& e : known_) {
      const bool shares_a = e.a == segment.a, shares_b = e.b == segment.b;
      for (std::size_t k = 0; k < 2; ++k) {
        const double d = norm2(p_.X_WA * e.ends[k].p_a - here);
        if ((shares_a || shares_b) && d < least_sharing) {
          least_sharing = d, sharing = {&e, k, shares_a, shares_b};
        }
        if (d < least) least = d, nearest = {&e, k, shares_a, shares_b};
      }
    }
    return sharing.element ? sharing : nearest;
  }

  /// Share of what was known along the old normal that is kept along the new one.
  double kept(const Source& source, const PatchSegment& segment, std::size_t side) const {
    if (side == 0) return source.shares_a ? 1.0 : cosine(source.element->a, segment.n_a, side);
    return source.shares_b ? 1.0 : cosine(source.element->b, segment.n_b, side);
  }

 private:
  double cosine(std::uint32_t old_triangle, const Vec3& n, std::size_t side) const {
    const triangles::PieceSurfaces surfaces = triangles::place_surfaces(place_a(s_), place_b(s_));
    const TriangleSurface& surface = side == 0 ? *surfaces.A : *surfaces.B;
    if (old_triangle >= surface.triangles.size()) return 0.0;
    const triangles::PlacedSurface placed{&surface, surface.vertices.data(), {}, false};
    const Mat3& R = side == 0 ? surfaces.X_WA.R : surfaces.X_WB.R;
    return dot(R * triangles::triangle_normal(placed, old_triangle), n);
  }

  const PairState& s_;
  const TrianglePieces& p_;
  std::span<const TriangleElement> known_;
};

}  // namespace

bool begins_at_zero(const Workspace& w, const ContactPair& pair) {
  return !w.step.locates_events && !pair.start.settling && pair.start.speed > 0.0;
}

void find_live_elements(const Workspace& w, const PairState& s, const TrianglePieces& p,
                        std::size_t patch, std::vector<LiveElement>& out) {
  using Normals = ElementLaw::Normals;
  out.clear();
  const Memory memory(w, s, p);
  const PatchSegments& all = p.segments;
  const Vec3& m = p.state.patches[patch].normal;
  const double measured = all.approach[patch];
  const Normals normals = s.law.elements.normals;
  bool is_new = true;
  for (std::uint32_t i = 0; i < all.segments.size(); ++i) {
    const PatchSegment& segment = all.segments[i];
    if (segment.patch != patch) continue;
    const std::array<Vec3, 2> n{segment.n_a, -segment.n_b};
    const double both = std::abs(dot(n[0], m)) + std::abs(dot(n[1], m));
    const double share = normals == Normals::both && both > 0.0 ? 1.0 / both : 1.0;  // (2)
    const double half = 0.5 * norm(segment.to - segment.from);
    for (std::size_t end = 0; end < 2; ++end) {
      const Source source = memory.find(segment, end);
      LiveElement e;
      e.p = end == 0 ? segment.from : segment.to, e.segment = i;
      e.weight = share * half, e.end = static_cast<std::uint8_t>(end);
      const ElementEnd* was = source.element ? &source.element->ends[source.end] : nullptr;
      if (was) {
        e.way = p.X_WB * was->p_b - p.X_WA * was->p_a, e.since = source.element->time;
        is_new = false;
      }
      const bool is_same = source.shares_a && source.shares_b;
      for (std::size_t side = 0; side < 2; ++side) {
        if (normals == (side == 0 ? Normals::second : Normals::first)) continue;
        e.n = n[side], e.side = static_cast<std::uint8_t>(side);
        e.depth = 0.0, e.bristle = {};
        e.speed = std::max(0.0, -dot(e.n, relative_velocity(s, e.p)));
        if (was) {
          const double kept = memory.kept(source, segment, side);
          e.depth = kept * was->depth[side] - dot(e.n, e.way);
          e.speed = kept * was->speed[side];
          if (is_same) e.bristle = p.X_WA.R * was->bristle[side];
        }
        e.depth = std::min(e.depth, measured);
        out.push_back(e);
      }
    }
  }
  if (!is_new || begins_at_zero(w, s.pair)) return;
  for (LiveElement& e : out) e.depth = measured * std::max(0.0, dot(e.n, m));
}

}  // namespace carom
