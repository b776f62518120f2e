// A convex part of a plane, bounded by straight lines and arcs of circles, and cut by lines.
//
// From a point within, every edge is the base of a triangle, of which an arc bends one side: with
// q(t) on the edge, t in [0, 1],
//
//   x(s, t) = m + s (q(t) - m),   dA = s (q - m) × q' ds dt                                 (1)
//
// so that integrands that are smooth over the region are smooth in s and t, and Gauss's points
// find their integrals to rounding with few points. A whole circle is taken at equal angles, which
// do not depend on what cuts it.
#pragma once

#include <array>
#include <cstddef>

#include "carom/proximity/area/gauss_rule.h"
#include "carom/proximity/vec2.h"

namespace carom {

/// f(x) = c + g.x; the side where it is positive is inside.
struct PlaneLimit {
  double c = 0.0;
  Vec2 g{0.0, 0.0};
  double at(const Vec2& x) const { return c + dot(g, x); }
};

struct RegionEdge {
  Vec2 from{0.0, 0.0}, to{0.0, 0.0};
  bool is_arc = false;
  Vec2 centre{0.0, 0.0};  ///< of an arc
  double radius = 0.0, start = 0.0, sweep = 0.0;
  bool is_of_circle = false;  ///< a whole one, before it was cut

  static RegionEdge line(const Vec2& from, const Vec2& to);
  static RegionEdge arc(const Vec2& centre, double radius, double start, double sweep);
  bool is_circle() const;
};

class ArcRegion {
 public:
  /// Counter-clockwise.
  void add(const RegionEdge& edge) {
    if (count_ < edges_.size()) edges_[count_++] = edge;
  }
  bool is_empty() const { return count_ == 0; }
  void cut(const PlaneLimit& limit);

  /// Calls put(point, area). `order` as that of areas: arcs have as many angles, those of whole
  /// circles twice, and half as many points along each.
  template <class Put>
  void integrate(int order, const Put& put) const {
    if (is_empty()) return;
    const Vec2 m = middle();
    const GaussRule& depth = gauss_rule(order / 2);
    for (std::size_t e = 0; e < count_; ++e) {
      const RegionEdge& edge = edges_[e];
      const int count = !edge.is_arc ? order / 2 : edge.is_of_circle ? 2 * order : order;
      for (int i = 0; i < count; ++i) {
        const EdgePoint q = edge_point(edge, i, count);
        const double twice = cross(q.x - m, q.along);
        for (std::size_t k = 0; k < static_cast<std::size_t>(order / 2); ++k) {
          const double s = 0.5 * (1.0 + depth.node[k]);
          put(m + s * (q.x - m), 0.5 * depth.weight[k] * s * twice);
        }
      }
    }
  }

 private:
  /// A place of an edge, and the way along it that it stands for.
  struct EdgePoint {
    Vec2 x, along;
  };
  static EdgePoint edge_point(const RegionEdge& edge, int i, int count);
  Vec2 middle() const;

  // An outline of four edges, cut by a handful of lines; each cut adds two edges at most.
  std::array<RegionEdge, 40> edges_;
  std::size_t count_ = 0;
};

}  // namespace carom
