#include "carom/proximity/triangles/near_filter.h"

#include <algorithm>
#include <cmath>

namespace carom::triangles {
namespace {

constexpr double kRoom = 1.0 + 1e-6;  ///< for rounding, of triangles that are no needles

struct Face {
  Vec3 p[3];
  Vec3 n;        ///< twice the area long
  double twice;  ///< its length [m²]

  Face() = default;
  Face(const PlacedSurface& s, std::uint32_t triangle) {
    const Triangle& t = s.surface->triangles[triangle];
    for (std::size_t k = 0; k < 3; ++k) p[k] = s.vertex(t[k]);
    n = s.is_moved ? cross(p[1] - p[0], p[2] - p[0]) : s.surface->planes[triangle].n;
    twice = norm(n);
  }
};

/// Of three numbers: all larger than `far`, or all below -far.
bool are_beyond(double a, double b, double c, double far) {
  return (a > far && b > far && c > far) || (a < -far && b < -far && c < -far);
}

/// Whether all corners of x are farther than `margin` from the plane of t, on one side of it.
bool is_beside(const Face& t, const Face& x, double margin) {
  return are_beyond(dot(t.n, x.p[0] - t.p[0]), dot(t.n, x.p[1] - t.p[0]), dot(t.n, x.p[2] - t.p[0]),
                    kRoom * margin * t.twice);
}

/// Whether x lies beyond one of the edges of t by more than `margin`, seen along t's normal.
bool is_beyond_edge(const Face& t, const Face& x, double margin) {
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 edge = t.p[(k + 1) % 3] - t.p[k], out = cross(edge, t.n);
    const double far = kRoom * margin * norm(edge) * t.twice;  // they are perpendicular
    if (dot(out, x.p[0] - t.p[k]) > far && dot(out, x.p[1] - t.p[k]) > far &&
        dot(out, x.p[2] - t.p[k]) > far) {
      return true;
    }
  }
  return false;
}

/// Of a needle the plane is rounding; that of a triangle 1e-4 as wide as long is known to 1e-12.
bool has_plane(const Face& t) {
  constexpr double kNeedle = 1e-4;
  const double longest2 =
      std::max({norm2(t.p[1] - t.p[0]), norm2(t.p[2] - t.p[1]), norm2(t.p[0] - t.p[2])});
  return t.twice > kNeedle * longest2;
}

}  // namespace

void drop_far_pairs(const PlacedPair& placed, double margin, std::vector<ItemPair>& pairs) {
  std::sort(pairs.begin(), pairs.end(), [](const ItemPair& x, const ItemPair& y) {
    return x.b != y.b ? x.b < y.b : x.a < y.a;
  });
  if (!(margin > 0.0)) return;
  std::uint32_t last = kNoIndex;
  Face b;
  std::erase_if(pairs, [&](const ItemPair& pair) {
    if (pair.b != last) b = Face(placed.b, last = pair.b);
    const Face a(placed.a, pair.a);
    const auto is_apart = [&](const Face& t, const Face& x) {
      return (is_beside(t, x, margin) || is_beyond_edge(t, x, margin)) && has_plane(t);
    };
    return is_apart(a, b) || is_apart(b, a);
  });
}

}  // namespace carom::triangles
