#include "carom/geometry/surface_crossing.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom {
namespace {

/// Along each parameter; a prime, so that crossings of symmetric surfaces are not along its lines.
constexpr int kCells = 43;
constexpr std::size_t kMostPairs = 400000;  ///< of triangles that are looked at
constexpr int kMostTries = 2000;            ///< by Newton's method

struct Parameters {
  double s[2];
};
struct GridTriangle {
  int cell[2];
  Parameters corner[3];
  Vec3 p[3];
  double low = 0.0, high = 0.0;  ///< along x [m]
};

std::vector<GridTriangle> make_triangles(const SurfaceGrid& surface) {
  std::vector<Vec3> points;
  std::vector<Parameters> places;
  for (int k = 0; k <= kCells; ++k) {
    for (int i = 0; i <= kCells; ++i) {
      const Parameters at{{surface.range[0].lo + surface.range[0].width() * i / kCells,
                           surface.range[1].lo + surface.range[1].width() * k / kCells}};
      places.push_back(at), points.push_back(surface.at(at.s[0], at.s[1])[0]);
    }
  }
  std::vector<GridTriangle> out;
  for (int k = 0; k < kCells; ++k) {
    for (int i = 0; i < kCells; ++i) {
      const auto index = [&](int a, int b) {
        return static_cast<std::size_t>((k + b) * (kCells + 1) + i + a);
      };
      const std::size_t corners[2][3] = {{index(0, 0), index(1, 0), index(1, 1)},
                                         {index(0, 0), index(1, 1), index(0, 1)}};
      for (const auto& c : corners) {
        GridTriangle t{{i, k}, {}, {}};
        for (std::size_t j = 0; j < 3; ++j) t.corner[j] = places[c[j]], t.p[j] = points[c[j]];
        t.low = std::min({t.p[0].x, t.p[1].x, t.p[2].x});
        t.high = std::max({t.p[0].x, t.p[1].x, t.p[2].x});
        out.push_back(t);
      }
    }
  }
  return out;
}

/// Across a seam, too, and all around a pole cells are at most as far from each other as there.
bool are_neighbours(const SurfaceGrid& surface, const GridTriangle& a, const GridTriangle& b) {
  for (std::size_t k = 0; k < 2; ++k) {
    int apart = std::abs(a.cell[k] - b.cell[k]);
    if (surface.is_periodic[k]) apart = std::min(apart, kCells - apart);
    if (apart > 1) return false;
  }
  return true;
}

/// Whether an edge of `a` passes through `b` well inside both.
bool passes(const GridTriangle& a, const GridTriangle& b) {
  constexpr double kInside = 1e-6;
  const Vec3 n = cross(b.p[1] - b.p[0], b.p[2] - b.p[0]);
  const double n2 = norm2(n);
  if (!(n2 > 0.0)) return false;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &p = a.p[i], d = a.p[(i + 1) % 3] - p;
    const double speed = dot(n, d);
    if (speed == 0.0) continue;
    const double t = dot(n, b.p[0] - p) / speed;
    if (!(t > kInside && t < 1.0 - kInside)) continue;
    const Vec3 x = p + t * d - b.p[0];
    const double v = dot(n, cross(b.p[1] - b.p[0], x)) / n2,
                 w = dot(n, cross(x, b.p[2] - b.p[0])) / n2;
    if (v > kInside && w > kInside && v + w < 1.0 - kInside) return true;
  }
  return false;
}

Parameters middle_of(const GridTriangle& t) {
  Parameters m{};
  for (const Parameters& c : t.corner) {
    for (std::size_t k = 0; k < 2; ++k) m.s[k] += c.s[k] / 3.0;
  }
  return m;
}

/// (1), by least steps: of four parameters three equations leave one free.
std::optional<Vec3> settle(const SurfaceGrid& surface, Parameters a, Parameters b, double size) {
  constexpr int kSteps = 20;
  constexpr double kSame = 1e-9, kCrossed = 1e-2;
  for (int i = 0; i < kSteps; ++i) {
    const auto ra = surface.at(a.s[0], a.s[1]), rb = surface.at(b.s[0], b.s[1]);
    const Vec3 apart = rb[0] - ra[0];
    if (!is_finite(apart)) return {};
    if (norm(apart) <= kSame * size) {
      const Vec3 na = cross(ra[1], ra[2]), nb = cross(rb[1], rb[2]);
      bool is_apart = false;
      for (std::size_t k = 0; k < 2; ++k) {
        const Interval& range = surface.range[k];
        double way = std::abs(a.s[k] - b.s[k]);
        if (surface.is_periodic[k]) way = std::min(way, std::abs(range.width() - way));
        is_apart = is_apart || way > range.width() / kCells;
        const bool is_in = range.contains(a.s[k]) && range.contains(b.s[k]);
        if (!surface.is_periodic[k] && !is_in) return {};
      }
      if (!is_apart || !(norm(cross(na, nb)) > kCrossed * norm(na) * norm(nb))) return {};
      return ra[0];
    }
    // The columns of the slope are r_u, r_v of one and -r_u, -r_v of the other.
    const Sym3 square = outer(ra[1]) + outer(ra[2]) + outer(rb[1]) + outer(rb[2]);
    const Vec3 y = inverse(square) * apart;
    if (!is_finite(y)) return {};
    for (std::size_t k = 0; k < 2; ++k) {
      a.s[k] += dot(ra[k + 1], y), b.s[k] -= dot(rb[k + 1], y);
    }
  }
  return {};
}

}  // namespace

std::optional<Vec3> find_crossing(const SurfaceGrid& surface) {
  std::vector<GridTriangle> all = make_triangles(surface);
  Vec3 low = all[0].p[0], high = low;
  for (const GridTriangle& t : all) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], t.p[0][k]), high[k] = std::max(high[k], t.p[0][k]);
    }
  }
  const double size = norm(high - low);
  std::ranges::sort(all, {}, &GridTriangle::low);
  std::size_t pairs = 0;
  int tries = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size() && all[j].low <= all[i].high; ++j) {
      const auto beside = [&](std::size_t k) {
        const auto [a, b] = std::minmax({all[i].p[0][k], all[i].p[1][k], all[i].p[2][k]});
        const auto [c, d] = std::minmax({all[j].p[0][k], all[j].p[1][k], all[j].p[2][k]});
        return b < c || d < a;
      };
      if (beside(1) || beside(2) || are_neighbours(surface, all[i], all[j])) continue;
      if (++pairs > kMostPairs || tries > kMostTries) return {};
      if (!passes(all[i], all[j]) && !passes(all[j], all[i])) continue;
      ++tries;
      if (auto p = settle(surface, middle_of(all[i]), middle_of(all[j]), size)) return p;
    }
  }
  return {};
}

}  // namespace carom
