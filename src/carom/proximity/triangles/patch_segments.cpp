#include "carom/proximity/triangles/patch_segments.h"

#include <algorithm>
#include <limits>

namespace carom::triangles {
namespace {

/// How far each overlap reaches along its normal: A's part of it forwards, B's backwards.
class Approaches {
 public:
  Approaches(const PieceSurfaces& s, const Intersection& x, const SurfaceState& state,
             std::vector<std::array<double, 2>>& reach)
      : s_(s), x_(x), state_(state), reach_(reach) {
    reach.assign(state.patches.size(), {kNone, kNone});
  }

  void note(bool of_b, std::uint32_t patch, const Vec3& p_W) {
    if (patch >= reach_.size()) return;
    const double along = dot(state_.patches[patch].normal, p_W);
    double& reach = reach_[patch][of_b ? 1 : 0];
    reach = std::max(reach, of_b ? -along : along);
  }

  void note_inner_vertices(const PlacedPair& placed, bool of_b) {
    const PlacedSurface& surface = of_b ? placed.b : placed.a;
    const InsideParts& parts = of_b ? x_.inside_b : x_.inside_a;
    const auto note_corners = [&](std::uint32_t triangle) {
      for (const std::uint32_t v : surface.surface->triangles[triangle]) {
        if (!parts.is_inside(v)) continue;
        note(of_b, x_.regions.of_cluster(of_b, parts.cluster(v)), s_.X_WA * surface.vertex(v));
      }
    };
    for (const std::uint32_t t : parts.cut) note_corners(t);
    for (const WholeTriangle& t : parts.whole) note_corners(t.triangle);
  }

  void put(std::vector<double>& out) const {
    out.clear();
    for (const std::array<double, 2>& r : reach_) out.push_back(std::max(0.0, r[0] + r[1]));
  }

 private:
  static constexpr double kNone = -std::numeric_limits<double>::infinity();
  const PieceSurfaces& s_;
  const Intersection& x_;
  const SurfaceState& state_;
  std::vector<std::array<double, 2>>& reach_;
};

}  // namespace

Vec3 triangle_normal(const PlacedSurface& s, std::uint32_t triangle) {
  const Triangle& t = s.surface->triangles[triangle];
  const Vec3 p = s.vertex(t[0]);
  return normalized(cross(s.vertex(t[1]) - p, s.vertex(t[2]) - p));
}

void list_segments(const PieceSurfaces& s, const Intersection& x, const SurfaceState& state,
                   PatchSegments& out) {
  out.segments.clear(), out.approach.clear();
  if (state.patches.empty()) return;
  const PlacedPair placed = place(*s.A, *s.B, inverse(s.X_WA) * s.X_WB, s.faces);
  Approaches approaches(s, x, state, out.reach);
  for (const Segment& segment : x.curves.segments) {
    PatchSegment own{segment.a, segment.b, x.curves.curves[segment.curve].patch, {}, {}, {}, {}};
    own.from = s.X_WA * x.curves.piercings[segment.from].p;
    own.to = s.X_WA * x.curves.piercings[segment.to].p;
    own.n_a = s.X_WA.R * triangle_normal(placed.a, segment.a);
    own.n_b = s.X_WA.R * triangle_normal(placed.b, segment.b);
    out.segments.push_back(own);
    for (const bool of_b : {false, true}) {
      approaches.note(of_b, own.patch, own.from), approaches.note(of_b, own.patch, own.to);
    }
  }
  approaches.note_inner_vertices(placed, false);
  approaches.note_inner_vertices(placed, true);
  approaches.put(out.approach);
}

}  // namespace carom::triangles
