#include "carom/proximity/triangles/near_filter.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::triangles {
namespace {

using Corners = std::array<Vec3, 3>;

Corners corners_of(const PlacedSurface& s, std::uint32_t triangle) {
  const Triangle& t = s.surface->triangles[triangle];
  return {s.vertex(t[0]), s.vertex(t[1]), s.vertex(t[2])};
}

/// Whether all corners of x are farther than `margin` from the plane of t, on one side of it.
bool is_beside(const Corners& t, const Corners& x, double margin) {
  constexpr double kRoom = 1.0 + 1e-6;  // for rounding, of triangles that are no needles
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
  const double a = dot(n, x[0] - t[0]), b = dot(n, x[1] - t[0]), c = dot(n, x[2] - t[0]);
  const double far = kRoom * margin * norm(n);
  return std::min({a, b, c}) > far || std::max({a, b, c}) < -far;
}

/// Whether x lies beyond one of the edges of t by more than `margin`, seen along t's normal.
bool is_beyond_edge(const Corners& t, const Corners& x, double margin) {
  constexpr double kRoom = 1.0 + 1e-6;
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 out = cross(t[(k + 1) % 3] - t[k], n);
    const double a = dot(out, x[0] - t[k]), b = dot(out, x[1] - t[k]), c = dot(out, x[2] - t[k]);
    if (std::min({a, b, c}) > kRoom * margin * norm(out)) return true;
  }
  return false;
}

/// Of a needle the plane is rounding; that of a triangle 1e-4 as wide as long is known to 1e-12.
bool has_plane(const Corners& t) {
  constexpr double kNeedle = 1e-4;
  const Vec3 u = t[1] - t[0], v = t[2] - t[0];
  const double longest2 = std::max({norm2(u), norm2(v), norm2(v - u)});
  return norm(cross(u, v)) > kNeedle * longest2;
}

}  // namespace

void drop_far_pairs(const PlacedPair& placed, double margin, std::vector<ItemPair>& pairs) {
  if (!(margin > 0.0)) return;
  std::uint32_t last = kNoIndex;
  Corners b{};
  std::erase_if(pairs, [&](const ItemPair& pair) {
    if (pair.b != last) b = corners_of(placed.b, last = pair.b);
    const Corners a = corners_of(placed.a, pair.a);
    const auto is_apart = [&](const Corners& t, const Corners& x) {
      return has_plane(t) && (is_beside(t, x, margin) || is_beyond_edge(t, x, margin));
    };
    return is_apart(a, b) || is_apart(b, a);
  });
}

}  // namespace carom::triangles
