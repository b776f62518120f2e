#include "carom/proximity/triangles/inside.h"

namespace carom::triangles {
namespace {

class Flood {
 public:
  Flood(const PlacedPair& placed, bool of_b, Curves& curves, InsideParts& out)
      : placed_(placed),
        of_b_(of_b),
        surface_(of_b ? *placed.b.surface : *placed.a.surface),
        other_(of_b ? *placed.a.surface : *placed.b.surface),
        curves_(curves),
        out_(out) {}

  void run() {
    begin();
    mark_cut();
    for (const Piercing& p : curves_.piercings) {
      if (p.edge_of_b == of_b_) settle_ends(p);
    }
    // Only now: all that is known to be outside has been said.
    for (const Piercing& p : curves_.piercings) {
      if (p.edge_of_b != of_b_ || !curves_.curves[p.curve].is_closed) continue;
      const SurfaceEdge& e = surface_.edges[p.edge];
      for (const std::uint32_t v : {e.low, e.high}) {
        if (out_.cluster(v) == kSeed) flood(v);
      }
    }
    ask_parts();
  }

 private:
  static constexpr std::uint32_t kSeed = InsideParts::kUnknown - 1;

  void begin() {
    out_.vertex.resize(surface_.vertices.size());
    out_.triangle.resize(surface_.triangles.size());
    out_.edge.resize(surface_.edges.size());
    out_.part.resize(surface_.part_seed.size());
    out_.cut.clear(), out_.cut_at.clear(), out_.whole.clear(), out_.seed.clear();
    out_.doubtful.clear(), out_.doubtful_curves.clear();
    out_.clusters = 0;
    if (++out_.query == 0) {  // after 2^32 queries old marks would count again
      for (std::vector<Mark>* marks : {&out_.vertex, &out_.triangle, &out_.edge, &out_.part}) {
        for (Mark& m : *marks) m = {};
      }
      out_.query = 1;
    }
  }

  void mark_cut() {
    for (std::uint32_t i = 0; i < curves_.segments.size(); ++i) {
      const std::uint32_t t = of_b_ ? curves_.segments[i].b : curves_.segments[i].a;
      if (out_.triangle[t].query == out_.query) continue;
      out_.triangle[t] = {out_.query, static_cast<std::uint32_t>(out_.cut.size())};
      out_.cut.push_back(t);
      out_.cut_at.push_back(i);
    }
    for (std::uint32_t i = 0; i < curves_.piercings.size(); ++i) {
      Piercing& p = curves_.piercings[i];
      if (p.edge_of_b != of_b_) continue;
      p.next_on_edge = out_.first_piercing(p.edge);
      out_.edge[p.edge] = {out_.query, i};
    }
  }

  /// The sum in (1) from vertex `from` of the edge.
  int change(std::uint32_t edge, std::uint32_t from) const {
    int sum = 0;
    for (std::uint32_t i = out_.first_piercing(edge); i != kNoIndex;
         i = curves_.piercings[i].next_on_edge) {
      sum += curves_.piercings[i].enters;
    }
    return surface_.edges[edge].low == from ? sum : -sum;
  }

  void settle_ends(const Piercing& p) {
    const SurfaceEdge& e = surface_.edges[p.edge];
    const int sum = change(p.edge, e.low);
    if (sum == 0) return;
    settle(e.low, sum < 0, p.curve);
    settle(e.high, sum > 0, p.curve);
  }

  void settle(std::uint32_t v, bool is_inside, std::uint32_t curve) {
    const std::uint32_t state = is_inside ? kSeed : InsideParts::kOutside;
    const std::uint32_t known = out_.cluster(v);
    if (known == InsideParts::kUnknown) {
      out_.vertex[v] = {out_.query, state};
      out_.part[surface_.part_of[v]] = {out_.query, 1};
    } else if ((known == InsideParts::kOutside) == is_inside) {
      out_.doubtful_curves.push_back(curve);
    }
  }

  void reach(std::uint32_t v) {
    const std::uint32_t known = out_.cluster(v);
    if (known != InsideParts::kUnknown && known != kSeed) {
      if (known != out_.clusters) out_.doubtful.back() = 1;  // outside, or of another cluster
      return;
    }
    out_.vertex[v] = {out_.query, out_.clusters};
    // A sheet that ends inside the other body bounds no volume there.
    if (!surface_.is_closed && surface_.is_at_rim[v]) out_.doubtful.back() = 1;
    out_.stack.push_back(v);
  }

  void flood(std::uint32_t seed) {
    out_.seed.push_back(seed);
    out_.doubtful.push_back(0);
    reach(seed);
    while (!out_.stack.empty()) {
      const std::uint32_t v = out_.stack.back();
      out_.stack.pop_back();
      for (const std::uint32_t t : surface_.around(v)) {
        if (out_.is_cut(t)) {
          cross_edges(t, v);
        } else if (out_.triangle[t].query != out_.query) {
          out_.triangle[t] = {out_.query, kNoIndex};
          out_.whole.push_back({t, out_.clusters});
          for (const std::uint32_t w : surface_.triangles[t]) reach(w);
        }
      }
    }
    ++out_.clusters;
  }

  /// From an inner vertex of a cut triangle along its edges.
  void cross_edges(std::uint32_t t, std::uint32_t v) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t from = surface_.triangles[t][k], to = surface_.triangles[t][(k + 1) % 3];
      if (from != v && to != v) continue;
      const int state = 1 + change(surface_.edges_of[t][k], v);
      if (state == 1) reach(from == v ? to : from);
      if (state < 0 || state > 1) out_.doubtful.back() = 1;
    }
  }

  void ask_parts() {
    if (!other_.is_closed || other_.triangles.empty()) return;
    const PlacedSurface& own = of_b_ ? placed_.b : placed_.a;
    for (std::uint32_t part = 0; part < surface_.part_seed.size(); ++part) {
      if (out_.part[part].query == out_.query) continue;
      const std::uint32_t v = surface_.part_seed[part];
      if (out_.cluster(v) == InsideParts::kUnknown && winding(placed_, !of_b_, own.vertex(v)) > 0) {
        flood(v);
      }
    }
  }

  const PlacedPair& placed_;
  const bool of_b_;
  const TriangleSurface& surface_;
  const TriangleSurface& other_;
  Curves& curves_;
  InsideParts& out_;
};

}  // namespace

void find_inside(const PlacedPair& placed, bool of_b, Curves& curves, InsideParts& out) {
  Flood(placed, of_b, curves, out).run();
}

}  // namespace carom::triangles
