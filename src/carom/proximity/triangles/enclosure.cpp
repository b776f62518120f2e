#include "carom/proximity/triangles/enclosure.h"

#include <cmath>

namespace carom::triangles {
namespace {

/// A ray in the plane of a triangle: u along it, v across, both in units of length².
class PlaneRay {
 public:
  PlaneRay(const Vec3& from, const Vec3& along, const Vec3& normal)
      : from_(from), u_(along), v_(cross(normal, along)) {}

  /// Where it crosses p q, as a multiple of its length; negative: nowhere. `share` is the place
  /// on p q.
  double hit(const Vec3& p, const Vec3& q, double& share) const {
    const double a = dot(v_, p - from_), b = dot(v_, q - from_);
    if ((a > 0.0) == (b > 0.0)) return -1.0;
    share = a / (a - b);
    return dot(u_, p + share * (q - p) - from_);
  }

 private:
  Vec3 from_, u_, v_;
};

class Search {
 public:
  Search(const PlacedPair& placed, bool of_b, const Curves& curves, const InsideParts& parts,
         std::uint32_t curve)
      : owner_(of_b ? placed.b : placed.a),
        of_b_(of_b),
        curves_(curves),
        parts_(parts),
        curve_(curve) {}

  Neighbour run() {
    const Curve& c = curves_.curves[curve_];
    triangle_ = own(curves_.order[c.first]);
    if (!c.is_closed || !lies_in_triangle(c)) return {};
    const Triangle& t = owner_.surface->triangles[triangle_];
    const Vec3 corner[3] = {owner_.vertex(t[0]), owner_.vertex(t[1]), owner_.vertex(t[2])};
    const Vec3 normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
    // On A the inside is to the left, on B to the right: a hole runs the wrong way round.
    if ((dot(area(c), normal) > 0.0) != of_b_) return {};
    const Vec3 from = curves_.piercings[segment(c.first).from].p;
    // Towards a point of the triangle that is on no line of symmetry.
    const Vec3 target = 0.297 * corner[0] + 0.414 * corner[1] + 0.289 * corner[2];
    const PlaneRay ray(from, target - from, normal);
    const Neighbour curve = next_curve(ray);
    return curve.curve != kNoIndex ? curve : on_border(ray, corner);
  }

 private:
  const Segment& segment(std::size_t place) const { return curves_.segments[curves_.order[place]]; }
  std::uint32_t own(std::uint32_t i) const {
    return of_b_ ? curves_.segments[i].b : curves_.segments[i].a;
  }
  bool lies_in_triangle(const Curve& c) const {
    for (std::uint32_t k = 0; k < c.count; ++k) {
      if (own(curves_.order[c.first + k]) != triangle_) return false;
      if (curves_.piercings[segment(c.first + k).from].edge_of_b == of_b_) return false;
    }
    return true;
  }
  Vec3 area(const Curve& c) const {
    const Vec3 o = curves_.piercings[segment(c.first).from].p;
    Vec3 sum;
    for (std::uint32_t k = 0; k < c.count; ++k) {
      const Segment& s = segment(c.first + k);
      sum += cross(curves_.piercings[s.from].p - o, curves_.piercings[s.to].p - o);
    }
    return sum;
  }

  Neighbour next_curve(const PlaneRay& ray) const {
    Neighbour best;
    double nearest = HUGE_VAL;
    for (std::uint32_t i = 0; i < curves_.segments.size(); ++i) {
      const Segment& s = curves_.segments[i];
      if (own(i) != triangle_ || s.curve == curve_) continue;
      double share = 0.0;
      const double at = ray.hit(curves_.piercings[s.from].p, curves_.piercings[s.to].p, share);
      if (at > 0.0 && at < nearest) nearest = at, best.curve = s.curve;
    }
    return best;
  }

  Neighbour on_border(const PlaneRay& ray, const Vec3 corner[3]) const {
    for (std::size_t k = 0; k < 3; ++k) {
      double share = 0.0;
      if (!(ray.hit(corner[k], corner[(k + 1) % 3], share) > 0.0)) continue;
      const std::uint32_t edge = owner_.surface->edges_of[triangle_][k];
      if (!owner_.surface->runs_forward(triangle_, k)) share = 1.0 - share;
      // The next one below on the edge bounds the same interval, or the low end is in it.
      Neighbour best;
      double highest = -1.0;
      for (std::uint32_t i = parts_.first_piercing(edge); i != kNoIndex;
           i = curves_.piercings[i].next_on_edge) {
        const Piercing& p = curves_.piercings[i];
        if (p.along <= share && p.along > highest) highest = p.along, best.curve = p.curve;
      }
      if (best.curve == kNoIndex) best.vertex = owner_.surface->edges[edge].low;
      return best;
    }
    return {};
  }

  const PlacedSurface& owner_;
  const bool of_b_;
  const Curves& curves_;
  const InsideParts& parts_;
  const std::uint32_t curve_;
  std::uint32_t triangle_ = 0;
};

}  // namespace

Neighbour around_hole(const PlacedPair& placed, bool of_b, const Curves& curves,
                      const InsideParts& parts, std::uint32_t curve) {
  return Search(placed, of_b, curves, parts, curve).run();
}

}  // namespace carom::triangles
