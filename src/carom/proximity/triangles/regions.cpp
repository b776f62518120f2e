#include "carom/proximity/triangles/regions.h"

#include <algorithm>

#include "carom/proximity/triangles/enclosure.h"

namespace carom::triangles {
namespace {

class Joining {
 public:
  Joining(const PlacedPair& placed, Curves& curves, const InsideParts& a, const InsideParts& b,
          Regions& out)
      : placed_(placed), curves_(curves), parts_{&a, &b}, out_(out) {}

  void run() {
    out_.curves = static_cast<std::uint32_t>(curves_.curves.size());
    out_.clusters_of_a = parts_[0]->clusters;
    const std::uint32_t count = out_.curves + parts_[0]->clusters + parts_[1]->clusters;
    out_.parent.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) out_.parent[i] = i;
    // Curves that meet in a point, at an edge of more than two triangles.
    for (const Segment& c : curves_.segments) {
      unite(c.curve, curves_.piercings[c.from].curve);
      unite(c.curve, curves_.piercings[c.to].curve);
    }
    out_.doubtful_curve.assign(out_.curves, 0);
    for (const bool of_b : {false, true}) {
      for (const std::uint32_t c : parts_[of_b]->doubtful_curves) doubt(c);
      for (std::uint32_t i = 0; i < curves_.piercings.size(); ++i) {
        const Piercing& p = curves_.piercings[i];
        // The last that was linked is the first of its edge.
        if (p.edge_of_b == of_b && parts_[of_b]->first_piercing(p.edge) == i) join_edge(of_b, i);
      }
    }
    for (std::uint32_t c = 0; c < out_.curves; ++c) join_enclosed(c);
    number(count);
  }

 private:
  std::uint32_t root(std::uint32_t i) {
    while (out_.parent[i] != i) i = out_.parent[i] = out_.parent[out_.parent[i]];
    return i;
  }
  void unite(std::uint32_t i, std::uint32_t k) {
    if (i == kNoIndex || k == kNoIndex) return;
    const std::uint32_t a = root(i), b = root(k);
    out_.parent[std::max(a, b)] = std::min(a, b);
  }
  /// The element of a vertex; kNoIndex if it is not inside.
  std::uint32_t element(bool of_b, std::uint32_t vertex) const {
    if (!parts_[of_b]->is_inside(vertex)) return kNoIndex;
    return out_.curves + (of_b ? out_.clusters_of_a : 0) + parts_[of_b]->cluster(vertex);
  }

  /// Walks from low to high; what bounds an inner interval on both sides belongs together. Order
  /// is by computed places: points closer than rounding may join patches that all but touch.
  void join_edge(bool of_b, std::uint32_t first) {
    out_.on_edge.clear();
    for (std::uint32_t i = first; i != kNoIndex; i = curves_.piercings[i].next_on_edge) {
      out_.on_edge.push_back(i);
    }
    const auto earlier = [&](std::uint32_t i, std::uint32_t k) {
      const double x = curves_.piercings[i].along, y = curves_.piercings[k].along;
      return x < y || (x == y && i < k);
    };
    std::sort(out_.on_edge.begin(), out_.on_edge.end(), earlier);
    const TriangleSurface& s = of_b ? *placed_.b.surface : *placed_.a.surface;
    const SurfaceEdge& e = s.edges[curves_.piercings[first].edge];
    std::uint32_t last = element(of_b, e.low);
    for (const std::uint32_t i : out_.on_edge) {
      const Piercing& p = curves_.piercings[i];
      unite(last, p.curve);
      last = p.enters > 0 ? p.curve : kNoIndex;
    }
    unite(last, element(of_b, e.high));
    for (const std::uint32_t v : {e.low, e.high}) {
      const std::uint32_t c = parts_[of_b]->cluster(v);
      if (c >= parts_[of_b]->clusters || parts_[of_b]->doubtful[c] == 0) continue;
      for (const std::uint32_t i : out_.on_edge) doubt(curves_.piercings[i].curve);
    }
  }

  void doubt(std::uint32_t curve) { out_.doubtful_curve[curve] = 1; }

  /// A curve within one triangle that has the inside around it.
  void join_enclosed(std::uint32_t curve) {
    for (const bool of_b : {false, true}) {
      const Neighbour next = around_hole(placed_, of_b, curves_, *parts_[of_b], curve);
      if (next.curve != kNoIndex) unite(curve, next.curve);
      if (next.vertex != kNoIndex) unite(curve, element(of_b, next.vertex));
    }
  }

  void number(std::uint32_t count) {
    out_.patch.resize(count);
    out_.patches = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t r = root(i);
      if (is_doubtful_cluster(i)) {
        out_.patch[i] = kNoIndex;
      } else {
        out_.patch[i] = r == i ? out_.patches++ : out_.patch[r];  // a root is the least of its set
      }
    }
    out_.doubtful.assign(out_.patches, 0);
    for (std::uint32_t c = 0; c < out_.curves; ++c) {
      curves_.curves[c].patch = out_.patch[c];
      if (out_.doubtful_curve[c]) out_.doubtful[out_.patch[c]] = 1;
    }
  }

  /// Nothing was united with it.
  bool is_doubtful_cluster(std::uint32_t i) const {
    if (i < out_.curves) return false;
    const std::uint32_t k = i - out_.curves;
    return k < out_.clusters_of_a ? parts_[0]->doubtful[k] != 0
                                  : parts_[1]->doubtful[k - out_.clusters_of_a] != 0;
  }

  const PlacedPair& placed_;
  Curves& curves_;
  const InsideParts* parts_[2];
  Regions& out_;
};

}  // namespace

void find_regions(const PlacedPair& placed, Curves& curves, const InsideParts& a,
                  const InsideParts& b, Regions& out) {
  Joining(placed, curves, a, b, out).run();
}

}  // namespace carom::triangles
