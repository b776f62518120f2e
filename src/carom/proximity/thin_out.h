// Where the minima of a gap are a line, points well apart stand for it.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "carom/math/vec3.h"

namespace carom {

/// No more minima than this are told of one pair: where there are more, the bodies conform, and
/// points well apart stand for the line along which they do.
inline constexpr std::size_t kMostMinima = 16;

/// The deepest, and then each the farthest from those before; `point(m)` is where m is.
template <class Minimum, class Point>
void thin_out(std::vector<Minimum>& all, Point&& point) {
  if (all.size() <= kMostMinima) return;
  std::ranges::sort(all, {}, [](const Minimum& m) { return m.phi; });
  std::vector<double> apart(all.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 1; i < kMostMinima; ++i) {
    for (std::size_t k = i; k < all.size(); ++k) {
      apart[k] = std::min(apart[k], norm(point(all[k]) - point(all[i - 1])));
    }
    const auto farthest = static_cast<std::size_t>(
        std::max_element(apart.begin() + static_cast<std::ptrdiff_t>(i), apart.end()) -
        apart.begin());
    std::swap(all[i], all[farthest]), std::swap(apart[i], apart[farthest]);
  }
  all.resize(kMostMinima);
}

/// One order of states, so that the answer does not depend on how it was found.
inline bool comes_before(const Vec3& a, const Vec3& b) {
  if (a.x != b.x) return a.x < b.x;
  return a.y != b.y ? a.y < b.y : a.z < b.z;
}

}  // namespace carom
