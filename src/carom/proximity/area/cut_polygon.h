// A triangle that is cut by planes.
#pragma once

#include <algorithm>
#include <array>

#include "carom/math/vec3.h"

namespace carom {

/// A polygon that stays convex while it is cut.
class CutPolygon {
 public:
  explicit CutPolygon(const std::array<Vec3, 3>& corners) : count_(3) {
    std::ranges::copy(corners, points_.begin());
  }
  /// Leaves what is on n.x <= offset; what lies in that plane with all of it only if it may.
  void cut(const Vec3& n, double offset, bool may_lie_in = true) {
    std::array<Vec3, kMost> kept;
    std::size_t out = 0;
    bool lies_in = true;
    for (std::size_t i = 0; i < count_; ++i) {
      const Vec3 &p = points_[i], &q = points_[i + 1 < count_ ? i + 1 : 0];
      const double a = offset - dot(n, p), b = offset - dot(n, q);
      lies_in = lies_in && a == 0.0;
      if (a >= 0.0 && out < kMost) kept[out++] = p;
      if ((a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0)) {
        if (out < kMost) kept[out++] = p + (a / (a - b)) * (q - p);
      }
    }
    points_ = kept, count_ = out < 3 || (lies_in && !may_lie_in) ? 0 : out;
  }
  std::size_t count() const { return count_; }
  const Vec3& operator[](std::size_t i) const { return points_[i]; }

 private:
  static constexpr std::size_t kMost = 64;
  std::array<Vec3, kMost> points_;
  std::size_t count_;
};

}  // namespace carom
