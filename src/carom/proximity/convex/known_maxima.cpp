#include "carom/proximity/convex/known_maxima.h"

#include <algorithm>

namespace carom {
namespace {

// Of a support mapping of which nothing else is known.
constexpr double kUsualTurn = 0.1;

double turn_scale(const Minkowski& M, const ActiveSet& s, const Vec3& n) {
  double scale = 1e300;
  bool a = false, b = false;
  for (int i = 0; i < s.count; ++i) a |= s.piece[i].moves_a, b |= s.piece[i].moves_b;
  if (a) scale = M.kind_a->turn_scale ? M.kind_a->turn_scale(*M.A, n) : kUsualTurn;
  if (b) {
    const Vec3 n_B = -transpose_times(M.R, n);
    scale = std::min(scale, M.kind_b->turn_scale ? M.kind_b->turn_scale(*M.B, n_B) : kUsualTurn);
  }
  return scale;
}

/// The pieces of a maximum in its tangent plane.
struct Tangential {
  double x[3], y[3];
  double hxx = 0.0, hxy = 0.0, hyy = 0.0;
};

Tangential tangential(const Optimum& o) {
  const Vec3 e1 = any_perpendicular(o.n), e2 = cross(o.n, e1);
  Tangential t;
  for (int i = 0; i < o.set.count; ++i) {
    const ActivePiece& p = o.set.piece[i];
    t.x[i] = dot(e1, p.w), t.y[i] = dot(e2, p.w);
    t.hxx += p.weight * (p.radii_a.xx + p.radii_b.xx);
    t.hxy += p.weight * (p.radii_a.xy + p.radii_b.xy);
    t.hyy += p.weight * (p.radii_a.yy + p.radii_b.yy);
  }
  return t;
}

double cap_of_one(const Tangential& t, double F, double scale) {
  const double mean = 0.5 * (t.hxx + t.hyy), half = 0.5 * (t.hxx - t.hyy);
  const double least = mean - std::sqrt(half * half + t.hxy * t.hxy);
  return scale * (least / F - 1.0);
}

/// Along u the points push: m |x| with m the smaller of the two. Across, the curvature hvv
/// holds. A part eta of the push pays for what H couples between the two.
double cap_of_two(const Tangential& t, const ActiveSet& s, double F, double scale) {
  const double ux = t.x[0] - t.x[1], uy = t.y[0] - t.y[1], length = std::sqrt(ux * ux + uy * uy);
  if (!(length > 0.0)) return 0.0;
  const double x = ux / length, y = uy / length;
  const double hux = t.hxx * x + t.hxy * y, huy = t.hxy * x + t.hyy * y;
  const double huv = std::abs(-y * hux + x * huy);
  const double hvv = y * (t.hxx * y - t.hxy * x) - x * (t.hxy * y - t.hyy * x);
  if (!(hvv > F)) return 0.0;
  const double eta = 0.5 * (1.0 - F / hvv);
  const double push = length * std::min(s.piece[0].weight, s.piece[1].weight);
  return std::min(scale * (hvv * (1.0 - eta) / F - 1.0), eta * push / (0.5 * F + huv));
}

double cap_of_three(const Tangential& t, double F) {
  double least = 1e300;
  const double area = (t.x[1] - t.x[0]) * (t.y[2] - t.y[0]) - (t.y[1] - t.y[0]) * (t.x[2] - t.x[0]);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const double ex = t.x[j] - t.x[i], ey = t.y[j] - t.y[i];
    const double inside = (ey * t.x[i] - ex * t.y[i]) * (area > 0.0 ? 1.0 : -1.0);
    least = std::min(least, inside / std::sqrt(ex * ex + ey * ey));
  }
  return 2.0 * least / F;
}

double angle_between(const Vec3& a, const Vec3& unit) {
  return std::atan2(norm(cross(a, unit)), dot(a, unit));
}

}  // namespace

double cap_radius(const Minkowski& M, const Optimum& o) {
  const double inner = M.inner_a + M.inner_b, F = std::max(-o.phi, 0.0) + inner;
  if (!(F > 0.0)) return 0.0;
  if (o.face_a || o.face_b) return 2.0 * o.margin / F;
  const Tangential t = tangential(o);
  if (o.set.count == 3) return std::max(cap_of_three(t, F), 0.0);
  const double scale = turn_scale(M, o.set, o.n);
  if (scale == 1e300) return 0.0;
  return std::max(o.set.count == 2 ? cap_of_two(t, o.set, F, scale) : cap_of_one(t, F, scale), 0.0);
}

void KnownMaxima::add(const Minkowski& M, const Optimum& o) {
  const double radius = cap_radius(M, o);
  const double cosine = 1.0 / std::sqrt(1.0 + radius * radius);
  int at = 0;
  while (at < caps_ && norm2(cap_[at].n - o.n) > 1e-12) ++at;
  if (at == kMaxCaps) {
    at = 0;
    for (int i = 1; i < caps_; ++i) {
      if (cap_[i].cosine > cap_[at].cosine) at = i;
    }
  } else if (at == caps_) {
    cap_[caps_++] = {o.n, 2.0};
  }
  if (cosine < cap_[at].cosine) cap_[at] = {o.n, cosine};
}

void KnownMaxima::add(const Band& band) {
  if (bands_ < kMaxBands) band_[bands_++] = band;
}

bool KnownMaxima::cover(const Vec3* n, int count) const {
  for (int i = 0; i < caps_; ++i) {
    int inside = 0;
    while (inside < count && dot(n[inside], cap_[i].n) >= cap_[i].cosine * norm(n[inside])) {
      ++inside;
    }
    if (inside == count) return true;
  }
  for (int i = 0; i < bands_; ++i) {
    int inside = 0;
    while (inside < count &&
           std::abs(angle_between(n[inside], band_[i].axis) - band_[i].angle) <= band_[i].tilt) {
      ++inside;
    }
    if (inside == count) return true;
  }
  return false;
}

}  // namespace carom
