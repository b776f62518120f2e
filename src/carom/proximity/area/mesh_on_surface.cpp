#include "carom/proximity/area/mesh_on_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/proximity/area/cut_polygon.h"
#include "carom/proximity/area/mesh_nodes.h"

namespace carom {
namespace {

constexpr std::size_t kMostCorners = 24;  // of a cell that is cut
constexpr double kNowhere = std::numeric_limits<double>::infinity();
constexpr double kDeeper = 1.5;  // of what may turn out deeper than was said

/// A place of the mesh, with its depth.
struct DepthNode {
  Vec3 x;
  SurfaceFoot foot;
  bool is_known = false;  ///< it has a foot, on this side of the border of the surface
  double u() const { return -foot.phi; }
};

class MeshOnSurface {
 public:
  MeshOnSurface(const AreaMesh& mesh, const AreaBody& body, double depth, bool is_first,
                AreaPatch& out)
      : mesh_(mesh),
        body_(body),
        surface_(*body.smooth),
        X_BM_(inverse(body.X_WS) * mesh.X_WS),
        depth_(depth),
        sign_(is_first ? -1.0 : 1.0),
        out_(out) {}

  void integrate() {
    if (!mesh_.surface.tree.nodes.empty() && depth_ > 0.0) visit(0, nullptr);
  }

 private:
  void visit(std::int32_t index, const FootScope* above) {
    const Box4Tree& tree = mesh_.surface.tree;
    const Box4Tree::Node& node = tree.nodes[at(index)];
    for (std::size_t k = 0; k < 4; ++k) {
      if (node.child[k] == Box4Tree::kNothing) continue;
      const MeshBox box = child_box(tree, node, k, X_BM_);
      const double r = box.radius();
      if (!is_near(above) && !may_be_inside(box.middle, r)) continue;
      const FootScope scope = look_around(surface_, box.middle, r, above);
      if (scope.least(box.lowest(scope.foot.at.n)) > 0.0) continue;
      if (Box4Tree::is_item(node.child[k])) {
        add_triangle(Box4Tree::item(node.child[k]), scope);
      } else {
        visit(node.child[k], &scope);
      }
    }
  }

  static bool is_near(const FootScope* scope) { return scope && scope->is_near; }

  /// Whether something within r of x may be inside, and no deeper than the contact is.
  bool may_be_inside(const Vec3& x, double r) const {
    const GapRange gap = gap_range(surface_, x);
    return gap.least_within(r) < 0.0 && gap.least < r + kDeeper * depth_;
  }

  void add_triangle(std::uint32_t t, const FootScope& above) {
    const TriangleSurface& s = mesh_.surface;
    std::array<Vec3, 3> v;
    for (std::size_t i = 0; i < 3; ++i) v[i] = X_BM_ * s.vertices[s.triangles[t][i]];
    const Vec3 twice = cross(v[1] - v[0], v[2] - v[0]);
    const double area2 = norm(twice);
    if (!(area2 > 0.0)) return;
    m_ = twice / area2;
    e1_ = normalized(v[1] - v[0]), e2_ = cross(m_, e1_);
    const Vec3 c = (v[0] + v[1] + v[2]) / 3.0;
    const double reach = std::max({norm(v[0] - c), norm(v[1] - c), norm(v[2] - c)});
    // Cells grow as the root of the depth, as areas do: which of them are cut does not change then.
    const double unit = std::sqrt(depth_ * surface_.size());
    const double half = unit * std::exp2(std::ceil(std::log2(reach / unit)));
    cells_ = 0;
    refine(CutPolygon(v), c, half, above);
  }

  /// What of a triangle is in the square about c.
  void refine(const CutPolygon& part, const Vec3& c, double half, const FootScope& above) {
    constexpr int kMostCells = 4000;  // of a triangle; beyond that cells stay coarse
    constexpr double kShare = 0.5, kTurn = 0.3;
    if (part.count() < 3) return;
    Vec3 middle;
    double r = 0.0, slope = kNowhere;
    for (std::size_t i = 0; i < part.count(); ++i) {
      middle += part[i] / static_cast<double>(part.count());
    }
    for (std::size_t i = 0; i < part.count(); ++i) r = std::max(r, norm(part[i] - middle));
    ++cells_;
    if (!above.is_near && !may_be_inside(middle, r)) return;
    FootScope scope = look_around(surface_, middle, r, &above);
    for (std::size_t i = 0; i < part.count(); ++i) {
      slope = std::min(slope, dot(scope.foot.at.n, part[i] - middle));
    }
    if (scope.least(slope) > 0.0) return;
    const double most = std::min(kShare * depth_ / (r * r), kTurn / r);
    if (scope.is_found && scope.sharpest > most) narrow_curvature(surface_, middle, scope);
    if (cells_ >= kMostCells || (scope.is_found && scope.sharpest <= most)) {
      if (scope.is_found) put_cell(part, scope.foot);
      return;
    }
    for (const double x : {-1.0, 1.0}) {
      for (const double y : {-1.0, 1.0}) {
        CutPolygon quarter = part;
        quarter.cut(-x * e1_, -x * dot(e1_, c));
        quarter.cut(-y * e2_, -y * dot(e2_, c));
        refine(quarter, c + 0.5 * half * (x * e1_ + y * e2_), 0.5 * half, scope);
      }
    }
  }

  DepthNode node_at(const Vec3& x, const SurfaceFoot& from) const {
    DepthNode node{x, {}, false};
    node.is_known = settle_foot(surface_, x, from.state, node.foot) && node.foot.is_held;
    return node;
  }

  /// The last place from a to b that has a foot.
  DepthNode border(const DepthNode& a, const DepthNode& b) const {
    constexpr int kHalvings = 40;
    DepthNode known = a;
    double low = 0.0, high = 1.0;
    for (int i = 0; i < kHalvings; ++i) {
      const double t = 0.5 * (low + high);
      const DepthNode half = node_at(a.x + t * (b.x - a.x), a.foot);
      (half.is_known ? low : high) = t;
      if (half.is_known) known = half;
    }
    return known;
  }

  /// Where u is zero between a, which is inside, and b: from the straight line between their depths
  /// by regula falsi. Where a has just come in it is a, whatever is between.
  DepthNode rim(const DepthNode& a, const DepthNode& b) const {
    constexpr int kSteps = 3;
    double low = 0.0, high = 1.0, u_low = a.u(), u_high = b.u();
    DepthNode node = a;
    for (int i = 0; i < kSteps && u_low > 0.0; ++i) {
      const double t = low + (high - low) * u_low / (u_low - u_high);
      node = node_at(a.x + t * (b.x - a.x), a.foot);
      if (!node.is_known) return a;
      if (node.u() > 0.0) {
        low = t, u_low = node.u();
      } else {
        high = t, u_high = node.u();
        if (!(u_high < 0.0)) break;
      }
    }
    return node;
  }

  /// The middle of the rim between two of its points, pushed out to where a parabola through all
  /// three holds as much as the two chords to it.
  DepthNode bulge(const DepthNode& a, const DepthNode& b) const {
    constexpr double kParabola = 4.0 / 3.0, kMost = 0.5;
    const Vec3 chord = b.x - a.x;
    const double length = norm(chord);
    DepthNode node = node_at(0.5 * (a.x + b.x), a.foot);
    if (!node.is_known || !(length > 0.0)) return node;
    const Vec3 out = cross(chord, m_) / length;
    const double slope = std::max(0.0, dot(node.foot.at.n, out)), most = kMost * length;
    const double way = kParabola * node.u();
    const double push = std::abs(way) < most * slope ? way / slope : std::copysign(most, way);
    return node_at(node.x + push * out, node.foot);
  }

  void put_cell(const CutPolygon& part, const SurfaceFoot& hint) {
    std::array<DepthNode, kMostCorners> all, kept;
    std::size_t count = 0;
    for (std::size_t i = 0; i < part.count() && i < kMostCorners; ++i) {
      all[count++] = node_at(part[i], hint);
    }
    count = cut(
        all, count, kept, [](const DepthNode& n) { return n.is_known; },
        [&](const DepthNode& a, const DepthNode& b) { return border(a, b); }, false);
    count = cut(
        kept, count, all, [](const DepthNode& n) { return n.u() > 0.0; },
        [&](const DepthNode& a, const DepthNode& b) { return rim(a, b); }, true);
    for (std::size_t i = 2; i < count; ++i) put_triangle(all[0], all[i - 1], all[i]);
  }

  /// Leaves the part of a polygon that `is_in`; between two places where it was cut a third one, if
  /// it `is_round` there.
  template <class IsIn, class Cut>
  std::size_t cut(const std::array<DepthNode, kMostCorners>& from, std::size_t count,
                  std::array<DepthNode, kMostCorners>& to, IsIn&& is_in, Cut&& between,
                  bool is_round) const {
    std::size_t out = 0, first_in = kMostCorners;
    bool has_left = false;
    const auto put = [&](const DepthNode& node) {
      if (out < kMostCorners) to[out++] = node;
    };
    const auto enter = [&](const DepthNode& node) {
      if (is_round && has_left && out > 0) put(bulge(to[out - 1], node));
      put(node);
    };
    for (std::size_t i = 0; i < count; ++i) {
      const DepthNode &a = from[i], &b = from[i + 1 < count ? i + 1 : 0];
      const bool in_a = is_in(a), in_b = is_in(b);
      if (in_a) put(a);
      if (in_a && !in_b) put(between(a, b)), has_left = true;
      if (!in_a && in_b) {
        if (!has_left) first_in = out;
        enter(between(b, a));
        has_left = false;
      }
    }
    // What was left before the first corner is entered after the last.
    if (is_round && has_left && first_in == 0 && out > 1) put(bulge(to[out - 1], to[0]));
    return out;
  }

  void put_triangle(const DepthNode& a, const DepthNode& b, const DepthNode& c) {
    const double area = 0.5 * dot(cross(b.x - a.x, c.x - a.x), m_);
    if (!(area > 0.0)) return;
    const Vec3 sixth = (a.x + b.x + c.x) / 6.0;
    for (const DepthNode* corner : {&a, &b, &c}) {
      const DepthNode node = node_at(sixth + 0.5 * corner->x, corner->foot);
      if (node.is_known) put_point(node, area / 3.0);
    }
  }

  void put_point(const DepthNode& node, double area) {
    const Vec3& n = node.foot.at.n;
    const double facing = -dot(n, m_);
    const double across = area * (mesh_.surface.is_closed ? facing : std::abs(facing));
    if (!(node.u() > 0.0) || !(across > 0.0)) return;
    const auto i = at(out_.count++);
    out_.points.make_room(i + 1);
    out_.points[i] = {body_.X_WS * (node.x + 0.5 * node.u() * n), node.u(), across,
                      sign_ * (body_.X_WS.R * n)};
    out_.area += across, out_.volume += across * node.u();
  }

  const AreaMesh& mesh_;
  const AreaBody& body_;
  const SmoothSurface& surface_;
  Pose X_BM_;
  double depth_, sign_;
  AreaPatch& out_;
  Vec3 m_, e1_, e2_;
  int cells_ = 0;
};

}  // namespace

void find_mesh_area_on_surface(const AreaMesh& mesh, const AreaBody& body, double depth,
                               bool is_first, AreaPatch& out) {
  out.count = 0, out.area = out.volume = 0.0;
  out.has_normals = true;
  MeshOnSurface(mesh, body, depth, is_first, out).integrate();
}

}  // namespace carom
