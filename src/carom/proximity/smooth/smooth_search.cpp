#include "carom/proximity/smooth/smooth_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/patience.h"
#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

constexpr std::size_t kMostCells = 4000, kMostKept = 400;

Interval dot(const IntervalVector& a, const IntervalVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
bool may_be_zero(const Interval& x) { return x.lo <= 0.0 && x.hi >= 0.0; }

/// Whether two vectors may be along one line.
bool may_be_parallel(const IntervalVector& a, const IntervalVector& b) {
  return may_be_zero(a[1] * b[2] - a[2] * b[1]) && may_be_zero(a[2] * b[0] - a[0] * b[2]) &&
         may_be_zero(a[0] * b[1] - a[1] * b[0]);
}

double least_length(const IntervalVector& a) {
  const double x = a[0].mignitude(), y = a[1].mignitude(), z = a[2].mignitude();
  return std::sqrt(x * x + y * y + z * z);
}

enum class Verdict { drop, split, unique };

/// Of the symmetric matrix of second derivatives.
Verdict judge(const Interval& uu, const Interval& uv, const Interval& vv) {
  if (uu.hi < 0.0 || vv.hi < 0.0) return Verdict::drop;
  const Interval det = uu * vv - power(uv, 2);
  if (det.hi < 0.0) return Verdict::drop;
  return uu.lo > 0.0 && vv.lo > 0.0 && det.lo > 0.0 ? Verdict::unique : Verdict::split;
}

/// Of the tangent plane: the largest curvature towards the outside, 0 where all bends away [1/m].
double hollow_at(const SurfacePoint& at) {
  const Vec3 e1 = any_perpendicular(at.n), e2 = cross(at.n, e1);
  const Vec3 k1 = at.K * e1, k2 = at.K * e2;
  const double xx = dot(e1, k1), xy = dot(e2, k1), yy = dot(e2, k2);
  const double least = 0.5 * (xx + yy) - std::hypot(0.5 * (xx - yy), xy);
  return std::isfinite(least) ? std::max(0.0, -least) : 0.0;
}

/// Largest and least radius of curvature of a ball or an ellipsoid; of bodies with edges those that
/// are not straight lines, which no hollow holds.
struct BodyRadii {
  double most = 0.0, least = 0.0;
  explicit BodyRadii(const Core& core) {
    const Vec3& a = core.v[0];
    if (core.kind == &core_ellipsoid) {
      const double large = std::max({a.x, a.y, a.z}), small = std::min({a.x, a.y, a.z});
      most = large * large / small, least = small * small / large;
    }
    if (core.kind == &core_cylinder) most = a.y;
    if (core.kind == &core_frustum) most = std::max(a.y, core.v[1].y);
    most += core.rounding, least += core.rounding;
  }
};

class Search {
 public:
  Search(const SmoothSurface& surface, const ConvexBody& body, double margin, double deepest)
      : surface_(surface), body_(body), margin_(margin) {
    centre_ = body.X_AB * body.core.v[0];
    const BodyRadii radii(body.core);
    most_radius_ = radii.most, least_radius_ = radii.least;
    deepest_ = deepest >= 0.0 ? deepest : least_radius_;
  }

  void run(std::vector<SmoothMinimum>& out) {
    out.clear();
    visit(0, out);
    thin_out(out, [](const SmoothMinimum& m) { return m.at.p; });
    std::ranges::sort(out, comes_before, [](const SmoothMinimum& m) { return m.state; });
  }

 private:
  void visit(std::uint32_t index, std::vector<SmoothMinimum>& out) {
    const CellNode& node = surface_.tree()[index];
    const Verdict verdict = judge_cell(node.bounds);
    if (verdict == Verdict::drop) return;
    if (verdict == Verdict::unique && take(node.cell, out)) return;
    if (node.count == 0) return divide(node.cell, out);
    for (std::uint32_t i = 0; i < node.count; ++i) visit(node.first + i, out);
  }

  /// A leaf of the tree, cut further.
  void divide(const SurfaceCell& cell, std::vector<SmoothMinimum>& out) {
    if (is_small(cell) || cells_ > kMostCells || Patience::is_over()) {
      take(cell, out);
      return;
    }
    const std::vector<SurfaceCell> parts = surface_.split(cell);
    if (parts.empty()) take(cell, out, true);
    for (const SurfaceCell& part : parts) {
      ++cells_;
      const CellBounds bounds = surface_.bounds(part);
      if (bounds.is_empty) continue;
      const Verdict verdict = judge_cell(bounds);
      if (verdict == Verdict::drop) continue;
      if (verdict == Verdict::unique && take(part, out)) continue;
      divide(part, out);
    }
  }

  Verdict judge_cell(const CellBounds& b) const {
    return body_.core.kind == &core_point ? judge_ball(b) : judge_body(b);
  }

  /// The centre is seen along a normal; |c - p|²/2 has a Hessian of its own.
  Verdict judge_ball(const CellBounds& b) const {
    const IntervalVector w{Interval(centre_.x) - b.p[0], Interval(centre_.y) - b.p[1],
                           Interval(centre_.z) - b.p[2]};
    const double length = least_length(w), inside = deepest_ - least_radius_;
    if (length > std::max(most_radius_ + margin_, inside)) return Verdict::drop;
    if (dot(w, b.normal).hi < 0.0 && length > inside) return Verdict::drop;
    if (!may_be_parallel(w, b.normal)) return Verdict::drop;
    if (!b.has_parameters) return Verdict::split;
    const IntervalVector &u = b.first[0], &v = b.first[1];
    if (!may_be_zero(dot(w, u)) || !may_be_zero(dot(w, v))) return Verdict::drop;
    return judge(dot(u, u) - dot(w, b.second[0]), dot(u, v) - dot(w, b.second[1]),
                 dot(v, v) - dot(w, b.second[2]));
  }

  /// Of any other body the point farthest against the normals of the cell is known within the
  /// angle of their cone times its largest radius of curvature.
  Verdict judge_body(const CellBounds& b) const {
    const NormalCone cone = normal_cone(b);
    if (cone.angle > 1.0) return Verdict::split;
    const Vec3 y =
        body_.X_AB * surface_point(body_.core, transpose_times(body_.X_AB.R, -cone.axis));
    const double reach = most_radius_ * cone.angle;
    IntervalVector w;
    for (std::size_t i = 0; i < 3; ++i) w[i] = Interval(y[i] - reach, y[i] + reach) - b.p[i];
    if (least_length(w) > std::max(margin_, deepest_)) return Verdict::drop;
    return may_be_parallel(w, b.normal) ? Verdict::split : Verdict::drop;
  }

  bool is_small(const SurfaceCell& cell) const {
    constexpr double kSmall = 1e-4;
    const SurfaceCell& whole = surface_.tree()[0].cell;
    for (std::size_t i = 0; i < 3; ++i) {
      if (cell.s[i].width() > kSmall * whole.s[i].width()) return false;
    }
    return true;
  }

  /// The minimum to which Newton's method leads from the middle of a cell, if it lies in it. At a
  /// pole cells meet that are far from each other by their states (`is_pole`).
  bool take(const SurfaceCell& cell, std::vector<SmoothMinimum>& out, bool is_pole = false) const {
    constexpr double kSame = 1e-7, kBeside = 0.01;
    SmoothMinimum m;
    if (!find_minimum(surface_, body_, cell.middle(), m)) return false;
    for (std::size_t i = 0; i < 3 && !is_pole; ++i) {
      const double beside = kBeside * cell.s[i].width();
      if (m.state[i] < cell.s[i].lo - beside || m.state[i] > cell.s[i].hi + beside) return false;
    }
    if (!surface_.holds(m.state) || !(m.phi <= margin_) || is_too_deep(m)) return true;
    const double same = kSame * surface_.size();
    const auto is_same = [&](const SmoothMinimum& o) { return norm(o.at.p - m.at.p) <= same; };
    if (out.size() < kMostKept && std::ranges::none_of(out, is_same)) out.push_back(m);
    return true;
  }

  bool is_too_deep(const SmoothMinimum& m) const { return m.phi < -deepest_; }

  const SmoothSurface& surface_;
  const ConvexBody& body_;
  double margin_;
  Vec3 centre_;
  double most_radius_ = 0.0, least_radius_ = 0.0, deepest_ = 0.0;
  std::size_t cells_ = 0;
};

}  // namespace

void find_minima(const SmoothSurface& surface, const ConvexBody& body, double margin,
                 std::vector<SmoothMinimum>& out, double deepest) {
  Search(surface, body, margin, deepest).run(out);
}

double calc_conformity(const SmoothSurface& surface, const Core& body) {
  double hollow = 0.0;
  for (const CellNode& node : surface.tree()) {
    if (node.count > 0) continue;
    hollow = std::max(hollow, hollow_at(surface.at(node.cell.middle())));
  }
  return hollow * BodyRadii(body).most;
}

bool find_nearest(const SmoothSurface& surface, const ConvexBody& body, SmoothMinimum& out) {
  const BoundingBox& box = surface.box();
  const Vec3 middle = 0.5 * (box.lower + box.upper);
  const double farthest = norm(body.X_AB.p - middle) + surface.size() + bounding_radius(body.core);
  std::vector<SmoothMinimum> found;
  for (double margin = 0.05 * surface.size(); found.empty(); margin *= 4.0) {
    find_minima(surface, body, std::min(margin, farthest), found);
    if (margin >= farthest) break;
  }
  if (found.empty()) return false;
  out = *std::ranges::min_element(found, {}, [](const SmoothMinimum& m) { return m.phi; });
  return true;
}

}  // namespace carom
