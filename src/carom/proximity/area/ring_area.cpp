#include "carom/proximity/area/ring_area.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/proximity/area/gauss_rule.h"

namespace carom {
namespace {

constexpr double kPi = std::numbers::pi;

/// The ring as the plane sees it.
struct RingOnPlane {
  Vec3 n, axis, low, across;  ///< the direction to its lowest point, and the one across both
  double height = 0.0;        ///< of its middle [m]
  double tilt = 0.0;          ///< sine of it: low.n is minus that
  double flat = 0.0;          ///< axis.n

  RingOnPlane(const AreaRing& ring, const Pose& X_WP) {
    n = X_WP.R.col(2), axis = ring.X_WS.R.col(2);
    flat = dot(axis, n);
    const Vec3 down = flat * axis - n;
    tilt = norm(down);
    constexpr double kFlat = 1e-12;  // any point of the circle is the lowest
    low = tilt > kFlat ? down / tilt : ring.X_WS.R.col(0);
    across = cross(axis, low);
    height = dot(n, ring.X_WS.p - X_WP.p);
  }
  /// Depth of the lowest point of the section at the angle t from the lowest one.
  double depth(const AreaRing& ring, double t) const {
    const double lean = tilt * std::cos(t);
    return ring.radius * lean - height + ring.tube * std::hypot(lean, flat);
  }
};

class RingArea {
 public:
  RingArea(const AreaRing& ring, const RingOnPlane& on, bool is_first, AreaPatch& out)
      : ring_(ring), on_(on), sign_(is_first ? -1.0 : 1.0), out_(out) {}

  void integrate() {
    if (!(on_.depth(ring_, 0.0) > 0.0)) return;
    if (on_.depth(ring_, kPi) > 0.0) {
      for (int i = 0; i < kSections; ++i) {
        put_section(2.0 * kPi * (i + 0.5) / kSections, 2.0 * kPi / kSections);
      }
      return;
    }
    double in = 0.0, end = kPi;
    for (int i = 0; i < 50; ++i) {
      const double half = 0.5 * (in + end);
      (on_.depth(ring_, half) > 0.0 ? in : end) = half;
    }
    // Composite, since a ring that lies almost flat is not a polynomial of its angle.
    constexpr int kParts = kSections / 8;
    const GaussRule& rule = gauss_rule(8);
    for (int k = 0; k < kParts; ++k) {
      for (std::size_t i = 0; i < 8; ++i) {
        const double x = (2.0 * k + 1.0 + rule.node[i]) / kParts - 1.0;
        put_section(in * 0.5 * x * (3.0 - x * x),
                    in * 1.5 * (1.0 - x * x) * rule.weight[i] / kParts);
      }
    }
  }

 private:
  void put_section(double t, double dt) {
    const Vec3 e = std::cos(t) * on_.low + std::sin(t) * on_.across;
    const double lean = dot(on_.n, e), m = std::hypot(lean, on_.flat);
    const double middle = -on_.height - ring_.radius * lean;  // D of (1)
    const double r = ring_.tube, share = -middle / (r * m);
    if (!(share < 1.0)) return;
    // Where the middle of the tube is below the plane, the underside is all that counts.
    const double half = share > 0.0 ? std::acos(share) : 0.5 * kPi;
    const double f0 = std::atan2(-on_.flat, -lean);
    const GaussRule& rule = gauss_rule(kAcross);
    for (std::size_t i = 0; i < static_cast<std::size_t>(kAcross); ++i) {
      const double off = half * rule.node[i], f = f0 + off;
      const double u = middle + r * m * std::cos(off);
      const double area =
          m * std::cos(off) * r * (ring_.radius + r * std::cos(f)) * half * rule.weight[i] * dt;
      if (!(u > 0.0) || !(area > 0.0)) continue;
      const Vec3 p =
          ring_.X_WS.p + (ring_.radius + r * std::cos(f)) * e + (r * std::sin(f)) * on_.axis;
      const auto k = static_cast<std::size_t>(out_.count++);
      out_.points.make_room(k + 1);
      out_.points[k] = {p + 0.5 * u * on_.n, u, area, sign_ * on_.n};
      out_.area += area, out_.volume += area * u;
    }
  }

  static constexpr int kSections = 48, kAcross = 4;
  const AreaRing& ring_;
  const RingOnPlane& on_;
  double sign_;
  AreaPatch& out_;
};

}  // namespace

void find_ring_area(const AreaRing& ring, const Pose& X_WP, bool is_first, AreaPatch& out) {
  out.count = 0, out.area = out.volume = 0.0;
  out.has_normals = true;
  RingArea(ring, RingOnPlane(ring, X_WP), is_first, out).integrate();
}

Contact ring_distance(const AreaRing& ring, const Pose& X_WP, bool is_first) {
  const RingOnPlane on(ring, X_WP);
  Contact c;
  c.phi = -on.depth(ring, 0.0);
  const Vec3 lowest = ring.X_WS.p + ring.radius * on.low - ring.tube * on.n;
  const Vec3 below = lowest - c.phi * on.n;
  c.n_AB_W = is_first ? -on.n : on.n;
  c.p_WCa = is_first ? lowest : below, c.p_WCb = is_first ? below : lowest;
  // Along the tube it is nearly straight, flat on the plane wholly so.
  c.k1 = 1.0 / ring.tube, c.k2 = on.tilt / (ring.radius * on.tilt + ring.tube);
  c.k1_direction_W = normalized(cross(on.n, on.across));
  return c;
}

}  // namespace carom
