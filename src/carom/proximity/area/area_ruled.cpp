// Cylinders, cones and beams on a flat face: their own flat faces, and sides made of straight
// lines.
//
// Below a plane, u is linear over a flat face, which the plane and the edges of its own face cut
// (arc_region.h), and along every straight line of a round side. Between the rims p0(ψ) and p1(ψ)
//
//   x(ψ, s) = p0 + s (p1 - p0),   dA = -up.N(ψ) r(s) dψ ds,   N = τ × (p1 - p0)               (1)
//
// with τ along the rim, and -up.N, u(p0), u(p1) of the form a + b cos(ψ - ψ0): where one of them is
// zero the integrand has a kink in ψ, and Gauss's points begin anew; as they do where an edge of
// the face or a corner passes through the side. So forces follow the pose to rounding, however the
// body stands or lies, at a cost that does not depend on it.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/area/arc_region.h"
#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/area/face_plane.h"

namespace carom {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi, kQuarter = 0.5 * std::numbers::pi;

/// f(x) = c + g.x in the axes of the body; the side where it is positive is inside.
struct SpaceLimit {
  double c = 0.0;
  Vec3 g;
  double at(const Vec3& x) const { return c + dot(g, x); }
};

/// One end of the body: a plane across its axis.
struct RuledEnd {
  double along = 0.0, radius = 0.0;
};

/// The hull of two ends, each a disc, or two discs `straight` to either side of the axis.
struct RuledBody {
  Vec3 axis, e1, e2;
  RuledEnd end[2];  ///< the first one at the lower end of the axis
  double straight = 0.0;

  Vec3 point(const RuledEnd& k, const Vec2& x) const {
    return k.along * axis + x.x * e1 + x.y * e2;
  }
};

std::optional<RuledBody> ruled_body(const Core& c) {
  const Vec3 x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
  if (c.rounding > 0.0) return std::nullopt;
  if (c.kind == &core_cylinder) {
    return RuledBody{x, y, z, {{-c.v[0].x, c.v[0].y}, {c.v[0].x, c.v[0].y}}, 0.0};
  }
  if (c.kind == &core_frustum) {
    const bool is_turned = c.v[1].x < c.v[0].x;
    const Vec3 &low = c.v[is_turned ? 1 : 0], &high = c.v[is_turned ? 0 : 1];
    return RuledBody{x, y, z, {{low.x, low.y}, {high.x, high.y}}, 0.0};
  }
  if (c.kind == &core_stadium) {
    return RuledBody{z, x, y, {{-c.v[0].z, c.v[0].y}, {c.v[0].z, c.v[0].y}}, c.v[0].x};
  }
  return std::nullopt;
}

/// The angles at which a panel of a round side begins and ends.
struct Panels {
  std::array<double, 2 + 4 * (1 + kMostFaceEdges) + 4 * kMostFaceEdges> angle{};
  std::size_t count = 0;
  void add(double root, double first, double sweep) {
    const double way = root - first - kTurn * std::floor((root - first) / kTurn);
    if (way > 0.0 && way < sweep && count < angle.size()) angle[count++] = first + way;
  }
  /// Where c + a cos ψ + b sin ψ is zero, within one turn from `first`.
  void add_roots(double c, double a, double b, double first, double sweep) {
    const double swing = std::hypot(a, b);
    if (!(std::abs(c) < swing)) return;
    const double half = std::acos(-c / swing), middle = std::atan2(b, a);
    for (const double root : {middle - half, middle + half}) add(root, first, sweep);
  }
};

class RuledSum {
 public:
  RuledSum(const RuledBody& body, const AreaBody& place, const FacePlane& face, int order,
           AreaPatch& out)
      : body_(body), X_WS_(place.X_WS), order_(order), out_(out) {
    up_W_ = face.n_W;
    up_ = transpose_times(X_WS_.R, up_W_);
    add_limit(-face.n_W, face.p_W);
    for (std::size_t i = 0; i < face.count; ++i) add_limit(face.edge[i].inward_W, face.edge[i].p_W);
  }

  void run() {
    for (const std::size_t k : {0u, 1u}) put_end(body_.end[k], k == 0 ? -1.0 : 1.0);
    const double s = body_.straight;
    if (!(s > 0.0)) return put_round_side({0.0, 0.0}, 0.0, kTurn);
    put_round_side({s, 0.0}, -kQuarter, 2.0 * kQuarter);
    put_round_side({-s, 0.0}, kQuarter, 2.0 * kQuarter);
    put_flat_side(1.0), put_flat_side(-1.0);
  }

 private:
  void add_limit(const Vec3& g_W, const Vec3& p_W) {
    limits_[limit_count_++] = {dot(g_W, X_WS_.p - p_W), transpose_times(X_WS_.R, g_W)};
  }
  double depth(const Vec3& x) const { return limits_[0].at(x); }

  void put(const Vec3& x, double area) {
    const double u = std::max(0.0, depth(x));
    out_.points.make_room(static_cast<std::size_t>(out_.count) + 1);
    out_.points[static_cast<std::size_t>(out_.count++)] = {X_WS_ * x + 0.5 * u * up_W_, u, area};
    out_.area += area, out_.volume += area * u;
  }

  /// A flat part of the surface at o, spanned by e1 and e2, its outward normal their product.
  void put_flat(ArcRegion region, const Vec3& o, const Vec3& e1, const Vec3& e2) {
    const double facing = -dot(up_, cross(e1, e2));
    if (!(facing > 0.0)) return;
    for (std::size_t i = 0; i < limit_count_ && !region.is_empty(); ++i) {
      const SpaceLimit& limit = limits_[i];
      region.cut({limit.at(o), {dot(limit.g, e1), dot(limit.g, e2)}});
    }
    region.integrate(
        order_, [&](const Vec2& x, double area) { put(o + x.x * e1 + x.y * e2, facing * area); });
  }

  void put_end(const RuledEnd& end, double sign) {
    if (!(end.radius > 0.0)) return;
    ArcRegion region;
    const double r = end.radius, s = body_.straight;
    if (!(s > 0.0)) {
      region.add(RegionEdge::arc({0.0, 0.0}, r, 0.0, kTurn));
    } else {
      region.add(RegionEdge::arc({s, 0.0}, r, -kQuarter, 2.0 * kQuarter));
      region.add(RegionEdge::line({s, r}, {-s, r}));
      region.add(RegionEdge::arc({-s, 0.0}, r, kQuarter, 2.0 * kQuarter));
      region.add(RegionEdge::line({-s, -r}, {s, -r}));
    }
    // Seen from outside the lower end turns the other way; its outline is symmetric.
    put_flat(region, end.along * body_.axis, body_.e1, sign * body_.e2);
  }

  /// Of a beam, between its round ends.
  void put_flat_side(double sign) {
    const double s = body_.straight, low = body_.end[0].along, high = body_.end[1].along;
    ArcRegion region;
    region.add(RegionEdge::line({low, -s}, {high, -s}));
    region.add(RegionEdge::line({high, -s}, {high, s}));
    region.add(RegionEdge::line({high, s}, {low, s}));
    region.add(RegionEdge::line({low, s}, {low, -s}));
    put_flat(region, sign * body_.end[0].radius * body_.e2, body_.axis, sign * body_.e1);
  }

  /// (1), about one centre across the axis.
  void put_round_side(const Vec2& centre, double first, double sweep) {
    Panels panels;
    const RuledEnd &low = body_.end[0], &high = body_.end[1];
    const double length = high.along - low.along, wider = high.radius - low.radius;
    const double facing = wider * dot(up_, body_.axis);
    const double swing1 = -length * dot(up_, body_.e1), swing2 = -length * dot(up_, body_.e2);
    if (facing + std::hypot(swing1, swing2) <= 0.0) return;
    panels.add_roots(facing, swing1, swing2, first, sweep);
    for (std::size_t i = 0; i < limit_count_; ++i) {
      for (const RuledEnd& end : body_.end) {
        const Vec3& g = limits_[i].g;
        panels.add_roots(limits_[i].at(body_.point(end, centre)), end.radius * dot(g, body_.e1),
                         end.radius * dot(g, body_.e2), first, sweep);
      }
    }
    for (std::size_t i = 0; i < limit_count_; ++i) {
      for (std::size_t k = i + 1; k < limit_count_; ++k) {
        add_crossings(limits_[i], limits_[k], centre, first, sweep, panels);
      }
    }
    std::sort(panels.angle.begin(),
              panels.angle.begin() + static_cast<std::ptrdiff_t>(panels.count));
    if (sweep < kTurn) {
      double from = first;
      for (std::size_t i = 0; i < panels.count; ++i) {
        put_panel(centre, from, panels.angle[i]);
        from = panels.angle[i];
      }
      return put_panel(centre, from, first + sweep);
    }
    if (panels.count == 0) return put_panel(centre, first, first + kTurn);
    for (std::size_t i = 0; i < panels.count; ++i) {
      const bool is_last = i + 1 == panels.count;
      put_panel(centre, panels.angle[i], is_last ? panels.angle[0] + kTurn : panels.angle[i + 1]);
    }
  }

  /// Where the line on which two limits meet passes through a round side, in sight of the others.
  void add_crossings(const SpaceLimit& i, const SpaceLimit& k, const Vec2& centre, double first,
                     double sweep, Panels& panels) const {
    constexpr double kParallel = 1e-12;
    const Vec3 d = cross(i.g, k.g);
    const double d2 = norm2(d);
    if (d2 < kParallel) return;
    const Vec3 o = (-1.0 / d2) * (i.c * cross(k.g, d) + k.c * cross(d, i.g));
    const RuledEnd &low = body_.end[0], &high = body_.end[1];
    const double widening = (high.radius - low.radius) / (high.along - low.along);
    // Across the axis, and the radius there: both linear along the line.
    const Vec2 x0 = Vec2{dot(o, body_.e1), dot(o, body_.e2)} - centre,
               x1{dot(d, body_.e1), dot(d, body_.e2)};
    const double r0 = low.radius + widening * (dot(o, body_.axis) - low.along),
                 r1 = widening * dot(d, body_.axis);
    const double a = dot(x1, x1) - r1 * r1, b = dot(x0, x1) - r0 * r1, c = dot(x0, x0) - r0 * r0;
    const double root = b * b - a * c;
    if (!(root > 0.0) || a == 0.0) return;
    for (const double sign : {-1.0, 1.0}) {
      const double t = (sign * std::sqrt(root) - b) / a;
      if (!is_on_side(o + t * d, r0 + t * r1)) continue;
      const Vec2 x = x0 + t * x1;
      panels.add(std::atan2(x.y, x.x), first, sweep);
    }
  }
  bool is_on_side(const Vec3& x, double radius) const {
    const double along = dot(x, body_.axis),
                 rounding = 1e-9 * (body_.end[1].along - body_.end[0].along);
    if (radius < 0.0 || along < body_.end[0].along || along > body_.end[1].along) return false;
    return std::all_of(limits_.begin(), limits_.begin() + static_cast<std::ptrdiff_t>(limit_count_),
                       [&](const SpaceLimit& limit) { return limit.at(x) >= -rounding; });
  }

  void put_panel(const Vec2& centre, double from, double to) {
    const Ruling middle = ruling(centre, 0.5 * (from + to));
    if (!(middle.facing > 0.0) || !(middle.to > middle.from)) return;
    // A whole turn at equal angles, others by Gauss's points; these see half a turn at a time.
    const bool is_whole = to - from >= kTurn;
    if (!is_whole && to - from > 0.5 * kTurn) {
      put_panel(centre, from, 0.5 * (from + to));
      return put_panel(centre, 0.5 * (from + to), to);
    }
    // The plane cuts a cone along a hyperbola, which bends much where it leaves the body.
    const bool is_cone = body_.end[0].radius != body_.end[1].radius;
    const int count = is_whole || is_cone ? 2 * order_ : order_;
    const GaussRule& rule = gauss_rule(count);
    for (int i = 0; i < count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double t = is_whole ? (i + 0.5) / count : 0.5 * (1.0 + rule.node[k]);
      const double weight = is_whole ? 1.0 / count : 0.5 * rule.weight[k];
      put_ruling(ruling(centre, from + t * (to - from)), weight * (to - from));
    }
  }

  /// A straight line of the side.
  struct Ruling {
    Vec3 low, along;
    double facing = 0.0;          ///< -up.N
    double from = 0.0, to = 1.0;  ///< what is within all limits
  };
  Ruling ruling(const Vec2& centre, double angle) const {
    const Vec2 out = unit(angle);
    const RuledEnd &low = body_.end[0], &high = body_.end[1];
    Ruling r;
    r.low = body_.point(low, centre + low.radius * out);
    r.along = body_.point(high, centre + high.radius * out) - r.low;
    const Vec3 round = -out.y * body_.e1 + out.x * body_.e2;
    r.facing = -dot(up_, cross(round, r.along));
    for (std::size_t i = 0; i < limit_count_; ++i) {
      const double a = limits_[i].at(r.low), b = limits_[i].at(r.low + r.along);
      if (a < 0.0 && b < 0.0) r.to = r.from;
      if (a < 0.0 && b >= 0.0) r.from = std::max(r.from, a / (a - b));
      if (a >= 0.0 && b < 0.0) r.to = std::min(r.to, a / (a - b));
    }
    return r;
  }
  void put_ruling(const Ruling& r, double angle) {
    if (!(r.to > r.from) || !(r.facing > 0.0)) return;
    const RuledEnd &low = body_.end[0], &high = body_.end[1];
    const GaussRule& rule = gauss_rule(order_ / 2);
    for (std::size_t k = 0; k < static_cast<std::size_t>(order_ / 2); ++k) {
      const double s = r.from + 0.5 * (1.0 + rule.node[k]) * (r.to - r.from);
      const double radius = low.radius + s * (high.radius - low.radius);
      put(r.low + s * r.along, 0.5 * rule.weight[k] * (r.to - r.from) * radius * angle * r.facing);
    }
  }

  const RuledBody& body_;
  const Pose& X_WS_;
  int order_;
  AreaPatch& out_;
  Vec3 up_W_, up_;
  std::array<SpaceLimit, 1 + kMostFaceEdges> limits_;
  std::size_t limit_count_ = 0;
};

}  // namespace

bool integrate_ruled(const AreaBody& A, const AreaBody& B, const Contact& contact, int order,
                     AreaPatch& out) {
  const auto a = ruled_body(A.core), b = ruled_body(B.core);
  if (a) {
    const auto face = face_along(B, -contact.n_AB_W);
    if (face) return RuledSum(*a, A, *face, order, out).run(), true;
  }
  if (b) {
    const auto face = face_along(A, contact.n_AB_W);
    if (face) return RuledSum(*b, B, *face, order, out).run(), true;
  }
  return false;
}

}  // namespace carom
