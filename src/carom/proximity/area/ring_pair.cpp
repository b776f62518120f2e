#include "carom/proximity/area/ring_pair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/proximity/area/gauss_rule.h"

namespace carom {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kLooks = 48;
constexpr std::size_t kMostLooks = 96;  // every one may be a minimum besides

/// From the circle of a ring to a point.
struct FromCircle {
  double distance = 0.0;
  Vec3 n;
};

class RingPair {
 public:
  RingPair(const AreaRing& A, const AreaRing& B) : A_(A), B_(B) {
    X_BA_ = inverse(B.X_WS) * A.X_WS;
    ex_ = X_BA_.R.col(0), ey_ = X_BA_.R.col(1), ez_ = X_BA_.R.col(2);
  }

  FromCircle from_b(const Vec3& x) const {
    const double rho = std::hypot(x.x, x.y);
    const double k = rho > 0.0 ? 1.0 / rho : 0.0;
    const Vec3 out = rho > 0.0 ? Vec3{k * x.x, k * x.y, 0.0} : Vec3{1.0, 0.0, 0.0};
    const double across = rho - B_.radius, d = std::hypot(across, x.z);
    if (!(d > 0.0)) return {0.0, {0.0, 0.0, 1.0}};
    return {d, (across / d) * out + Vec3{0.0, 0.0, x.z / d}};
  }
  Vec3 outward(double t) const { return std::cos(t) * ex_ + std::sin(t) * ey_; }
  Vec3 middle(double t) const { return X_BA_.p + A_.radius * outward(t); }
  double gap(double t) const { return from_b(middle(t)).distance; }

  /// The least distance of the circles from any place near it, by golden sections.
  double refine(double low, double high) const {
    constexpr double kGolden = 0.6180339887498949;
    double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    double at_a = gap(a), at_b = gap(b);
    for (int i = 0; i < 60; ++i) {
      if (at_a < at_b) {
        high = b, b = a, at_b = at_a;
        a = high - kGolden * (high - low), at_a = gap(a);
      } else {
        low = a, a = b, at_a = at_b;
        b = low + kGolden * (high - low), at_b = gap(b);
      }
    }
    return 0.5 * (low + high);
  }

  /// Angles all around and at every minimum of the distance, ascending. Returns how many.
  int find_looks(std::array<double, kMostLooks>& looks) const {
    std::array<double, kLooks> gaps{};
    for (int i = 0; i < kLooks; ++i) gaps[static_cast<std::size_t>(i)] = gap(angle(i));
    int count = 0;
    for (int i = 0; i < kLooks; ++i) {
      looks[static_cast<std::size_t>(count++)] = angle(i);
      const double here = gaps[static_cast<std::size_t>(i)],
                   before = gaps[static_cast<std::size_t>((i + kLooks - 1) % kLooks)],
                   after = gaps[static_cast<std::size_t>((i + 1) % kLooks)];
      if (here <= before && here <= after) {
        looks[static_cast<std::size_t>(count++)] = refine(angle(i - 1), angle(i + 1));
      }
    }
    std::sort(looks.begin(), looks.begin() + count);
    return count;
  }

  /// Where the section is deepest, and how deep.
  double deepest(double t, double& u) const {
    const Vec3 c = middle(t), e = outward(t);
    const Vec3 n = from_b(c).n;
    const double start = std::atan2(-dot(n, ez_), -dot(n, e));
    constexpr double kGolden = 0.6180339887498949;
    double low = start - 0.5 * kPi, high = start + 0.5 * kPi;
    double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    double at_a = depth(c, e, a), at_b = depth(c, e, b);
    for (int i = 0; i < 32; ++i) {
      if (at_a > at_b) {
        high = b, b = a, at_b = at_a;
        a = high - kGolden * (high - low), at_a = depth(c, e, a);
      } else {
        low = a, a = b, at_a = at_b;
        b = low + kGolden * (high - low), at_b = depth(c, e, b);
      }
    }
    u = std::max(at_a, at_b);
    return 0.5 * (low + high);
  }
  double depth(const Vec3& c, const Vec3& e, double f) const {
    return B_.tube - from_b(c + A_.tube * (std::cos(f) * e + std::sin(f) * ez_)).distance;
  }
  double depth_of(double t) const {
    double u = 0.0;
    deepest(t, u);
    return u;
  }

  void integrate(AreaPatch& out) {
    std::array<double, kMostLooks> looks{};
    const int count = find_looks(looks);
    std::array<bool, kMostLooks> in{};
    bool are_all = true, is_any = false;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      in[i] = depth_of(looks[i]) > 0.0;
      are_all = are_all && in[i], is_any = is_any || in[i];
    }
    if (!is_any) return;
    if (are_all) {
      for (int i = 0; i < kLooks; ++i) put_section(angle(i), 2.0 * kPi / kLooks, out);
      return;
    }
    const auto n = static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < n; ++i) {
      if (in[i] || !in[(i + 1) % n]) continue;
      std::size_t last = i + 1;
      while (in[(last + 1) % n]) ++last;
      const auto at = [&](std::size_t k) { return looks[k % n] + (k < n ? 0.0 : 2.0 * kPi); };
      integrate_range(rim(at(i + 1), at(i)), rim(at(last), at(last + 1)), out);
    }
  }

 private:
  static double angle(int i) { return 2.0 * kPi * (i + 0.5) / kLooks; }

  /// Between a section that touches and one that does not.
  double rim(double in, double out) const {
    for (int i = 0; i < 40; ++i) {
      const double half = 0.5 * (in + out);
      (depth_of(half) > 0.0 ? in : out) = half;
    }
    return in;
  }

  void integrate_range(double from, double to, AreaPatch& out) const {
    constexpr int kParts = 3;
    const GaussRule& rule = gauss_rule(8);
    const double half = 0.5 * (to - from), centre = 0.5 * (from + to);
    for (int k = 0; k < kParts; ++k) {
      for (std::size_t i = 0; i < 8; ++i) {
        const double x = (2.0 * k + 1.0 + rule.node[i]) / kParts - 1.0;
        put_section(centre + half * 0.5 * x * (3.0 - x * x),
                    half * 1.5 * (1.0 - x * x) * rule.weight[i] / kParts, out);
      }
    }
  }

  void put_section(double t, double dt, AreaPatch& out) const {
    double most = 0.0;
    const double f0 = deepest(t, most);
    if (!(most > 0.0)) return;
    const Vec3 c = middle(t), e = outward(t);
    const auto end = [&](double side) {
      double in = 0.0, off = 0.5 * kPi;
      for (int i = 0; i < 40; ++i) {
        const double half = 0.5 * (in + off);
        (depth(c, e, f0 + side * half) > 0.0 ? in : off) = half;
      }
      return in;
    };
    const double low = f0 - end(-1.0), high = f0 + end(1.0), half = 0.5 * (high - low);
    const GaussRule& rule = gauss_rule(4);
    for (std::size_t i = 0; i < 4; ++i) {
      const double f = low + half * (1.0 + rule.node[i]);
      const Vec3 m = std::cos(f) * e + std::sin(f) * ez_, p = c + A_.tube * m;
      const FromCircle from = from_b(p);
      const double u = B_.tube - from.distance;
      const double area = -dot(from.n, m) * A_.tube * (A_.radius + A_.tube * std::cos(f)) * half *
                          rule.weight[i] * dt;
      if (!(u > 0.0) || !(area > 0.0)) continue;
      const auto k = static_cast<std::size_t>(out.count++);
      out.points.make_room(k + 1);
      out.points[k] = {B_.X_WS * (p + 0.5 * u * from.n), u, area, -(B_.X_WS.R * from.n)};
      out.area += area, out.volume += area * u;
    }
  }

  const AreaRing &A_, &B_;
  Pose X_BA_;
  Vec3 ex_, ey_, ez_;
};

}  // namespace

void find_ring_pair_area(const AreaRing& A, const AreaRing& B, AreaPatch& out) {
  out.count = 0, out.area = out.volume = 0.0;
  out.has_normals = true;
  RingPair(A, B).integrate(out);
}

Contact ring_pair_distance(const AreaRing& A, const AreaRing& B) {
  const RingPair pair(A, B);
  std::array<double, kMostLooks> looks{};
  const int count = pair.find_looks(looks);
  double best = looks[0];
  for (std::size_t i = 1; i < static_cast<std::size_t>(count); ++i) {
    if (pair.gap(looks[i]) < pair.gap(best)) best = looks[i];
  }
  const Vec3 c = pair.middle(best);
  const FromCircle from = pair.from_b(c);
  Contact out;
  out.phi = from.distance - A.tube - B.tube;
  out.n_AB_W = -(B.X_WS.R * from.n);
  out.p_WCa = B.X_WS * (c - A.tube * from.n);
  out.p_WCb = B.X_WS * (c - (from.distance - B.tube) * from.n);
  out.k1 = 1.0 / A.tube + 1.0 / B.tube, out.k2 = out.k1;
  out.k1_direction_W = any_perpendicular(out.n_AB_W);
  return out;
}

}  // namespace carom
