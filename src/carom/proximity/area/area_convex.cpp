// Any two convex bodies: rays from the middle of the area to its rim, as many as it asks for.
//
// The area is convex, so that a ray from any place of it meets the rim once. Rays lie at equal
// angles of coordinates in which the area is round: from the moments of the polygon that some rays
// span come better coordinates, until they stay. Between two rays the integral over them is what
// Simpson's rule says, or the angle is halved: at corners of the area, and where an edge of a body
// runs across it (depth_rays.h). A ray that was taken once stays a point of the finer rule, so that
// none is lost.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/geometry/core_kinds.h"
#include "carom/geometry/superquadric_core.h"
#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/area/depth_rays.h"

namespace carom {
namespace {

/// Coordinates of the plane of the area, in which that is about a circle of radius 1.
struct RoundFrame {
  Vec2 middle{0.0, 0.0}, e1{1.0, 0.0}, e2{0.0, 1.0};
  Vec2 way(const Vec2& direction) const { return direction.x * e1 + direction.y * e2; }
  double scale() const { return std::abs(cross(e1, e2)); }
};

/// Area, centre and second moments about that of a polygon.
struct PolygonMoments {
  double area = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
  Vec2 centre{0.0, 0.0};
};
template <std::size_t N>
PolygonMoments moments_of(const std::array<Vec2, N>& corners) {
  PolygonMoments m;
  for (std::size_t i = 0; i < N; ++i) {
    const Vec2 &p = corners[i], &q = corners[(i + 1) % N];
    const double part = 0.5 * cross(p, q);
    m.area += part, m.centre = m.centre + (part / 3.0) * (p + q);
  }
  if (!(std::abs(m.area) > 0.0)) return m;
  m.centre = (1.0 / m.area) * m.centre;
  for (std::size_t i = 0; i < N; ++i) {
    const Vec2 p = corners[i] - m.centre, q = corners[(i + 1) % N] - m.centre;
    const double part = cross(p, q) / (24.0 * m.area);
    m.xx += 2.0 * part * (p.x * p.x + p.x * q.x + q.x * q.x);
    m.yy += 2.0 * part * (p.y * p.y + p.y * q.y + q.y * q.y);
    m.xy += part * (2.0 * p.x * p.y + 2.0 * q.x * q.y + p.x * q.y + q.x * p.y);
  }
  return m;
}

/// A place within, where u is a fair share of the depth: the deepest one may lie on the rim, and
/// where faces are flat any place of them is told as that.
bool find_within(const DepthField& field, const AreaBody& A, const AreaBody& B, double depth,
                 RoundFrame& frame) {
  constexpr int kDirections = 32;
  constexpr double kWell = 0.3;
  // Of a ball as large as the bodies.
  const double reach = std::sqrt(depth * std::min(A.reach, B.reach));
  frame.e1 = {reach, 0.0}, frame.e2 = {0.0, reach};
  double best = 0.0;
  const auto look = [&](const Vec2& x) {
    const FieldDepth d = field.at(x.x, x.y);
    if (d.hits && d.u > best) best = d.u, frame.middle = x;
  };
  const auto farthest = [&](const AreaBody& body, double sign) -> Vec2 {
    if (!std::isfinite(body.reach)) return {0.0, 0.0};
    const Vec3 along = transpose_times(body.X_WS.R, sign * field.n_W);
    const Vec3 r = body.X_WS * surface_point(body.core, along) - field.o_W;
    return {dot(r, field.e1_W), dot(r, field.e2_W)};
  };
  const std::array<Vec2, 3> starts = {Vec2{0.0, 0.0}, farthest(A, 1.0), farthest(B, -1.0)};
  for (const Vec2& start : starts) look(start);
  for (double share = 1.0; share > 1e-7 && best < kWell * depth; share *= 0.5) {
    for (int i = 0; i < kDirections; ++i) {
      const Vec2 way = (share * reach) * unit(2.0 * std::numbers::pi * i / kDirections);
      for (const Vec2& start : starts) look(start + way);
    }
  }
  return best > 0.0;
}

/// Coordinates in which the area is round, from some within it.
bool make_round(const DepthField& field, RoundFrame& frame) {
  constexpr std::size_t kRays = 12;
  constexpr int kMostRounds = 12, kMore = 2;
  constexpr double kAccuracy = 1e-2, kStays = 1.25;
  int settled = 0;
  for (int i = 0; i < kMostRounds; ++i) {
    std::array<Vec2, kRays> rim;
    for (std::size_t k = 0; k < kRays; ++k) {
      const Vec2 way =
          frame.way(unit(2.0 * std::numbers::pi * static_cast<double>(k) / kRays + 0.2));
      rim[k] = DepthRay(field, frame.middle, way).find_rim(kAccuracy) * way;
    }
    const PolygonMoments m = moments_of(rim);
    // Of an ellipse the second moment is a quarter of the square of the axis. The root that is
    // symmetric does not turn with the pose where the area is as wide one way as the other.
    const double det = std::sqrt(std::max(0.0, m.xx * m.yy - m.xy * m.xy));
    const double sum = std::sqrt(m.xx + m.yy + 2.0 * det);
    if (!(det > 0.0)) return false;
    const double before = frame.scale();
    frame.middle = frame.middle + m.centre;
    frame.e1 = (2.0 / sum) * Vec2{m.xx + det, m.xy};
    frame.e2 = (2.0 / sum) * Vec2{m.xy, m.yy + det};
    const double now = frame.scale();
    if (i > 0 && now < kStays * before && before < kStays * now) ++settled;
    if (settled > kMore) return true;
  }
  return true;
}

/// Superquadrics, and what has no edges either.
bool is_smooth(const Core& c) {
  return c.kind == &core_superquadric || c.kind == &core_point || c.kind == &core_ellipsoid ||
         c.kind == &core_half_space;
}

/// Better than what is stated, so that a change of the number of rays is not felt. Superquadrics
/// are dear to ask; where nothing has edges what comes out is less than half of this.
double accuracy_of(const Core& A, const Core& B, int order) {
  const bool is_dear = is_smooth(A) && is_smooth(B);
  if (order < 8) return is_dear ? 1e-2 : 1e-3;
  return is_dear ? 2.5e-3 : 2e-4;
}

class ConvexSum {
 public:
  ConvexSum(const DepthField& field, const RoundFrame& frame, double depth, double accuracy,
            AreaPatch& out)
      : field_(field), frame_(frame), depth_(depth), accuracy_(accuracy), out_(out) {}

  void run() {
    constexpr std::size_t kFirst = 24;  // a multiple of four
    constexpr double kStep = 2.0 * std::numbers::pi / kFirst;
    for (std::size_t k = 0; k < kFirst; ++k) add_ray(kStep * static_cast<double>(k));
    for (std::size_t k = 0; k < kFirst; ++k) {
      total_.area += ray_[k].sums.area / kFirst, total_.volume += ray_[k].sums.volume / kFirst;
    }
    for (std::size_t k = 0; k < kFirst; k += 4) {
      const double from = kStep * static_cast<double>(k);
      put_panel({k, k + 1, k + 2, k + 3, (k + 4) % kFirst}, from, 4.0 * kStep, 1.0, 0);
    }
    // Sums over equal angles converge faster than any power for smooth rims.
    for (std::size_t k = 0; k < count_; ++k) {
      ray_[k].weight *= finer_;
      if (k < kFirst) ray_[k].weight += (1.0 - finer_) * kStep;
    }
    weigh();
  }

 private:
  static constexpr std::size_t kMostRays = 512;
  struct Ray {
    double weight = 0.0;  ///< the angle that it stands for
    int first = 0;        ///< of its points
    RaySums sums;
  };

  void add_ray(double angle) {
    Ray& ray = ray_[count_++];
    ray.first = out_.count;
    const Vec2 direction = unit(angle);
    DepthRay along(field_, frame_.middle, frame_.way(direction));
    if (along.find_rim(kRimAccuracy) > 0.0) {
      along.integrate(depth_, accuracy_, direction, out_, ray.sums);
    }
  }

  /// How far two rules over the same angle are from each other, as a share of the whole.
  double difference(const std::array<std::size_t, 5>& k) const {
    const auto of = [&](double RaySums::*sum) {
      const auto f = [&](std::size_t i) { return ray_[k[i]].sums.*sum; };
      return std::abs(f(0) - 4.0 * f(1) + 6.0 * f(2) - 4.0 * f(3) + f(4)) / 12.0;
    };
    const double moment = std::max({of(&RaySums::volume), of(&RaySums::x), of(&RaySums::y)});
    return std::max(moment / total_.volume, of(&RaySums::area) / total_.area);
  }

  /// Five rays at equal angles, of which a share counts.
  void put_panel(const std::array<std::size_t, 5>& k, double from, double width, double share,
                 int halvings) {
    constexpr int kMostHalvings = 12;
    double left = share_of_finer(difference(k) * width, accuracy_);
    if (halvings == 0) finer_ = std::max(finer_, left);
    if (halvings == kMostHalvings || count_ + 4 > kMostRays) left = 0.0;
    constexpr std::array<double, 5> kBoole = {7.0 / 90, 32.0 / 90, 12.0 / 90, 32.0 / 90, 7.0 / 90};
    for (std::size_t i = 0; i < 5; ++i) {
      ray_[k[i]].weight += (1.0 - left) * share * kBoole[i] * width;
    }
    if (!(left > 0.0)) return;
    const std::size_t n = count_;
    for (int i = 0; i < 4; ++i) add_ray(from + 0.125 * (2 * i + 1) * width);
    const double half = 0.5 * width;
    put_panel({k[0], n, k[1], n + 1, k[2]}, from, half, left * share, halvings + 1);
    put_panel({k[2], n + 2, k[3], n + 3, k[4]}, from + half, half, left * share, halvings + 1);
  }

  /// Gives the points of every ray the angle that it stands for.
  void weigh() {
    const double scale = frame_.scale();
    for (std::size_t k = 0; k < count_; ++k) {
      const int end = k + 1 < count_ ? ray_[k + 1].first : out_.count;
      for (int i = ray_[k].first; i < end; ++i) {
        AreaPoint& p = out_.points[static_cast<std::size_t>(i)];
        p.area *= ray_[k].weight * scale;
        out_.area += p.area, out_.volume += p.area * p.u;
      }
    }
  }

  static constexpr double kRimAccuracy = 1e-7;
  const DepthField& field_;
  const RoundFrame& frame_;
  double depth_, accuracy_;
  AreaPatch& out_;
  RaySums total_;       ///< means over all angles
  double finer_ = 0.0;  ///< share of what is not sums over equal angles
  std::array<Ray, kMostRays> ray_;
  std::size_t count_ = 0;
};

}  // namespace

void integrate_convex(const AreaBody& A, const AreaBody& B, const Contact& contact, int order,
                      AreaPatch& out) {
  const double accuracy = accuracy_of(A.core, B.core, order);
  const DepthField field(A, B, contact, any_perpendicular(contact.n_AB_W));
  const double depth = -contact.phi;
  RoundFrame frame;
  if (!find_within(field, A, B, depth, frame)) return;
  if (!make_round(field, frame)) return;
  ConvexSum(field, frame, depth, accuracy, out).run();
}

}  // namespace carom
