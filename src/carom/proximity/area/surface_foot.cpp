#include "carom/proximity/area/surface_foot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/math/vec3.h"

namespace carom {
namespace {

/// (1); where the matrix is not positive, down the slope.
struct FootStep {
  Vec3 t;
  bool is_minimum = false;
};
FootStep step_of(const SurfacePoint& at, double phi, const Vec3& off) {
  const Vec3 e1 = any_perpendicular(at.n), e2 = cross(at.n, e1);
  const Vec3 k1 = at.K * e1;
  const double a = 1.0 + phi * dot(e1, k1), b = phi * dot(e2, k1),
               c = 1.0 + phi * dot(e2, at.K * e2);
  const double det = a * c - b * b, x = dot(e1, off), y = dot(e2, off);
  if (!(a + c > 0.0) || !(det > 0.0)) return {x * e1 + y * e2, false};
  return {((c * x - b * y) / det) * e1 + ((a * y - b * x) / det) * e2, true};
}

constexpr double kNowhere = std::numeric_limits<double>::infinity(), kSlack = 1e-9;

class NearestFoot {
 public:
  NearestFoot(const SmoothSurface& surface, const Vec3& x) : surface_(surface), x_(x) {}

  void offer(const SurfaceFoot& foot) {
    SurfaceFoot& best = foot.is_held ? held_ : beyond_;
    bool& is_known = foot.is_held ? has_held_ : has_beyond_;
    if (is_known && !(std::abs(foot.phi) < std::abs(best.phi))) return;
    best = foot, is_known = true;
  }

  void visit(std::uint32_t index) {
    const CellNode& node = surface_.tree()[index];
    if (node.count == 0) return ask_leaf(node);
    constexpr std::size_t kMostChildren = 8;
    std::array<Child, kMostChildren> children;
    const auto count = std::min<std::size_t>(node.count, kMostChildren);
    for (std::size_t i = 0; i < count; ++i) {
      const auto child = node.first + static_cast<std::uint32_t>(i);
      const CellNode& part = surface_.tree()[child];
      children[i] = {child, may_hold_foot(part) ? least_of(part) : kNowhere};
    }
    std::sort(children.begin(), children.begin() + static_cast<std::ptrdiff_t>(count),
              [](const Child& a, const Child& b) { return a.least < b.least; });
    for (std::size_t i = 0; i < count; ++i) {
      if (children[i].least < reach()) visit(children[i].index);
    }
  }

  bool take(SurfaceFoot& out) const {
    if (has_held_) out = held_;
    if (!has_held_ && has_beyond_) out = beyond_;
    return has_held_ || has_beyond_;
  }

 private:
  struct Child {
    std::uint32_t index = 0;
    double least = 0.0;
  };
  double least_of(const CellNode& node) const {
    return norm(x_ - node.shape.centre) - node.shape.radius;
  }
  double reach() const { return has_held_ ? std::abs(held_.phi) : kNowhere; }
  /// Whether x may be along a normal of the cell.
  bool may_hold_foot(const CellNode& node) const {
    constexpr double kWide = 1.0;
    const CellShape& s = node.shape;
    const Vec3 off = x_ - s.centre;
    const double way = norm(off);
    if (s.angle > kWide || way <= 1.5 * s.radius) return true;
    return std::acos(std::min(1.0, std::abs(dot(off, s.axis)) / way)) <=
           s.angle + std::asin(s.radius / way) + kSlack;
  }
  /// A leaf around the best foot so far has nothing nearer: where normals hardly differ and the
  /// surface bends little within the distance, feet are single. x has to be as far above its
  /// tangent plane, or it is another sheet.
  bool is_around_best(const CellNode& node) const {
    constexpr double kAlike = 0.5;
    if (!has_held_) return false;
    const CellShape& s = node.shape;
    const double phi = held_.phi, above = dot(s.axis, x_ - s.centre);
    const double sharpest = std::max(std::abs(s.low), std::abs(s.high)) + s.curvature.off;
    return s.angle < kAlike && dot(s.axis, held_.at.n) > 1.0 - kAlike * kAlike &&
           sharpest * std::abs(phi) < kAlike && above * phi >= kAlike * phi * phi;
  }
  void ask_leaf(const CellNode& node) {
    if (is_around_best(node)) return;
    Vec3 state = node.cell.middle();
    if (!node.bounds.has_parameters) state = surface_.moved(state, {});
    SurfaceFoot foot;
    if (settle_foot(surface_, x_, state, foot)) offer(foot);
  }

  const SmoothSurface& surface_;
  Vec3 x_;
  SurfaceFoot held_, beyond_;
  bool has_held_ = false, has_beyond_ = false;
};

constexpr double kFar = std::numeric_limits<double>::infinity();

/// Of the part of the tree below a node; `nearest` is the leaf of `most`.
void narrow(const SmoothSurface& surface, const Vec3& x, std::uint32_t index, GapRange& out,
            std::uint32_t& nearest) {
  const CellNode& node = surface.tree()[index];
  const double way = norm(x - node.shape.centre);
  if (node.count == 0) {
    const double most = node.shape.is_on_surface ? way : way + node.shape.radius;
    if (most < out.most) out.most = most, nearest = index;
    out.least = std::min(out.least, way - node.shape.radius);
    return;
  }
  constexpr std::size_t kMostChildren = 8;
  std::array<std::pair<double, std::uint32_t>, kMostChildren> children;
  const auto count = std::min<std::size_t>(node.count, kMostChildren);
  for (std::size_t i = 0; i < count; ++i) {
    const auto child = node.first + static_cast<std::uint32_t>(i);
    const CellShape& s = surface.tree()[child].shape;
    children[i] = {norm(x - s.centre) - s.radius, child};
  }
  std::sort(children.begin(), children.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    if (children[i].first < out.most) narrow(surface, x, children[i].second, out, nearest);
  }
}

/// Calls `visit` with every leaf whose ball comes within `reach` of x.
template <class Visit>
void visit_leaves(const SmoothSurface& surface, std::uint32_t index, const Vec3& x, double reach,
                  Visit&& visit) {
  const CellNode& node = surface.tree()[index];
  if (norm(x - node.shape.centre) > node.shape.radius + reach) return;
  if (node.count == 0) visit(node);
  for (std::uint32_t i = 0; i < node.count; ++i) {
    visit_leaves(surface, node.first + i, x, reach, visit);
  }
}

}  // namespace

bool settle_foot(const SmoothSurface& surface, const Vec3& x, const Vec3& state, SurfaceFoot& out) {
  constexpr int kMostSteps = 24;
  // The error of a step is the square of it, and that of phi the square of that.
  constexpr double kSettled = 1e-7, kLongest = 0.25;
  const double size = surface.size();
  out.state = state;
  bool is_settled = false;
  for (int i = 0; i < kMostSteps; ++i) {
    out.at = surface.at(out.state);
    if (!is_finite(out.at.p) || !is_finite(out.at.n)) return false;
    const Vec3 off = x - out.at.p;
    out.phi = dot(out.at.n, off);
    FootStep step = step_of(out.at, out.phi, off);
    if (is_settled) {
      out.is_held = surface.holds(out.state);
      return step.is_minimum;
    }
    const double length = norm(step.t);
    if (!std::isfinite(length)) return false;
    if (length > kLongest * size) step.t *= kLongest * size / length;
    is_settled = step.is_minimum && length <= kSettled * size;
    out.state = surface.moved(out.state, step.t);
  }
  return false;
}

bool find_nearest_foot(const SmoothSurface& surface, const Vec3& x, SurfaceFoot& out) {
  NearestFoot search(surface, x);
  search.visit(0);
  return search.take(out);
}

void narrow_curvature(const SmoothSurface& surface, const Vec3& x, FootScope& scope) {
  constexpr double kTurn = 0.5;
  const double way = scope.r + std::abs(scope.foot.phi);
  double most = 0.0;
  visit_leaves(surface, 0, x, scope.r + way, [&](const CellNode& node) {
    const CellShape& s = node.shape;
    const double spread = std::isfinite(s.curvature.off) ? s.curvature.off : 0.0;
    most = std::max(most, std::max(std::abs(s.low), std::abs(s.high)) + spread);
  });
  scope.sharpest = std::min(scope.sharpest, most);
  scope.is_near = scope.sharpest * way <= kTurn;
}

FootScope look_around(const SmoothSurface& surface, const Vec3& x, double r,
                      const FootScope* above) {
  FootScope out;
  out.r = r;
  out.is_found = above && above->is_near ? settle_foot(surface, x, above->foot.state, out.foot)
                                         : find_nearest_foot(surface, x, out.foot);
  if (!out.is_found) return out;
  if (above && above->is_near) {
    out.sharpest = above->sharpest, out.is_near = true;
  } else {
    narrow_curvature(surface, x, out);
  }
  return out;
}

GapRange gap_range(const SmoothSurface& surface, const Vec3& x) {
  GapRange out{kFar, kFar, GapRange::Side::unknown};
  std::uint32_t nearest = 0;
  narrow(surface, x, 0, out, nearest);
  out.least = std::max(0.0, out.least);
  // By the leaf that is nearest: whether x is on one side of all tangent planes in it.
  const CellShape& s = surface.tree()[nearest].shape;
  const Vec3 off = x - s.centre;
  const double along = dot(off, s.axis), beside = norm(off - along * s.axis);
  const double least = std::abs(along) * s.cosine - beside * s.sine - s.radius;
  if (s.angle < 1.0 && least > 0.0) {
    out.side = along > 0.0 ? GapRange::Side::outside : GapRange::Side::inside;
  }
  return out;
}

}  // namespace carom
