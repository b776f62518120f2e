#include "carom/geometry/smooth_surface.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numbers>
#include <unordered_map>

#include "carom/geometry/curvature_bounds.h"

namespace carom {

/// Nodes by the numbers of their cells. It stops growing where it has become large.
class CellCache {
 public:
  bool find(const SurfaceCell& cell, CellNode& out) const {
    const std::scoped_lock lock(mutex_);
    const auto known = nodes_.find(key(cell));
    if (known == nodes_.end()) return false;
    out = known->second;
    return true;
  }
  void keep(const CellNode& node) {
    constexpr std::size_t kMost = 20000;
    const std::scoped_lock lock(mutex_);
    if (nodes_.size() < kMost) nodes_.emplace(key(node.cell), node);
  }

 private:
  using Key = std::array<double, 6>;
  struct Hash {
    std::size_t operator()(const Key& k) const {
      std::uint64_t h = 1469598103934665603ull;  // FNV-1a over words
      for (const double x : k) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &x, sizeof bits);
        h = (h ^ bits ^ (bits >> 29)) * 1099511628211ull;
      }
      return static_cast<std::size_t>(h ^ (h >> 32));
    }
  };
  static Key key(const SurfaceCell& c) {
    return {c.s[0].lo, c.s[0].hi, c.s[1].lo, c.s[1].hi, c.s[2].lo, c.s[2].hi};
  }
  mutable std::mutex mutex_;
  std::unordered_map<Key, CellNode, Hash> nodes_;
};

SmoothSurface::SmoothSurface() : cache_(std::make_unique<CellCache>()) {}
SmoothSurface::~SmoothSurface() = default;

CellNode SmoothSurface::find_node(const SurfaceCell& cell) const {
  CellNode node;
  if (cache_->find(cell, node)) return node;
  node = make_node(cell);
  cache_->keep(node);
  return node;
}

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

Eigenvalues eigenvalues(const Sym3& a) {
  const double mean = trace(a) / 3.0;
  const double xx = a.xx - mean, yy = a.yy - mean, zz = a.zz - mean;
  const double p2 =
      (xx * xx + yy * yy + zz * zz + 2.0 * (a.xy * a.xy + a.xz * a.xz + a.yz * a.yz)) / 6.0;
  const double p = std::sqrt(p2);
  if (!(p > 0.0)) return {mean, mean, mean};
  const double det = xx * (yy * zz - a.yz * a.yz) - a.xy * (a.xy * zz - a.yz * a.xz) +
                     a.xz * (a.xy * a.yz - yy * a.xz);
  const double angle = std::acos(std::clamp(0.5 * det / (p * p2), -1.0, 1.0)) / 3.0;
  const double large = mean + 2.0 * p * std::cos(angle);
  const double small = mean + 2.0 * p * std::cos(angle + 2.0 * std::numbers::pi / 3.0);
  return {large, 3.0 * mean - large - small, small};
}

Mat3 turn_between(const Vec3& from, const Vec3& to) {
  const Mat3 v = Mat3::cross_matrix(cross(from, to));
  return Mat3{} + v + (1.0 / (1.0 + dot(from, to))) * (v * v);
}

CurvatureRange SmoothSurface::curvature(const CellNode& node) const {
  constexpr double kWide = 0.6, kReserve = 1.5;
  CurvatureRange out = bound_curvature(node.bounds, {node.shape.axis, node.shape.angle});
  if (std::isfinite(out.off) || node.shape.angle > kWide) return out;
  const SurfaceCell& cell = node.cell;
  const bool is_flat = node.bounds.has_parameters;
  const auto turned = [&](const SurfacePoint& at) {
    return rotated(turn_between(at.n, node.shape.axis), at.K);
  };
  out.middle = turned(at(cell.middle()));
  double off = 0.0;
  const auto place = [](const Interval& s, int i) {
    return i == 0 ? s.lo : i == 1 ? s.middle() : s.hi;
  };
  // Of two parameters corners and middles of edges; of three the corners.
  for (int i = 0; i < 27; ++i) {
    const int a = i % 3, b = i / 3 % 3, c = i / 9;
    if (is_flat ? c > 0 : a == 1 || b == 1 || c == 1) continue;
    const Vec3 s{place(cell.s[0], a), place(cell.s[1], b), place(cell.s[2], c)};
    const Sym3 d = turned(at(s)) - out.middle;
    off = std::max(off, d.xx * d.xx + d.yy * d.yy + d.zz * d.zz +
                            2.0 * (d.xy * d.xy + d.xz * d.xz + d.yz * d.yz));
  }
  off = kReserve * std::sqrt(off);
  if (std::isfinite(off) && std::isfinite(trace(out.middle))) out.off = off;
  return out;
}

CellNode SmoothSurface::make_node(const SurfaceCell& cell) const {
  constexpr double kNarrow = 1.2;
  CellNode node;
  node.cell = cell;
  node.bounds = bounds(cell);
  if (node.bounds.is_empty) return node;
  const IntervalVector& p = node.bounds.p;
  const Vec3 half{0.5 * p[0].width(), 0.5 * p[1].width(), 0.5 * p[2].width()};
  const NormalCone cone = normal_cone(node.bounds);
  node.shape.centre = {p[0].middle(), p[1].middle(), p[2].middle()};
  node.shape.radius = norm(half);
  node.shape.axis = cone.axis, node.shape.angle = cone.angle;
  node.shape.cosine = std::cos(cone.angle), node.shape.sine = std::sin(cone.angle);
  if (node.bounds.has_parameters && cone.angle < kNarrow) {
    // About a point of the surface, beside whose tangent plane the others are not far.
    const Vec3 middle = at(cell.middle()).p;
    node.shape.radius += norm(middle - node.shape.centre);
    node.shape.centre = middle;
    node.shape.is_on_surface = true;
  }
  node.shape.curvature = curvature(node);
  const Eigenvalues k = eigenvalues(node.shape.curvature.middle);
  node.shape.low = k.small, node.shape.high = k.large;
  return node;
}

std::string SmoothSurface::make_tree(const SurfaceCell& whole, double cone) {
  constexpr std::size_t kMostNodes = 3000;
  tree_.clear();
  tree_.push_back(make_node(whole));
  if (tree_[0].bounds.is_empty) return "there is nothing of it in its domain";
  // Breadth first, so that the finest cells are of one size where there are too many.
  for (std::size_t i = 0; i < tree_.size() && tree_.size() < kMostNodes; ++i) {
    if (normal_cone(tree_[i].bounds).angle < cone) continue;
    const auto first = static_cast<std::uint32_t>(tree_.size());
    for (const SurfaceCell& part : split(tree_[i].cell)) {
      CellNode node = make_node(part);
      if (!node.bounds.is_empty) tree_.push_back(node);
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
