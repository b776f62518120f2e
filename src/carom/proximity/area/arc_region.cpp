#include "carom/proximity/area/arc_region.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

/// A part of an edge that is kept, and whether it ends where the edge does.
struct KeptEdge {
  RegionEdge edge;
  bool is_cut_before = false, is_cut_after = false;
};

/// At most two parts of an edge are on one side of a line.
struct KeptEdges {
  std::array<KeptEdge, 2> part;
  std::size_t count = 0;
};

KeptEdges cut_line(const RegionEdge& e, const PlaneLimit& limit) {
  KeptEdges out;
  const double a = limit.at(e.from), b = limit.at(e.to);
  if (a < 0.0 && b < 0.0) return out;
  KeptEdge& kept = out.part[out.count++];
  kept.edge = e;
  if (a >= 0.0 && b >= 0.0) return out;
  const Vec2 x = e.from + (a / (a - b)) * (e.to - e.from);
  (a < 0.0 ? kept.edge.from : kept.edge.to) = x;
  (a < 0.0 ? kept.is_cut_before : kept.is_cut_after) = true;
  return out;
}

/// On a circle f = f(centre) + |g| r cos(angle - that of g): positive up to `half` to either side.
KeptEdges cut_arc(const RegionEdge& e, const PlaneLimit& limit) {
  KeptEdges out;
  const double middle = limit.at(e.centre), swing = e.radius * norm(limit.g);
  if (middle <= -swing) return out;
  if (middle >= swing) {
    out.part[out.count++].edge = e;
    return out;
  }
  const double half = std::acos(-middle / swing), axis = std::atan2(limit.g.y, limit.g.x);
  if (e.is_circle()) {
    out.part[out.count++] = {RegionEdge::arc(e.centre, e.radius, axis - half, 2.0 * half), true,
                             true};
    out.part[0].edge.is_of_circle = true;
    return out;
  }
  // The first turn at which the positive part ends after the arc has begun.
  double lower = axis - half - e.start;
  lower -= kTurn * std::floor((lower + 2.0 * half) / kTurn);
  for (; lower < e.sweep && out.count < out.part.size(); lower += kTurn) {
    const double first = std::max(lower, 0.0), last = std::min(lower + 2.0 * half, e.sweep);
    if (!(last > first)) continue;
    out.part[out.count++] = {RegionEdge::arc(e.centre, e.radius, e.start + first, last - first),
                             lower > 0.0, lower + 2.0 * half < e.sweep};
    out.part[out.count - 1].edge.is_of_circle = e.is_of_circle;
  }
  return out;
}

}  // namespace

RegionEdge RegionEdge::line(const Vec2& from, const Vec2& to) {
  RegionEdge e;
  e.from = from, e.to = to;
  return e;
}

RegionEdge RegionEdge::arc(const Vec2& centre, double radius, double start, double sweep) {
  RegionEdge e;
  e.is_arc = true, e.centre = centre, e.radius = radius, e.start = start, e.sweep = sweep;
  e.is_of_circle = e.is_circle();
  e.from = centre + radius * unit(start), e.to = centre + radius * unit(start + sweep);
  return e;
}

bool RegionEdge::is_circle() const { return is_arc && sweep >= kTurn; }

void ArcRegion::cut(const PlaneLimit& limit) {
  ArcRegion out;
  bool is_open = false, opens_first = false;
  const auto close = [&](const Vec2& to) {
    out.add(RegionEdge::line(out.edges_[out.count_ - 1].to, to));
  };
  for (std::size_t i = 0; i < count_; ++i) {
    const KeptEdges kept =
        edges_[i].is_arc ? cut_arc(edges_[i], limit) : cut_line(edges_[i], limit);
    for (std::size_t k = 0; k < kept.count; ++k) {
      const KeptEdge& part = kept.part[k];
      if (out.is_empty()) {
        opens_first = part.is_cut_before;
      } else if (is_open || part.is_cut_before) {
        close(part.edge.from);
      }
      out.add(part.edge), is_open = part.is_cut_after;
    }
  }
  if (!out.is_empty() && (is_open || opens_first)) close(out.edges_[0].from);
  *this = out;
}

Vec2 ArcRegion::middle() const {
  if (count_ == 1 && edges_[0].is_circle()) return edges_[0].centre;
  Vec2 sum{0.0, 0.0};
  double count = 0.0;
  for (std::size_t i = 0; i < count_; ++i) {
    const RegionEdge& e = edges_[i];
    sum = sum + e.from, count += 1.0;
    if (!e.is_arc) continue;
    sum = sum + e.centre + e.radius * unit(e.start + 0.5 * e.sweep), count += 1.0;
  }
  return (1.0 / count) * sum;
}

ArcRegion::EdgePoint ArcRegion::edge_point(const RegionEdge& e, int i, int count) {
  if (e.is_circle()) {
    const Vec2 r = e.radius * unit(e.start + kTurn * (i + 0.5) / count);
    return {e.centre + r, (kTurn / count) * Vec2{-r.y, r.x}};
  }
  const GaussRule& rule = gauss_rule(count);
  const auto k = static_cast<std::size_t>(i);
  const double t = 0.5 * (1.0 + rule.node[k]), weight = 0.5 * rule.weight[k];
  if (!e.is_arc) return {e.from + t * (e.to - e.from), weight * (e.to - e.from)};
  const Vec2 r = e.radius * unit(e.start + t * e.sweep);
  return {e.centre + r, weight * e.sweep * Vec2{-r.y, r.x}};
}

}  // namespace carom
