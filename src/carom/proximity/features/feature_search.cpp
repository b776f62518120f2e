#include "carom/proximity/features/feature_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/patience.h"
#include "carom/proximity/search/cell_tree.h"
#include "carom/proximity/thin_out.h"

namespace carom {
namespace {

constexpr std::size_t kMostCells = 4000, kMostKept = 400, kMostVisits = 200000;

enum class Verdict { drop, split, unique };

class Search {
 public:
  Search(const SmoothSurface& surface, const FeatureBody& body, double margin, double deepest,
         std::vector<FeatureMinimum>& out)
      : surface_(surface),
        body_(body),
        b_(body.features),
        X_BA_(inverse(body.X_AB)),
        tree_(surface),
        // Distances are asked of the core, which lies deeper by the rounding.
        range_(-deepest + b_.rounding, margin + b_.rounding),
        reach_(std::max(range_.hi, -range_.lo)),
        out_(out) {}

  void run() {
    visit(0, b_.names());
    if (out_.empty()) out_.swap(lines_);
    thin_out(out_, [](const FeatureMinimum& m) { return m.at.p; });
    std::ranges::sort(out_, comes_before, [](const FeatureMinimum& m) { return m.state; });
  }

 private:
  /// A cell in the axes of the body.
  struct Seen {
    Vec3 centre, axis;
    const CellShape& shape;
    Interval D;
  };

  void visit(std::uint32_t index, const std::vector<FeatureName>& features) {
    if (++visits_ > kMostVisits || (visits_ % 256 == 0 && Patience::is_over())) return;
    const CellNode& node = tree_.node(index);
    const Seen seen{X_BA_ * node.shape.centre, X_BA_.R * node.shape.axis, node.shape, range_};
    std::vector<FeatureName> left;
    for (const FeatureName& f : features) {
      Interval D = range_;
      if (!may_touch(seen, f, D)) continue;
      const Verdict verdict = judge(node, seen, f, D);
      if (verdict == Verdict::drop) continue;
      if (verdict == Verdict::unique && take(node, seen, f)) continue;
      left.push_back(f);
    }
    if (left.empty()) return;
    const bool is_leaf = node.count == 0;
    const bool is_enough = tree_.grown() > kMostCells || out_.size() >= kMostKept;
    if (is_leaf && (is_enough || is_end(node))) {
      for (const FeatureName& f : left) take(node, seen, f, true);
      return;
    }
    const CellTree::Children parts = tree_.children(index);
    if (parts.is_whole) {
      for (const FeatureName& f : left) take(node, seen, f, true);
    }
    for (std::uint32_t k = 0; k < parts.count; ++k) visit(parts.first + k, left);
  }

  /// Too small to hold a minimum and a saddle that could be told apart: along a ridge on which a
  /// face lies every cell ends here.
  bool is_end(const CellNode& node) const {
    constexpr double kOfBody = 0.02, kNarrow = 0.05;
    const CellShape& s = node.shape;
    return tree_.is_small(node.cell) || (s.angle < kNarrow && s.radius < kOfBody * b_.size);
  }

  /// Bounds D, the distance of a minimum in the cell from the core.
  bool may_touch(const Seen& cell, const FeatureName& f, Interval& D) const {
    constexpr double kWide = 1.1;
    const CellShape& s = cell.shape;
    if (distance_from(b_, f, cell.centre) > s.radius + reach_) return false;
    if (s.angle > kWide) return true;
    if (!may_face(b_, f, cell.axis, s.sine + 1e-12)) return false;
    // y is the point of the feature nearest to p, and d the way to it from the centre: for other p
    // of the cell that differs by `off` at most.
    const Vec3 d = nearest_on(b_, f, cell.centre) - cell.centre;
    double off = s.radius;
    if (f.kind == FeatureKind::rim || f.kind == FeatureKind::side) {
      const double rho = std::hypot(cell.centre.y, cell.centre.z), least = rho - s.radius;
      const double r = std::max(b_.discs[0].r, b_.discs[1].r);
      if (!(least > 0.1 * r)) return true;  // too near the axis to tell which way
      off *= 1.0 + std::max(1.0, r / least);
    }
    const double along = dot(cell.axis, d), length = norm(d);
    const double low = std::max(0.0, length - off), high = length + off;
    D = intersect(D, along > off    ? Interval(low, high)
                     : along < -off ? Interval(-high, -low)
                                    : Interval(-high, high));
    if (D.is_empty()) return false;
    const double beside = off + D.magnitude() * s.angle;
    return norm2(d) - along * along <= beside * beside;
  }

  /// S over the cell. Directions on the feature are those of its point nearest to the cell.
  Verdict judge(const CellNode& node, const Seen& cell, const FeatureName& f,
                const Interval& D) const {
    const CellShape& s = cell.shape;
    if (!std::isfinite(s.curvature.off)) return Verdict::split;
    const double high = s.high + s.curvature.off, low = s.low - s.curvature.off;
    const auto least_of = [&](double k) { return 1.0 + std::min(D.lo * k, D.hi * k); };
    const auto most_of = [&](double k) { return 1.0 + std::max(D.lo * k, D.hi * k); };
    if (most_of(high) < 0.0 && most_of(s.high - s.curvature.off) < 0.0) return Verdict::drop;
    if (!(least_of(high) > 0.0 && least_of(low) > 0.0)) return Verdict::split;
    const int k = dimension(f.kind);
    if (k == 0) return Verdict::unique;
    // A = K (1 + D K)⁻¹ about the middle of D, and how far the others are from it.
    const double most = std::max(std::abs(high / least_of(high)), std::abs(low / least_of(low)));
    const double factor = 1.0 / std::min({1.0, least_of(high), least_of(low)});
    const Sym3 J = Sym3{1.0, 1.0, 1.0, 0.0, 0.0, 0.0} + D.middle() * s.curvature.middle;
    const Sym3 A =
        rotated(X_BA_.R, symmetric_part(to_mat3(inverse(J)) * to_mat3(s.curvature.middle)));
    const Vec3 y = nearest_on(b_, f, cell.centre + D.middle() * cell.axis);
    const FeatureFrame frame = frame_at(b_, f, y, cell.axis);
    // How far other places of the cell look from here, and other normals.
    double turned = 0.0;
    if (frame.radius > 0.0) {
      turned = (s.radius + D.magnitude() * s.angle) / frame.radius;
      if (turned > 0.5) return Verdict::split;
    }
    const double tilt = s.angle * s.angle + 2.0 * turned;
    const double off = factor * factor * s.curvature.off + 0.5 * D.width() * most * most +
                       2.0 * tilt * most +
                       (frame.radius > 0.0 ? (s.angle + 2.0 * turned) / frame.radius : 0.0);
    const Vec3 t1 = frame.t[0] - dot(frame.t[0], cell.axis) * cell.axis;
    const Vec3 t2 = frame.t[1] - dot(frame.t[1], cell.axis) * cell.axis;
    const double xx = dot(t1, A * t1) + frame.along;
    double least = xx;
    if (k == 2) {
      const double xy = dot(t1, A * t2), yy = dot(t2, A * t2);
      least = 0.5 * (xx + yy) - std::hypot(0.5 * (xx - yy), xy);
    }
    if (least < -off) return Verdict::drop;
    if (least > off) return Verdict::unique;
    // Cells over which nothing bends (a flat part of a surface) are not worth splitting.
    const bool is_flat = high - low == 0.0 && most == 0.0 && frame.radius == 0.0;
    return is_flat && node.count == 0 ? Verdict::drop : Verdict::split;
  }

  /// The minimum to which Newton's method leads from the middle of a cell; false where that is far
  /// from it, and nothing is known of its own.
  bool take(const CellNode& node, const Seen& cell, const FeatureName& f, bool is_last = false) {
    constexpr double kSame = 1e-7, kNear = 3.0, kLine = 1e-7;
    FeatureMinimum m;
    const Vec3 from = node.cell.middle();
    if (!find_on_feature(surface_, body_, f, from, cell.centre, m)) {
      if (!is_last || !find_by_turns(surface_, body_, f, from, cell.centre, m)) return false;
    }
    const bool is_near = norm(m.at.p - node.shape.centre) <= kNear * node.shape.radius;
    if (!surface_.holds(m.state) || !is_minimum(body_, m)) return is_near;
    const double D = m.phi + b_.rounding;
    if (D > range_.hi || D < range_.lo) return is_near;
    // Along a line of equal distance its ends are told, which are features, too; where it has none
    // (a ring that lies on a face), points of it.
    const bool is_line = m.stiff < kLine && f.kind != FeatureKind::rim;
    std::vector<FeatureMinimum>& kept = is_line ? lines_ : out_;
    const double same = kSame * std::min(surface_.size(), b_.size);
    const auto is_same = [&](const FeatureMinimum& o) {
      return norm(o.at.p - m.at.p) <= same && norm(o.y - m.y) <= same;
    };
    if (kept.size() < kMostKept && std::ranges::none_of(kept, is_same)) kept.push_back(m);
    return is_near;
  }

  const SmoothSurface& surface_;
  const FeatureBody& body_;
  const BodyFeatures& b_;
  Pose X_BA_;
  CellTree tree_;
  Interval range_;
  double reach_;
  std::vector<FeatureMinimum>& out_;
  std::vector<FeatureMinimum> lines_;
  std::size_t visits_ = 0;
};

}  // namespace

void find_minima(const SmoothSurface& surface, const FeatureBody& body, double margin,
                 double deepest, std::vector<FeatureMinimum>& out) {
  out.clear();
  Search(surface, body, margin, deepest, out).run();
}

}  // namespace carom
