// The triangle of a mesh that is nearest to a smooth surface, or deepest in it. Balls around boxes
// of the tree and around parts of a triangle are left out by the distance D of their middles less
// their radii; on parts that are small against the curvature of the surface D is minimised by
// Newton's method, over the whole triangle:
//
//   grad D = n,   D'' = K (1 + D K)^-1                                                  (1)
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/proximity/area/mesh_nodes.h"
#include "carom/proximity/area/mesh_on_surface.h"

namespace carom {
namespace {

using Corners = std::array<Vec3, 3>;
constexpr double kNowhere = std::numeric_limits<double>::infinity();

/// The least value of g.d + 1/2 d.A d for d from y to a place of a triangle.
class ModelMinimum {
 public:
  ModelMinimum(const Corners& v, const Vec3& y, const SurfaceFoot& foot) : y_(y), g_(foot.at.n) {
    const Vec3 e1 = any_perpendicular(g_), e2 = cross(g_, e1), k1 = foot.at.K * e1;
    const double xx = dot(e1, k1), xy = dot(e2, k1), yy = dot(e2, foot.at.K * e2);
    const double a = 1.0 + foot.phi * xx, b = foot.phi * xy, c = 1.0 + foot.phi * yy;
    const double det = a * c - b * b;
    A_ = {e1, e2, (c * xx - b * xy) / det, (c * xy - b * yy) / det, (a * yy - b * xy) / det};
    if (ask_inside(v)) return;
    for (std::size_t i = 0; i < 3; ++i) ask_edge(v[i], v[(i + 1) % 3]);
  }
  Vec3 step;
  double value = 0.0;

 private:
  struct Bend {
    Vec3 e1, e2;
    double xx, xy, yy;
    double form(const Vec3& p, const Vec3& q) const {
      const double p1 = dot(e1, p), p2 = dot(e2, p), q1 = dot(e1, q), q2 = dot(e2, q);
      return xx * p1 * q1 + xy * (p1 * q2 + p2 * q1) + yy * p2 * q2;
    }
  };
  void offer(const Vec3& d) {
    const double m = dot(g_, d) + 0.5 * A_.form(d, d);
    if (m < value) value = m, step = d;
  }
  bool ask_inside(const Corners& v) {
    const Vec3 m = cross(v[1] - v[0], v[2] - v[0]);
    const Vec3 f1 = normalized(v[1] - v[0]), f2 = normalized(cross(m, f1));
    const double xx = A_.form(f1, f1), xy = A_.form(f1, f2), yy = A_.form(f2, f2);
    const double det = xx * yy - xy * xy, p = -dot(g_, f1), q = -dot(g_, f2);
    if (!(xx + yy > 0.0) || !(det > 0.0)) return false;
    const Vec3 d = ((yy * p - xy * q) / det) * f1 + ((xx * q - xy * p) / det) * f2;
    for (std::size_t i = 0; i < 3; ++i) {
      if (dot(cross(v[(i + 1) % 3] - v[i], y_ + d - v[i]), m) < 0.0) return false;
    }
    offer(d);
    return true;
  }
  void ask_edge(const Vec3& a, const Vec3& b) {
    const Vec3 from = a - y_, along = b - a;
    const double slope = dot(g_, along) + A_.form(from, along), bend = A_.form(along, along);
    offer(from), offer(from + along);
    if (bend > 0.0) offer(from + std::clamp(-slope / bend, 0.0, 1.0) * along);
  }

  Vec3 y_, g_;
  Bend A_{};
};

struct MeshFoot {
  SurfaceFoot foot;
  Vec3 y;  ///< of the mesh
  std::uint32_t triangle = 0;
  bool is_known = false;
};

class MeshSurfaceGap {
 public:
  MeshSurfaceGap(const AreaMesh& mesh, const SmoothSurface& surface, const Pose& X_BM)
      : mesh_(mesh.surface), surface_(surface), X_BM_(X_BM) {}

  MeshFoot best;
  double phi() const { return best.is_known ? best.foot.phi : kNowhere; }

  void start_from(const DistanceCache& memory) {
    const std::uint32_t t = memory.piece[0][0];
    if (memory.count == 0 || t >= mesh_.triangles.size()) return;
    SurfaceFoot foot;
    const Vec3 y = X_BM_ * memory.state_b;
    if (settle_foot(surface_, y, memory.state, foot) && foot.is_held) polish(t, y, foot);
  }

  void visit(std::int32_t index, const FootScope* above) {
    struct Child {
      double least = kNowhere;
      std::int32_t child = Box4Tree::kNothing;
      FootScope scope;
    };
    const Box4Tree::Node& node = mesh_.tree.nodes[at(index)];
    std::array<Child, 4> children;
    for (std::size_t k = 0; k < 4; ++k) {
      if (node.child[k] == Box4Tree::kNothing) continue;
      const MeshBox box = child_box(mesh_.tree, node, k, X_BM_);
      const double r = box.radius();
      if (!may_be_less(box.middle, r, above)) continue;
      Child& child = children[k];
      child.child = node.child[k];
      child.scope = look_around(surface_, box.middle, r, above);
      child.least = child.scope.least(box.lowest(child.scope.foot.at.n));
    }
    std::ranges::sort(children, {}, &Child::least);
    for (const Child& c : children) {
      if (c.child == Box4Tree::kNothing || !(c.least < phi())) continue;
      if (Box4Tree::is_item(c.child)) {
        parts_ = 0;
        ask_part(Box4Tree::item(c.child), corners(Box4Tree::item(c.child)), c.scope);
      } else {
        visit(c.child, &c.scope);
      }
    }
  }

 private:
  Corners corners(std::uint32_t t) const {
    Corners v;
    for (std::size_t i = 0; i < 3; ++i) v[i] = X_BM_ * mesh_.vertices[mesh_.triangles[t][i]];
    return v;
  }

  /// By the leaves of the surface alone, where a foot would have to be searched for.
  bool may_be_less(const Vec3& x, double r, const FootScope* above) const {
    return (above && above->is_near) || gap_range(surface_, x).least_within(r) < phi();
  }

  void ask_part(std::uint32_t t, const Corners& v, const FootScope& above) {
    constexpr int kMostParts = 2000;
    constexpr double kTurn = 0.3;
    const Vec3 c = (v[0] + v[1] + v[2]) / 3.0;
    const double r = std::max({norm(v[0] - c), norm(v[1] - c), norm(v[2] - c)});
    if (!(r > 0.0) || !may_be_less(c, r, &above)) return;
    const FootScope scope = look_around(surface_, c, r, &above);
    const Vec3& n = scope.foot.at.n;
    const double slope = std::min({dot(n, v[0] - c), dot(n, v[1] - c), dot(n, v[2] - c)});
    if (!(scope.least(slope) < phi())) return;
    if (++parts_ >= kMostParts || scope.sharpest * r <= kTurn) return polish_from(t, v, c, scope);
    const Vec3 ab = 0.5 * (v[0] + v[1]), bc = 0.5 * (v[1] + v[2]), ca = 0.5 * (v[2] + v[0]);
    for (const Corners& part :
         {Corners{ab, bc, ca}, {v[0], ab, ca}, {v[1], bc, ab}, {v[2], ca, bc}}) {
      ask_part(t, part, scope);
    }
  }

  /// From the middle of a part; where that is beyond the border, from its corners.
  void polish_from(std::uint32_t t, const Corners& v, const Vec3& c, const FootScope& scope) {
    if (scope.is_found && scope.foot.is_held) return polish(t, c, scope.foot);
    for (const Vec3& corner : v) {
      SurfaceFoot other;
      if (find_nearest_foot(surface_, corner, other) && other.is_held) {
        polish(t, corner, other);
      }
    }
  }

  /// Downhill from y, which has a foot, to a minimum of D over the triangle.
  void polish(std::uint32_t t, Vec3 y, SurfaceFoot foot) {
    constexpr int kMostSteps = 30, kHalvings = 12;
    constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
    const Corners v = corners(t);
    for (int i = 0; i < kMostSteps; ++i) {
      const ModelMinimum model(v, y, foot);
      const double rounding = kRounding * (surface_.size() + norm(y));
      if (!(model.value < -rounding)) break;
      double share = 1.0;
      SurfaceFoot next;
      bool is_lower = false;
      for (int k = 0; k < kHalvings && !is_lower; ++k) {
        if (k > 0) share *= 0.5;
        is_lower = settle_foot(surface_, y + share * model.step, foot.state, next) &&
                   next.is_held && next.phi < foot.phi;
      }
      if (!is_lower) break;
      y += share * model.step, foot = next;
    }
    if (foot.phi < phi()) best = {foot, y, t, true};
  }

  const TriangleSurface& mesh_;
  const SmoothSurface& surface_;
  Pose X_BM_;
  int parts_ = 0;
};

}  // namespace

Contact mesh_surface_distance(const AreaMesh& mesh, const AreaBody& body, bool is_first,
                              const DistanceCache& memory, DistanceCache* keep) {
  const Pose X_BM = inverse(body.X_WS) * mesh.X_WS;
  Contact out;
  if (!is_finite(X_BM.p)) {
    out.status = Status::recoverable;
    return out;
  }
  MeshSurfaceGap gap(mesh, *body.smooth, X_BM);
  gap.start_from(memory);
  if (!mesh.surface.tree.nodes.empty()) gap.visit(0, nullptr);
  const MeshFoot& best = gap.best;
  // Where nothing of the mesh has a foot, the surface has ended before it.
  out.phi = best.is_known ? best.foot.phi : body.smooth->size();
  const Vec3 n_W = best.is_known ? body.X_WS.R * best.foot.at.n : Vec3{0.0, 0.0, 1.0};
  const Vec3 on_mesh = best.is_known ? body.X_WS * best.y : mesh.X_WS.p;
  const Vec3 on_body = on_mesh - out.phi * n_W;
  out.n_AB_W = is_first ? -n_W : n_W;
  out.p_WCa = is_first ? on_mesh : on_body, out.p_WCb = is_first ? on_body : on_mesh;
  out.k1_direction_W = any_perpendicular(out.n_AB_W);
  if (keep && best.is_known) {
    *keep = {};
    keep->count = 1;
    keep->piece[0][0] = best.triangle;
    keep->state = best.foot.state, keep->state_b = inverse(X_BM) * best.y;
  }
  return out;
}

}  // namespace carom
