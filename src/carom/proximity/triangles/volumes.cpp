// Volumes of overlaps, as signed tetrahedra from a point o on the patch's curve.
//
// The boundary of an overlap consists of whole triangles inside, and of cut ones. The inner part
// of a cut triangle is a polygon of segments and inner intervals of its edges, summed as fan
// around a point c of the triangle. With piercings at p_i, their `enters` s_i, and any point r of
// the edge, the inner intervals of an edge are
//
//   [r, high] inside(high) - [r, low] inside(low) - Σ s_i [r, p_i]                          (1)
//
// whatever the order of the piercings, because the weights add up to zero. With r one of the p_i,
// nothing far from the patch enters that is not part of it.
#include "carom/proximity/triangles/moments.h"

namespace carom::triangles {
namespace {

class Volumes {
 public:
  Volumes(const PlacedPair& placed, Intersection& x) : placed_(placed), x_(x) {}

  void run() {
    x_.volumes.resize(x_.patches.size());
    for (std::size_t i = 0; i < x_.patches.size(); ++i) x_.volumes[i] = {origin(i), 0.0, {}};
    for (const bool of_b : {false, true}) {
      const InsideParts& parts = of_b ? x_.inside_b : x_.inside_a;
      for (const WholeTriangle& w : parts.whole) add_whole(of_b, w);
      for (std::size_t k = 0; k < parts.cut.size(); ++k) add_edges(of_b, k);
    }
    for (const Segment& s : x_.curves.segments) {
      VolumeSum& sum = x_.volumes[x_.regions.of_curve(s.curve)];
      const Vec3 &p = point(s.from), &q = point(s.to);
      sum.add(1.0, fan_centre(false, s.a), p, q);
      sum.add(1.0, fan_centre(true, s.b), q, p);  // on B the inside is to the right
    }
    for (std::size_t i = 0; i < x_.patches.size(); ++i) {
      const VolumeSum& sum = x_.volumes[i];
      x_.patches[i].volume_centre = x_.patches[i].area_centre;
      if (!x_.patches[i].is_measured) continue;
      x_.patches[i].volume = sum.six_volumes / 6.0;
      x_.patches[i].volume_centre = sum.o;
      if (sum.six_volumes != 0.0) {
        x_.patches[i].volume_centre += 0.25 / sum.six_volumes * sum.moment;
      }
    }
  }

 private:
  const Vec3& point(std::uint32_t piercing) const { return x_.curves.piercings[piercing].p; }
  const PlacedSurface& placed(bool of_b) const { return of_b ? placed_.b : placed_.a; }
  const InsideParts& inside(bool of_b) const { return of_b ? x_.inside_b : x_.inside_a; }

  /// A point of the first curve; without curves a vertex of the part that lies inside.
  Vec3 origin(std::size_t patch) const {
    const TrianglePatch& p = x_.patches[patch];
    if (p.curves > 0) {
      const Curve& c = x_.curves.curves[x_.curves_by_patch[p.first_curve]];
      return point(x_.curves.segments[x_.curves.order[c.first]].from);
    }
    for (const bool of_b : {false, true}) {
      for (std::uint32_t k = 0; k < inside(of_b).clusters; ++k) {
        if (x_.regions.of_cluster(of_b, k) == patch)
          return placed(of_b).vertex(inside(of_b).seed[k]);
      }
    }
    return {};
  }

  /// The beginning of the first segment in a cut triangle.
  const Vec3& fan_centre(bool of_b, std::uint32_t triangle) const {
    const InsideParts& parts = inside(of_b);
    return point(x_.curves.segments[parts.cut_at[parts.triangle[triangle].value]].from);
  }

  void add_whole(bool of_b, const WholeTriangle& w) {
    const std::uint32_t patch = x_.regions.of_cluster(of_b, w.cluster);
    if (patch == kNoIndex) return;
    const Triangle& t = placed(of_b).surface->triangles[w.triangle];
    const PlacedSurface& s = placed(of_b);
    x_.volumes[patch].add(1.0, s.vertex(t[0]), s.vertex(t[1]), s.vertex(t[2]));
  }

  /// (1) for the three edges of a cut triangle.
  void add_edges(bool of_b, std::size_t k) {
    const InsideParts& parts = inside(of_b);
    const TriangleSurface& s = *placed(of_b).surface;
    const Vec3& c = fan_centre(of_b, parts.cut[k]);
    for (std::size_t side = 0; side < 3; ++side) {
      const std::uint32_t edge = s.edges_of[parts.cut[k]][side];
      const double sense = s.runs_forward(parts.cut[k], side) ? 1.0 : -1.0;
      const std::uint32_t first = parts.first_piercing(edge);
      const Vec3 r = first == kNoIndex ? placed(of_b).vertex(s.edges[edge].low) : point(first);
      add_end(of_b, sense, c, r, s.edges[edge].high);
      if (first == kNoIndex) continue;
      add_end(of_b, -sense, c, r, s.edges[edge].low);
      for (std::uint32_t i = x_.curves.piercings[first].next_on_edge; i != kNoIndex;
           i = x_.curves.piercings[i].next_on_edge) {
        const Piercing& p = x_.curves.piercings[i];
        x_.volumes[x_.regions.of_curve(p.curve)].add(-sense * p.enters, c, r, p.p);
      }
    }
  }

  void add_end(bool of_b, double weight, const Vec3& c, const Vec3& r, std::uint32_t vertex) {
    const InsideParts& parts = inside(of_b);
    if (!parts.is_inside(vertex)) return;
    x_.volumes[x_.regions.of_cluster(of_b, parts.cluster(vertex))].add(weight, c, r,
                                                                       placed(of_b).vertex(vertex));
  }

  const PlacedPair& placed_;
  Intersection& x_;
};

}  // namespace

void measure_volumes(const PlacedPair& placed, Intersection& x) { Volumes(placed, x).run(); }

}  // namespace carom::triangles
