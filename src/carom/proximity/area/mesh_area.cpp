#include "carom/proximity/area/mesh_area.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/proximity/area/cut_polygon.h"
#include "carom/proximity/area/inner_depth.h"
#include "carom/proximity/area/mesh_nodes.h"
#include "carom/proximity/area/triangle_rays.h"

namespace carom {
namespace {

class MeshArea {
 public:
  MeshArea(const AreaMesh& mesh, const AreaBody& body, bool is_first, AreaPatch& out)
      : mesh_(mesh),
        body_(body),
        X_BM_(inverse(body.X_WS) * mesh.X_WS),
        sign_(is_first ? -1.0 : 1.0),
        planes_(depth_plane_count(body.core)),
        out_(out) {}

  void integrate() {
    visit_near_triangles(mesh_.surface.tree, body_.core, X_BM_, 0.0,
                         [&](std::uint32_t t) { add_triangle(t); });
  }

 private:
  void add_triangle(std::uint32_t t) {
    const TriangleSurface& s = mesh_.surface;
    std::array<Vec3, 3> v;
    for (std::size_t i = 0; i < 3; ++i) v[i] = X_BM_ * s.vertices[s.triangles[t][i]];
    const Vec3 twice = cross(v[1] - v[0], v[2] - v[0]);
    const double area2 = norm(twice);
    if (!(area2 > 0.0)) return;
    m_ = twice / area2;
    if (planes_ > 0) return add_flat(v);
    const auto put = [&](const Vec3& p, double area) { put_point(p, area); };
    if (std::ranges::all_of(v, [&](const Vec3& p) { return inner_depth(body_.core, p).u > 0.0; }) &&
        !may_have_kinks(v)) {
      return put_whole(v, 0.5 * area2);
    }
    integrate_triangle_rays(body_.core, v, m_, is_small(v), put);
  }

  /// Between its ends and its side, the depth in a cylinder or cone has a kink. Where an end is
  /// nearest is convex: a triangle is there with all of it, or it has to be looked at.
  bool may_have_kinks(const std::array<Vec3, 3>& v) const {
    if (!has_depth_kinks(body_.core)) return false;
    const Vec3 n = inner_depth(body_.core, v[0]).n;
    return std::abs(n.x) != 1.0 || inner_depth(body_.core, v[1]).n.x != n.x ||
           inner_depth(body_.core, v[2]).n.x != n.x;
  }

  /// Against the body, whatever the pose.
  bool is_small(const std::array<Vec3, 3>& v) const {
    constexpr double kSmall = 0.1;
    return std::max({norm2(v[1] - v[0]), norm2(v[2] - v[1]), norm2(v[0] - v[2])}) <
           kSmall * kSmall * body_.reach * body_.reach;
  }

  /// Degree 2 of small triangles, 5 of those that are large against the body [Radon 1948].
  void put_whole(const std::array<Vec3, 3>& v, double area) {
    if (is_small(v)) return put_three(v, area);
    const Vec3 c = (v[0] + v[1] + v[2]) / 3.0;
    const double root = std::sqrt(15.0);
    put_point(c, 0.225 * area);
    for (const double sign : {-1.0, 1.0}) {
      const double a = (6.0 + sign * root) / 21.0, w = (155.0 + sign * root) / 1200.0;
      for (const Vec3& p : v) put_point(3.0 * a * c + (1.0 - 3.0 * a) * p, w * area);
    }
  }
  void put_three(const std::array<Vec3, 3>& v, double area) {
    const Vec3 sixth = (v[0] + v[1] + v[2]) / 6.0;
    for (const Vec3& p : v) put_point(sixth + 0.5 * p, area / 3.0);
  }

  /// Faces that are nearest nowhere on the triangle are left out of the rest.
  void add_flat(const std::array<Vec3, 3>& v) {
    if (planes_ == 1) {
      const DepthPlane plane = depth_plane(body_.core, 0);
      CutPolygon part(v);
      part.cut(plane.n, plane.offset);
      return put_polygon(part, plane);
    }
    double bound = std::numeric_limits<double>::infinity();
    for (int i = 0; i < planes_; ++i) bound = std::min(bound, range_of(i, v).most);
    if (!(bound > 0.0)) return;
    std::size_t count = 0;
    for (int i = 0; i < planes_; ++i) {
      if (range_of(i, v).least > bound) continue;
      near_.make_room(count + 1);
      near_[count++] = depth_plane(body_.core, i);
    }
    for (std::size_t i = 0; i < count; ++i) {
      CutPolygon part(v);
      part.cut(near_[i].n, near_[i].offset);
      for (std::size_t k = 0; k < count && part.count() > 0; ++k) {
        // Where two faces are as near, the first has it.
        if (k != i) part.cut(near_[k].n - near_[i].n, near_[k].offset - near_[i].offset, k > i);
      }
      put_polygon(part, near_[i]);
    }
  }

  struct DepthRange {
    double least, most;
  };
  DepthRange range_of(int plane, const std::array<Vec3, 3>& v) const {
    const DepthPlane p = depth_plane(body_.core, plane);
    const double a = p.offset - dot(p.n, v[0]), b = p.offset - dot(p.n, v[1]),
                 c = p.offset - dot(p.n, v[2]);
    return {std::min({a, b, c}), std::max({a, b, c})};
  }

  void put_polygon(const CutPolygon& part, const DepthPlane& plane) {
    plane_ = &plane;
    for (std::size_t i = 2; i < part.count(); ++i) {
      const std::array<Vec3, 3> v{part[0], part[i - 1], part[i]};
      put_three(v, 0.5 * norm(cross(v[1] - v[0], v[2] - v[0])));
    }
    plane_ = nullptr;
  }

  void put_point(const Vec3& p, double area) {
    InnerDepth d;
    if (plane_) {
      d = {plane_->offset - dot(plane_->n, p), plane_->n};
    } else {
      d = inner_depth(body_.core, p);
    }
    const double facing = -dot(d.n, m_);
    const double across = area * (mesh_.surface.is_closed ? facing : std::abs(facing));
    if (!(d.u > 0.0) || !(across > 0.0)) return;
    const auto i = static_cast<std::size_t>(out_.count++);
    out_.points.make_room(i + 1);
    out_.points[i] = {body_.X_WS * (p + 0.5 * d.u * d.n), d.u, across,
                      sign_ * (body_.X_WS.R * d.n)};
    out_.area += across, out_.volume += across * d.u;
  }

  const AreaMesh& mesh_;
  const AreaBody& body_;
  Pose X_BM_;
  double sign_;
  int planes_;
  AreaPatch& out_;
  Vec3 m_;
  const DepthPlane* plane_ = nullptr;
  PointList<DepthPlane, 16> near_;
};

}  // namespace

void find_mesh_area(const AreaMesh& mesh, const AreaBody& body, bool is_first, AreaPatch& out) {
  out.count = 0, out.area = out.volume = 0.0;
  out.has_normals = true;
  MeshArea(mesh, body, is_first, out).integrate();
}

}  // namespace carom
