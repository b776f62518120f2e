#include "carom/proximity/smooth/two_surface_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/base/patience.h"
#include "carom/proximity/search/cell_tree.h"

namespace carom {
namespace {

constexpr double kRounding = 1e-14;
constexpr std::size_t kMostCells = 4000, kMostKept = 64, kMostPairs = 400000;

enum class Verdict { drop, split, unique };

/// Of S over two cells: at a contact its eigenvalues are those of the sum below, but for δ, and a
/// zero along the normal.
Verdict judge(const Sym3& sum, double off) {
  const Eigenvalues e = eigenvalues(sum);
  if (e.small < -off) return Verdict::drop;
  return e.middle > off ? Verdict::unique : Verdict::split;
}

/// K (1 + phi K)⁻¹ of all K of a cell and all phi.
struct Behind {
  Sym3 K;
  double off = std::numeric_limits<double>::infinity();
};
Behind behind(const CellShape& cell, const Interval& phi) {
  const CurvatureRange& K = cell.curvature;
  const double high = cell.high + K.off, low = cell.low - K.off;
  const auto least = [&](double k) { return 1.0 + std::min(phi.lo * k, phi.hi * k); };
  if (!(least(high) > 0.0 && least(low) > 0.0)) return {};
  const double most = std::max(std::abs(high / least(high)), std::abs(low / least(low)));
  const double f = 1.0 / std::min({1.0, least(high), least(low)}), at = phi.middle();
  const Sym3 J = Sym3{1.0, 1.0, 1.0, 0.0, 0.0, 0.0} + at * K.middle;
  return {symmetric_part(to_mat3(inverse(J)) * to_mat3(K.middle)),
          f * f * K.off + 0.5 * phi.width() * most * most};
}

/// How deep a surface may be in another one for a minimum to be looked for: half its least radius
/// of curvature. Deeper, it would soon be taken for one that has come from the other side.
constexpr double kOfRadius = 0.5;
double deepest_in(const CellShape& cell) {
  const double sharp = cell.high - cell.curvature.off;
  return sharp > 0.0 ? kOfRadius / sharp : std::numeric_limits<double>::infinity();
}
bool is_too_deep(const SurfacePoint& at, double phi) {
  return phi < 0.0 && phi * eigenvalues(at.K).large < -kOfRadius;
}

/// The shape of a cell in the axes of A.
CellShape moved(const Pose& X, const CellShape& s) {
  CellShape out = s;
  out.centre = X * s.centre, out.axis = X.R * s.axis;
  return out;
}

class Search {
 public:
  Search(const TwoSurfaces& two, double margin, double deepest, std::vector<SurfaceMinimum>& out)
      : two_(two), margin_(margin), deepest_(deepest), a_(two.a), b_(two.b), out_(out) {}

  void run() { visit(0, 0); }

 private:
  void visit(std::uint32_t i, std::uint32_t j) {
    if (++pairs_ > kMostPairs || (pairs_ % 1024 == 0 && Patience::is_over())) return;
    const CellNode &A = a_.node(i), &B = b_.node(j);
    const CellShape shape_b = moved(two_.X_AB, B.shape);
    Interval phi(0.0);
    if (!may_touch(A.shape, shape_b, phi)) return;
    const bool is_leaf_a = A.count == 0, is_leaf_b = B.count == 0;
    const Verdict verdict = judge_pair(A.shape, B.shape, phi);
    if (verdict == Verdict::drop) return;
    if (verdict == Verdict::unique && take(A, B)) return;
    if (is_leaf_a && is_leaf_b) {
      const bool is_end_a = a_.is_small(A.cell), is_end_b = b_.is_small(B.cell);
      const bool is_enough = a_.grown() + b_.grown() > kMostCells || out_.size() >= kMostKept;
      if (is_enough || (is_end_a && is_end_b)) {
        take(A, B);
        return;
      }
      return split(i, j, is_end_b || (!is_end_a && A.shape.radius >= B.shape.radius));
    }
    split(i, j, is_leaf_b || (!is_leaf_a && A.shape.radius >= B.shape.radius));
  }

  void split(std::uint32_t i, std::uint32_t j, bool is_a) {
    const CellTree::Children parts = is_a ? a_.children(i) : b_.children(j);
    if (parts.is_whole) take(a_.node(i), b_.node(j));
    for (std::uint32_t k = 0; k < parts.count; ++k) {
      is_a ? visit(parts.first + k, j) : visit(i, parts.first + k);
    }
  }

  bool may_touch(const CellShape& A, const CellShape& B, Interval& phi) const {
    const Vec3 d = B.centre - A.centre;
    const double r = A.radius + B.radius, length2 = norm2(d);
    const double most = r + std::max(margin_, deepest_);
    if (length2 > most * most) return false;
    const double opposed = -dot(A.axis, B.axis);
    if (A.angle + B.angle < std::numbers::pi &&
        opposed < A.cosine * B.cosine - A.sine * B.sine - kRounding) {
      return false;
    }
    phi = {-std::min({deepest_, deepest_in(A), deepest_in(B)}), margin_};
    const double along_a = height(A, 1.0) + height(B, opposed),
                 along_b = height(A, opposed) + height(B, 1.0);
    return is_along(d, A.axis, A, r, along_a, phi) && is_along(d, -B.axis, B, r, along_b, phi);
  }

  /// How far points of a cell are from its centre along a direction, by the cosine of its angle
  /// with the axis: the way to them is nowhere steeper than that and the cone.
  static double height(const CellShape& cell, double c) {
    if (!cell.is_on_surface || cell.angle > 0.5 || c < 0.8) return cell.radius;
    const double steep = cell.sine * c + cell.cosine * std::sqrt(std::max(0.0, 1.0 - c * c));
    return std::min(cell.radius, cell.radius * steep / cell.cosine);
  }

  /// Whether d may be phi along a normal of the cone, but for r and, along the axis, h; bounds phi.
  static bool is_along(const Vec3& d, const Vec3& axis, const CellShape& cone, double r, double h,
                       Interval& phi) {
    if (cone.angle > 1.2) return true;
    const double f = dot(axis, d), low = f - h, high = f + h, most = 1.0 / cone.cosine;
    phi = intersect(phi, {low < 0.0 ? most * low : low, high > 0.0 ? most * high : high});
    if (phi.is_empty()) return false;
    const double beside = r + phi.magnitude() * cone.angle;
    return norm2(d) - f * f <= beside * beside;
  }

  Verdict judge_pair(const CellShape& A, const CellShape& B, const Interval& phi) const {
    if (!std::isfinite(A.curvature.off + B.curvature.off)) return Verdict::split;
    const Behind behind_a = behind(A, phi);
    // At a contact normals are opposite: the curvatures of B are turned with its axis to that of A.
    // Ways round by other normals of the cells differ by a turn about n of half the squared angle.
    const double cone = A.angle + B.angle;
    const double off =
        behind_a.off + B.curvature.off + cone * cone * std::max(std::abs(B.low), std::abs(B.high));
    if (!std::isfinite(off)) return Verdict::split;
    const Mat3 turn = turn_between(two_.X_AB.R * B.axis, -A.axis);
    return judge(behind_a.K + rotated(turn * two_.X_AB.R, B.curvature.middle), off);
  }

  /// The minimum to which Newton's method leads from the middles of two cells; false where that is
  /// far from them, and nothing is known of theirs.
  bool take(const CellNode& A, const CellNode& B) {
    constexpr double kSame = 1e-7, kNear = 3.0;
    SurfaceMinimum m;
    if (!find_minimum(two_, A.cell.middle(), B.cell.middle(), m)) return false;
    const bool is_near = norm(m.at_a.p - A.shape.centre) <= kNear * A.shape.radius &&
                         norm(m.at_b.p - two_.X_AB * B.shape.centre) <= kNear * B.shape.radius;
    if (!two_.a.holds(m.state_a) || !two_.b.holds(m.state_b)) return is_near;
    if (!(m.phi <= margin_) || m.phi < -deepest_) return is_near;
    if (is_too_deep(m.at_a, m.phi) || is_too_deep(m.at_b, m.phi)) return is_near;
    const double same = kSame * std::min(two_.a.size(), two_.b.size());
    const auto is_same = [&](const SurfaceMinimum& o) {
      return norm(o.at_a.p - m.at_a.p) <= same && norm(o.at_b.p - m.at_b.p) <= same;
    };
    if (out_.size() < kMostKept && std::ranges::none_of(out_, is_same)) out_.push_back(m);
    return is_near;
  }

  const TwoSurfaces& two_;
  double margin_, deepest_;
  CellTree a_, b_;
  std::vector<SurfaceMinimum>& out_;
  std::size_t pairs_ = 0;
};

/// A surface over a plane: where its normal points down.
class PlaneSearch {
 public:
  PlaneSearch(const SmoothSurface& surface, const Pose& X_AB, double margin, double deepest,
              std::vector<SurfaceMinimum>& out)
      : two_{surface, plane_surface(), X_AB},
        margin_(margin),
        deepest_(deepest),
        up_(X_AB.R.col(2)),
        tree_(surface),
        out_(out) {}

  void visit(std::uint32_t i) {
    const CellNode& node = tree_.node(i);
    const CellShape& s = node.shape;
    const double height = dot(up_, s.centre - two_.X_AB.p);
    const double deepest = std::min(deepest_, deepest_in(s));
    if (height > s.radius + margin_ || height < -s.radius - deepest) return;
    if (s.angle < std::numbers::pi && dot(up_, s.axis) > -s.cosine + kRounding) return;
    if (node.count == 0) {
      const bool is_known = std::isfinite(s.curvature.off);
      const Verdict verdict =
          is_known ? judge(s.curvature.middle, s.curvature.off) : Verdict::split;
      if (verdict == Verdict::drop) return;
      if (verdict == Verdict::unique && take(node)) return;
      if (tree_.is_small(node.cell) || tree_.grown() > kMostCells || out_.size() >= kMostKept ||
          Patience::is_over()) {
        take(node);
        return;
      }
    }
    const CellTree::Children parts = tree_.children(i);
    if (parts.is_whole) take(node);
    for (std::uint32_t k = 0; k < parts.count; ++k) visit(parts.first + k);
  }

 private:
  bool take(const CellNode& node) {
    constexpr double kSame = 1e-7, kNear = 3.0;
    SurfaceMinimum m;
    const Vec3 below = transpose_times(two_.X_AB.R, node.shape.centre - two_.X_AB.p);
    if (!find_minimum(two_, node.cell.middle(), below, m)) return false;
    const bool is_near = norm(m.at_a.p - node.shape.centre) <= kNear * node.shape.radius;
    if (!two_.a.holds(m.state_a) || !(m.phi <= margin_) || m.phi < -deepest_) return is_near;
    if (is_too_deep(m.at_a, m.phi)) return is_near;
    const double same = kSame * two_.a.size();
    const auto is_same = [&](const SurfaceMinimum& o) { return norm(o.at_a.p - m.at_a.p) <= same; };
    if (out_.size() < kMostKept && std::ranges::none_of(out_, is_same)) out_.push_back(m);
    return is_near;
  }

  TwoSurfaces two_;
  double margin_, deepest_;
  Vec3 up_;
  CellTree tree_;
  std::vector<SurfaceMinimum>& out_;
};

void finish(std::vector<SurfaceMinimum>& out) {
  thin_out(out, [](const SurfaceMinimum& m) { return m.at_a.p; });
  std::ranges::sort(out, [](const SurfaceMinimum& m, const SurfaceMinimum& o) {
    if (comes_before(m.state_a, o.state_a)) return true;
    return !comes_before(o.state_a, m.state_a) && comes_before(m.state_b, o.state_b);
  });
}

}  // namespace

void find_minima(const TwoSurfaces& two, double margin, double deepest,
                 std::vector<SurfaceMinimum>& out) {
  out.clear();
  Search(two, margin, deepest, out).run();
  finish(out);
}

void find_minima_on_plane(const SmoothSurface& surface, const Pose& X_AB, double margin,
                          double deepest, std::vector<SurfaceMinimum>& out) {
  out.clear();
  PlaneSearch(surface, X_AB, margin, deepest, out).visit(0);
  finish(out);
}

}  // namespace carom
