#include "carom/geometry/smooth_surface.h"

#include <cmath>
#include <numbers>

namespace carom {

NormalCone normal_cone(const CellBounds& bounds) {
  const IntervalVector& n = bounds.normal;
  const Vec3 middle{n[0].middle(), n[1].middle(), n[2].middle()};
  const Vec3 half{0.5 * n[0].width(), 0.5 * n[1].width(), 0.5 * n[2].width()};
  const double length = norm(middle), reach = norm(half);
  NormalCone cone;
  cone.angle = std::numbers::pi;
  if (!(length > 0.0) || !std::isfinite(length)) return cone;
  cone.axis = middle / length;
  if (reach < length) cone.angle = std::asin(reach / length) + 1e-12;
  return cone;
}

std::string SmoothSurface::make_tree(const SurfaceCell& whole, double cone) {
  constexpr std::size_t kMostNodes = 3000;
  tree_.clear();
  tree_.push_back({whole, bounds(whole), 0, 0});
  if (tree_[0].bounds.is_empty) return "there is nothing of it in its domain";
  // Breadth first, so that the finest cells are of one size where there are too many.
  for (std::size_t i = 0; i < tree_.size() && tree_.size() < kMostNodes; ++i) {
    if (normal_cone(tree_[i].bounds).angle < cone) continue;
    const auto first = static_cast<std::uint32_t>(tree_.size());
    for (const SurfaceCell& part : split(tree_[i].cell)) {
      const CellBounds b = bounds(part);
      if (!b.is_empty) tree_.push_back({part, b, 0, 0});
    }
    tree_[i].first = first;
    tree_[i].count = static_cast<std::uint32_t>(tree_.size()) - first;
  }
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  box_ = {{kInfinite, kInfinite, kInfinite}, {-kInfinite, -kInfinite, -kInfinite}};
  for (std::size_t i = 0; i < tree_.size(); ++i) {
    if (tree_[i].count > 0) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      box_.lower[k] = std::min(box_.lower[k], tree_[i].bounds.p[k].lo);
      box_.upper[k] = std::max(box_.upper[k], tree_[i].bounds.p[k].hi);
    }
  }
  constexpr double kTooFar = 1e9;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(box_.lower[k] > -kTooFar) || !(box_.upper[k] < kTooFar)) {
      return "it is not bounded in its domain";
    }
  }
  return {};
}

}  // namespace carom
