#include "carom/proximity/smooth/smooth_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/patience.h"
#include "carom/geometry/core_kinds.h"
#include "carom/proximity/search/cell_tree.h"
#include "carom/proximity/smooth/gap_convexity.h"

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

using Verdict = CellVerdict;

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
      : surface_(surface), body_(body), margin_(margin), tree_(surface) {
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
    const CellNode& node = tree_.node(index);
    const Verdict verdict = judge_cell(node);
    if (verdict == Verdict::drop) return;
    if (verdict == Verdict::unique && (is_told(node) || take(node.cell, out) || is_told(node))) {
      return;
    }
    const auto is_enough = [&] { return tree_.grown() > kMostCells || Patience::is_over(); };
    if (node.count == 0 && (tree_.is_small(node.cell) || is_enough())) {
      take(node.cell, out);
      return;
    }
    const CellTree::Children parts = tree_.children(index);
    if (parts.is_whole) take(node.cell, out, true);
    for (std::uint32_t i = 0; i < parts.count; ++i) visit(parts.first + i, out);
  }

  /// Whether a stationary point that is known is the only one of a cell and the way to it.
  bool is_told(const CellNode& node) const {
    constexpr double kNear = 4.0;
    for (const SmoothMinimum& m : known_) {
      if (norm(m.at.p - node.shape.centre) > kNear * node.shape.radius) continue;
      SurfaceCell wider = node.cell;
      bool is_in = true;
      for (std::size_t i = 0; i < 3; ++i) {
        is_in = is_in && wider.s[i].contains(m.state[i]);
        wider.s[i] = hull(wider.s[i], Interval(m.state[i]));
      }
      if (is_in || judge_cell(surface_.make_node(wider)) == Verdict::unique) return true;
    }
    return false;
  }

  Verdict judge_cell(const CellNode& node) const {
    return body_.core.kind == &core_point ? judge_ball(node) : judge_body(node);
  }

  /// The centre is seen along a normal; |c - p|²/2 has a Hessian of its own.
  Verdict judge_ball(const CellNode& node) const {
    const CellBounds& b = node.bounds;
    const IntervalVector w{Interval(centre_.x) - b.p[0], Interval(centre_.y) - b.p[1],
                           Interval(centre_.z) - b.p[2]};
    const double length = least_length(w), inside = deepest_ - least_radius_;
    if (length > std::max(most_radius_ + margin_, inside)) return Verdict::drop;
    if (dot(w, b.normal).hi < 0.0 && length > inside) return Verdict::drop;
    if (!may_be_parallel(w, b.normal)) return Verdict::drop;
    if (!b.has_parameters) return judge_curved(node, centre_ - node.shape.centre, 0.0);
    const IntervalVector &u = b.first[0], &v = b.first[1];
    if (!may_be_zero(dot(w, u)) || !may_be_zero(dot(w, v))) return Verdict::drop;
    return judge(dot(u, u) - dot(w, b.second[0]), dot(u, v) - dot(w, b.second[1]),
                 dot(v, v) - dot(w, b.second[2]));
  }

  /// Of any other body the points farthest against the normals of the cell are in a box.
  Verdict judge_body(const CellNode& node) const {
    constexpr double kWide = 1.0;
    const CellShape& s = node.shape;
    if (s.angle > kWide) return Verdict::split;
    const Pose& X = body_.X_AB;
    const IntervalVector y_B = bound_points(body_, {s.axis, s.angle});
    const Vec3 half{0.5 * y_B[0].width(), 0.5 * y_B[1].width(), 0.5 * y_B[2].width()};
    const Vec3 y = X * Vec3{y_B[0].middle(), y_B[1].middle(), y_B[2].middle()};
    const double reach = norm(half), most = std::max(margin_, deepest_);
    const Vec3 d = y - s.centre;
    const double along = dot(s.axis, d), beside2 = norm2(d) - along * along, r = s.radius + reach;
    if (norm2(d) > (most + r) * (most + r)) return Verdict::drop;
    // At a minimum the way between the two is along a normal of the cone.
    const double away = r + std::min(most, std::abs(along) / s.cosine + r) * s.sine;
    if (beside2 > away * away) return Verdict::drop;
    IntervalVector w;
    for (std::size_t i = 0; i < 3; ++i) {
      const double off = std::abs(X.R(i, 0)) * half.x + std::abs(X.R(i, 1)) * half.y +
                         std::abs(X.R(i, 2)) * half.z;
      w[i] = Interval(y[i] - off, y[i] + off) - node.bounds.p[i];
    }
    if (least_length(w) > most || !may_be_parallel(w, node.bounds.normal)) return Verdict::drop;
    return judge_curved(node, d, reach);
  }

  /// By second derivatives; d leads from the middle of the cell to the point of the body for the
  /// axis of the cone, which for other normals is within `reach` of that. Of a ball d leads to its
  /// centre.
  Verdict judge_curved(const CellNode& node, const Vec3& d, double reach) const {
    const CellShape& s = node.shape;
    if (!std::isfinite(s.curvature.off)) return Verdict::split;
    const double along = dot(s.axis, d),
                 beside = std::sqrt(std::max(0.0, norm2(d) - along * along));
    // n.(y - p) of other places of the cell, with other normals.
    const double off = s.radius + s.sine * (beside + s.radius + 2.0 * reach) +
                       (1.0 - s.cosine) * (std::abs(along) + s.radius + reach);
    return judge_gap(s, body_, along, off);
  }

  /// The minimum to which Newton's method leads from the middle of a cell, wherever it is; whether
  /// it lies in the cell. At a pole cells meet that are far from each other by their states
  /// (`is_pole`).
  bool take(const SurfaceCell& cell, std::vector<SmoothMinimum>& out, bool is_pole = false) {
    constexpr double kBeside = 0.01;
    SmoothMinimum m;
    if (!find_minimum(surface_, body_, cell.middle(), m)) return false;
    keep(m, out);
    for (std::size_t i = 0; i < 3 && !is_pole; ++i) {
      const double beside = kBeside * cell.s[i].width();
      if (m.state[i] < cell.s[i].lo - beside || m.state[i] > cell.s[i].hi + beside) return false;
    }
    return true;
  }

  void keep(const SmoothMinimum& m, std::vector<SmoothMinimum>& out) {
    constexpr double kSame = 1e-7;
    const double same = kSame * surface_.size();
    const auto is_same = [&](const SmoothMinimum& o) { return norm(o.at.p - m.at.p) <= same; };
    if (known_.size() >= kMostKept || std::ranges::any_of(known_, is_same)) return;
    known_.push_back(m);
    if (surface_.holds(m.state) && m.phi <= margin_ && !is_too_deep(m)) out.push_back(m);
  }

  bool is_too_deep(const SmoothMinimum& m) const { return m.phi < -deepest_; }

  const SmoothSurface& surface_;
  const ConvexBody& body_;
  double margin_;
  Vec3 centre_;
  double most_radius_ = 0.0, least_radius_ = 0.0, deepest_ = 0.0;
  CellTree tree_;
  std::vector<SmoothMinimum> known_;  ///< all that Newton's method has led to
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
