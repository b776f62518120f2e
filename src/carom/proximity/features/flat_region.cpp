// Where outlines meet: sides and arcs with sides and arcs.
#include "carom/proximity/features/flat_region.h"

namespace carom {
namespace {

/// Roots of k0 + k1 cos(t) + k2 sin(t).
void cut_arc(double k0, double k1, double k2, double t0, double t1, Cuts& cuts) {
  const double size = std::hypot(k1, k2);
  if (!(std::abs(k0) < size)) return;
  const double middle = std::atan2(k2, k1), half = std::acos(-k0 / size);
  for (const double root : {middle - half, middle + half}) {
    const double turn = 2.0 * std::numbers::pi;
    const double t = root + turn * std::ceil((t0 - root) / turn);
    if (t > t0 && t < t1) cuts.add(t);
  }
}

/// A root of f between l and r, where it changes its sign, by false position; the value of an end
/// that stays is halved (Illinois).
template <class F>
double find_root(const F& f, double l, double r) {
  double fl = f(l), fr = f(r), m = l;
  int stays = 0;
  for (int i = 0; i < 60; ++i) {
    const double last = m;
    m = l + (r - l) * (fl / (fl - fr));
    const double fm = f(m);
    if (fm == 0.0 || std::abs(m - last) < 1e-16) break;
    if ((fm < 0.0) == (fl < 0.0)) {
      l = m, fl = fm;
      if (stays == -1) fr *= 0.5;
      stays = -1;
    } else {
      r = m, fr = fm;
      if (stays == 1) fl *= 0.5;
      stays = 1;
    }
  }
  return m;
}

/// Where an arc of one ellipse meets another: |w(t)|² = 1 with w as in (1), in whose unit circle
/// the other ellipse is. Four parts, in each of which there is at most one extremum.
void cut_arc_by_round(const Region& a, const Region& b, double t0, double t1, Cuts& cuts) {
  const Vec2 c = b.to_unit(a.c - b.c), u = b.to_unit(a.u), v = b.to_unit(a.v);
  const auto at = [&](double t) { return c + std::cos(t) * u + std::sin(t) * v; };
  const auto f = [&](double t) {
    const Vec2 w = at(t);
    return dot(w, w) - 1.0;
  };
  const auto slope = [&](double t) { return dot(at(t), std::cos(t) * v - std::sin(t) * u); };
  // No place of the arc is farther from its middle than this.
  const double reach = 0.5 * (t1 - t0) * (norm(u) + norm(v));
  if (std::abs(norm(at(0.5 * (t0 + t1))) - 1.0) > reach) return;
  constexpr int kParts = 4;
  for (int k = 0; k < kParts; ++k) {
    const double l = t0 + (t1 - t0) * k / kParts, r = t0 + (t1 - t0) * (k + 1) / kParts;
    const bool below = f(l) < 0.0;
    if (below != (f(r) < 0.0)) {
      cuts.add(find_root(f, l, r));
      continue;
    }
    const bool turns = (slope(l) < 0.0) != (slope(r) < 0.0) && (slope(l) < 0.0) != below;
    if (!turns) continue;
    const double top = find_root(slope, l, r);
    if ((f(top) < 0.0) == below) continue;
    cuts.add(find_root(f, l, top));
    cuts.add(find_root(f, top, r));
  }
}

}  // namespace

Cuts cuts_of(const Region& a, int i, const Region& b) {
  Cuts cuts;
  const double t0 = a.first(i), t1 = a.last(i);
  cuts.add(t0);
  if (!b.is_round) {
    for (int j = 0; j < 4; ++j) {
      const Vec2 d = b.side(j);
      if (a.is_round) {
        cut_arc(cross(d, a.c - b.from(j)), cross(d, a.u), cross(d, a.v), t0, t1, cuts);
        continue;
      }
      const double f0 = cross(d, a.from(i) - b.from(j)), f1 = cross(d, a.from(i + 1) - b.from(j));
      if ((f0 < 0.0) != (f1 < 0.0)) cuts.add(f0 / (f0 - f1));
    }
  } else if (a.is_round) {
    cut_arc_by_round(a, b, t0, t1, cuts);
  } else {
    const Vec2 p = b.to_unit(a.from(i) - b.c), d = b.to_unit(a.side(i));
    const double k = dot(d, d), h = dot(p, d), rest = h * h - k * (dot(p, p) - 1.0);
    if (rest > 0.0) {
      for (const double root : {-h - std::sqrt(rest), -h + std::sqrt(rest)}) {
        if (root > 0.0 && root < k) cuts.add(root / k);
      }
    }
  }
  cuts.add(t1);
  std::sort(cuts.t.begin(), cuts.t.begin() + static_cast<std::ptrdiff_t>(cuts.count));
  return cuts;
}

}  // namespace carom
