// Rays across the area, for pairs with a smooth surface that need not be convex.
//
// They start at the deepest point, at equal angles of coordinates in which the area is round to
// second order: along the main relative curvatures k1, k2 of the two, scaled by
//
//   s_i = (2 d/k_i)^½,   d the depth                                                     (1)
//
// Sums over equal angles converge faster than any power for smooth rims. The surfaces are followed
// along each ray from the deepest point, so that the side that was touched keeps the contact. A ray
// ends where u is zero; where a body ends or turns out of sight; where another contact of the two
// is nearer by (2) of area_patch.h; or where u grows again, behind a valley of u.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/area/gauss_rule.h"
#include "carom/proximity/area/surface_exit.h"

namespace carom {
namespace {

/// A place of the area, where both surfaces are known.
struct Place2 {
  double x = 0.0, y = 0.0;
  Vec3 state_a, state_b;
};

/// Depth at a place and its slope along the ray.
struct RayDepth {
  bool hits = false;
  double u = -1.0, slope = 0.0;
  double middle = 0.0;  ///< between the two surfaces, along n [m]
};

class RayField {
 public:
  RayField(const AreaBody& A, const AreaBody& B, const Contact& contact, const Vec3& e1)
      : A_(A), B_(B) {
    o_W = 0.5 * (contact.p_WCa + contact.p_WCb), n_W = contact.n_AB_W;
    e1_W = e1, e2_W = cross(n_W, e1);
    in_A_ = seen_from(A.X_WS, 1.0), in_B_ = seen_from(B.X_WS, -1.0);
  }

  /// The depth at (x, y), to which the surfaces are followed from a place where they are known;
  /// (dx, dy) is the direction of the slope. The way is cut where it is too far for one step.
  RayDepth follow(const Place2& from, double x, double y, double dx, double dy, Place2& to) const {
    for (int parts = 1; parts <= 16; parts *= 4) {
      to = from;
      RayDepth out;
      for (int k = 1; k <= parts; ++k) {
        const double share = static_cast<double>(k) / parts;
        to.x = from.x + share * (x - from.x), to.y = from.y + share * (y - from.y);
        out = at(to, dx, dy);
        if (!out.hits) break;
      }
      if (out.hits) return out;
    }
    return {};
  }

  Vec3 point(double x, double y, double middle) const {
    return o_W + x * e1_W + y * e2_W + middle * n_W;
  }

 private:
  struct Axes {
    Vec3 o, e1, e2, n;
  };
  Axes seen_from(const Pose& X, double sign) const {
    return {transpose_times(X.R, o_W - X.p), transpose_times(X.R, e1_W), transpose_times(X.R, e2_W),
            transpose_times(X.R, sign * n_W)};
  }
  static bool find(const AreaBody& body, const Axes& in, double x, double y, Vec3& state,
                   LineExit& out) {
    const Vec3 p = in.o + x * in.e1 + y * in.e2;
    return body.smooth ? follow_exit(*body.smooth, p, in.n, state, out)
                       : find_exit(body.core, p, in.n, out);
  }
  RayDepth at(Place2& p, double dx, double dy) const {
    LineExit a, b;
    if (!find(A_, in_A_, p.x, p.y, p.state_a, a) || !find(B_, in_B_, p.x, p.y, p.state_b, b)) {
      return {};
    }
    const double slope_a = dot(a.normal, dx * in_A_.e1 + dy * in_A_.e2) / dot(a.normal, in_A_.n),
                 slope_b = dot(b.normal, dx * in_B_.e1 + dy * in_B_.e2) / dot(b.normal, in_B_.n);
    return {true, a.t + b.t, -(slope_a + slope_b), 0.5 * (a.t - b.t)};
  }

  const AreaBody &A_, &B_;
  Vec3 o_W, n_W, e1_W, e2_W;
  Axes in_A_, in_B_;
};

class Ray {
 public:
  Ray(const RayField& field, const Place2& centre, double dx, double dy, double depth)
      : field_(field), centre_(centre), dx_(dx), dy_(dy), depth_(depth) {}

  /// Where it ends, from a guess; `is_steady` where the depth fell all the way, as far as seen.
  double find_end(double guess, bool& is_steady) {
    constexpr int kMost = 60;
    constexpr double kEnd = 1e-9;
    is_steady = true;
    double in = 0.0, out = 0.0, r = guess;
    Place2 known = centre_;
    for (int i = 0; i < kMost; ++i) {
      Place2 there;
      const RayDepth d = field_.follow(known, r * dx_, r * dy_, dx_, dy_, there);
      const bool is_in = d.hits && d.u > 0.0;
      if (is_in) {
        in = r, known = there;
        if (d.slope >= kFlat * depth_) is_steady = false;
      } else {
        out = r;
      }
      if (!is_steady || (out > 0.0 && out - in <= kEnd * out)) break;
      double next = out > 0.0 ? 0.5 * (in + out) : 2.0 * r;
      if (d.hits && d.slope < 0.0) {
        const double newton = r - d.u / d.slope;
        if (std::abs(newton - r) <= kEnd * r && std::abs(d.u) <= 1e-6 * depth_) return newton;
        if (newton > in && (out > 0.0 ? newton < out : newton < 2.0 * r)) next = newton;
      }
      r = next;
    }
    return in;
  }

  /// The same step by step, for rays along which the depth may grow again.
  double walk_to_end(double stride) {
    constexpr int kMost = 80, kHalvings = 30;
    Place2 known = centre_;
    double in = 0.0;
    for (int i = 1; i <= kMost; ++i) {
      Place2 there;
      const double r = stride * i;
      if (goes_on(known, r, there)) {
        known = there, in = r;
        continue;
      }
      double out = r;
      for (int k = 0; k < kHalvings; ++k) {
        const double half = 0.5 * (in + out);
        if (goes_on(known, half, there)) {
          known = there, in = half;
        } else {
          out = half;
        }
      }
      break;
    }
    return in;
  }

  /// Points up to its end; false where the depth seems not to fall all the way: it grows at one of
  /// them, or less between two than the slopes at both say.
  bool put_points(double end, double weight, int count, AreaPatch& out) {
    const GaussRule& rule = gauss_rule(count);
    Place2 known = centre_;
    bool is_steady = true;
    double r_before = 0.0;
    RayDepth before{true, depth_, 0.0, 0.0};
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
      const double share = 0.5 * (1.0 + rule.node[k]), r = end * share;
      Place2 there;
      const RayDepth d = field_.follow(known, r * dx_, r * dy_, dx_, dy_, there);
      const double mean = (d.u - before.u) / (r - r_before), rest = kBent * depth_ / end;
      is_steady = is_steady && d.hits && d.slope < 0.0 && d.slope <= mean + rest &&
                  mean <= before.slope + rest;
      before = d, r_before = r;
      if (d.hits) known = there;
      const double u = d.hits ? std::max(0.0, d.u) : 0.0;
      const double area = weight * end * end * share * 0.5 * rule.weight[k];
      out.points[static_cast<std::size_t>(out.count++)] = {field_.point(r * dx_, r * dy_, d.middle),
                                                           u, area};
      out.area += area, out.volume += area * u;
    }
    return is_steady;
  }

 private:
  bool goes_on(const Place2& known, double r, Place2& there) const {
    const RayDepth d = field_.follow(known, r * dx_, r * dy_, dx_, dy_, there);
    return d.hits && d.u > 0.0 && d.slope < kFlat * depth_;
  }

  static constexpr double kBent = 0.05;
  /// Bodies that fit each other are as deep all over, up to rounding: that is no valley.
  static constexpr double kFlat = 0.05;
  const RayField& field_;
  const Place2& centre_;
  double dx_, dy_, depth_;
};

/// Takes back the points of the last ray.
void drop_points(int count, AreaPatch& out) {
  for (int i = 0; i < count; ++i) {
    const AreaPoint& p = out.points[static_cast<std::size_t>(--out.count)];
    out.area -= p.area, out.volume -= p.area * p.u;
  }
}

/// The two directions across n in which the area is round, with its radii.
struct RoundAxes {
  Vec3 e1, e2;
  double s1 = 0.0, s2 = 0.0;
  RoundAxes(const Contact& c, double size) {
    const Vec3& n = c.n_AB_W;
    const Vec3 main = c.k1_direction_W - dot(c.k1_direction_W, n) * n;
    e1 = norm(main) > 0.5 ? normalized(main) : any_perpendicular(n), e2 = cross(n, e1);
    const double depth = std::max(-c.phi, 0.0), flattest = 2.0 * depth / (size * size);
    s1 = std::sqrt(2.0 * depth / std::max(c.k1, flattest));
    s2 = std::sqrt(2.0 * depth / std::max(c.k2, flattest));
  }

  /// Angles count from where the normal alone says: main directions of what is all but round are
  /// rounding, and rays that turn with them tremble.
  Vec3 direction(double angle) const {
    const Vec3 n = cross(e1, e2), start = any_perpendicular(n);
    return std::cos(angle) * start + std::sin(angle) * cross(n, start);
  }
};

/// Where a ray comes as near to another contact as to its own: |a + b r| = r.
double cut_of(const AreaRival& rival, const Vec3& o_W, const Vec3& along_W) {
  const Vec3 from = o_W - rival.p_W;
  const double a1 = dot(rival.e1_W, from), a2 = dot(rival.e2_W, from),
               b1 = dot(rival.e1_W, along_W), b2 = dot(rival.e2_W, along_W);
  const double a = b1 * b1 + b2 * b2 - 1.0, b = a1 * b1 + a2 * b2, c = a1 * a1 + a2 * a2;
  const double root = b * b - a * c;
  if (!(root > 0.0)) return std::numeric_limits<double>::infinity();
  const double q = -(b + std::copysign(std::sqrt(root), b));
  double least = std::numeric_limits<double>::infinity();
  for (const double r : {q / a, c / q}) {
    if (r > 0.0) least = std::min(least, r);
  }
  return least;
}

}  // namespace

AreaRival rival_of(const Contact& contact, double size) {
  const RoundAxes axes(contact, size);
  return {0.5 * (contact.p_WCa + contact.p_WCb), (1.0 / axes.s1) * axes.e1,
          (1.0 / axes.s2) * axes.e2};
}

void integrate_rays(const AreaBody& A, const AreaBody& B, const Contact& contact, int order,
                    std::span<const AreaRival> rivals, AreaPatch& out) {
  // Where the rim is farther from 1 than this, u is no parabola, and there may be a valley.
  constexpr double kStride = 0.1, kLeast = 0.6, kMost = 1.4;
  const double depth = -contact.phi;
  const RoundAxes axes(contact, std::min(A.reach, B.reach));
  const RayField field(A, B, contact, axes.e1);
  const Place2 centre{0.0, 0.0, contact.state_a, contact.state_b};
  // Of balls, ellipsoids and planes the rim is an ellipse, all but, and few rays tell it.
  const bool is_ellipse = !A.smooth && !B.smooth;
  const int rays = is_ellipse ? 5 * order / 4 : 2 * order,
            along = std::max(1, is_ellipse ? 3 * order / 4 : order / 2);
  const double step = 2.0 * std::numbers::pi / rays, weight = step * axes.s1 * axes.s2;
  const Vec3 o_W = 0.5 * (contact.p_WCa + contact.p_WCb);
  double guess = 1.0;
  for (int i = 0; i < rays; ++i) {
    const Vec3 along_W = axes.direction(step * (i + 0.5));
    const double dx = axes.s1 * dot(axes.e1, along_W), dy = axes.s2 * dot(axes.e2, along_W);
    double cut = std::numeric_limits<double>::infinity();
    for (const AreaRival& rival : rivals) {
      cut = std::min(cut, cut_of(rival, o_W, dx * axes.e1 + dy * axes.e2));
    }
    Ray ray(field, centre, dx, dy, depth);
    bool is_steady = true;
    const double end = ray.find_end(guess, is_steady);
    if (is_steady && end > kLeast && end < kMost) {
      guess = end;
      if (ray.put_points(std::min(cut, end), weight, along, out)) continue;
      drop_points(along, out);
    }
    ray.put_points(std::min(cut, ray.walk_to_end(kStride)), weight, along, out);
  }
}

}  // namespace carom
