// The nearest triangle, or the deepest, by balls around boxes of the tree: with c the middle of
// such a ball and r its radius, no triangle in it is nearer than the distance of c less r.
#include <algorithm>
#include <limits>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/area/mesh_area.h"
#include "carom/proximity/area/mesh_nodes.h"

namespace carom {
namespace {

using Corners = std::array<Vec3, 3>;

/// The point of a triangle nearest to the origin [Ericson 2005, 5.1.5].
Vec3 nearest_to_origin(const Corners& v) {
  const Vec3 ab = v[1] - v[0], ac = v[2] - v[0];
  const double d1 = -dot(ab, v[0]), d2 = -dot(ac, v[0]);
  if (d1 <= 0.0 && d2 <= 0.0) return v[0];
  const double d3 = -dot(ab, v[1]), d4 = -dot(ac, v[1]);
  if (d3 >= 0.0 && d4 <= d3) return v[1];
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return v[0] + (d1 / (d1 - d3)) * ab;
  const double d5 = -dot(ab, v[2]), d6 = -dot(ac, v[2]);
  if (d6 >= 0.0 && d5 <= d6) return v[2];
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return v[0] + (d2 / (d2 - d6)) * ac;
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 >= d3 && d5 >= d6) {
    return v[1] + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (v[2] - v[1]);
  }
  const double sum = va + vb + vc;
  return v[0] + (vb / sum) * ab + (vc / sum) * ac;
}

/// In the axes of the body: from the body to the triangle, and on both.
struct TriangleGap {
  double phi = std::numeric_limits<double>::infinity();
  Vec3 n, on_body, on_mesh;
};

TriangleGap gap_of(const Core& core, const Corners& v) {
  TriangleGap out;
  if (core.kind == &core_half_space) {
    out.on_mesh = *std::ranges::min_element(v, {}, &Vec3::z);
    out.phi = out.on_mesh.z, out.n = {0.0, 0.0, 1.0};
    out.on_body = {out.on_mesh.x, out.on_mesh.y, 0.0};
    return out;
  }
  if (core.kind == &core_point) {
    const Vec3& c = core.v[0];
    const Vec3 off = nearest_to_origin({v[0] - c, v[1] - c, v[2] - c});
    const double r = norm(off);
    out.phi = r - core.rounding;
    out.n = r > 0.0 ? off / r : Vec3{0.0, 0.0, 1.0};
    out.on_mesh = c + off, out.on_body = c + core.rounding * out.n;
    return out;
  }
  Core triangle;
  triangle.kind = &core_simplex, triangle.count = 3;
  std::ranges::copy(v, triangle.v);
  const Contact c = distance(core, Pose{}, triangle, Pose{});
  return {c.phi, c.n_AB_W, c.p_WCa, c.p_WCb};
}

}  // namespace

Contact mesh_distance(const AreaMesh& mesh, const AreaBody& body, bool is_first) {
  const Pose X_BM = inverse(body.X_WS) * mesh.X_WS;
  const TriangleSurface& s = mesh.surface;
  TriangleGap best;
  Contact out;
  if (!is_finite(X_BM.p)) {
    out.status = Status::recoverable;
    return out;
  }
  visit_near_triangles(s.tree, body.core, X_BM, best.phi, [&](std::uint32_t t) {
    Corners v;
    for (std::size_t i = 0; i < 3; ++i) v[i] = X_BM * s.vertices[s.triangles[t][i]];
    const Vec3 c = (v[0] + v[1] + v[2]) / 3.0;
    const double reach = std::max({norm(v[0] - c), norm(v[1] - c), norm(v[2] - c)});
    if (most_inner_depth(body.core, c) + reach < -best.phi) return;
    const TriangleGap gap = gap_of(body.core, v);
    if (gap.phi < best.phi) best = gap;
  });
  out.phi = best.phi;
  const Vec3 n_W = body.X_WS.R * best.n, on_body = body.X_WS * best.on_body,
             on_mesh = body.X_WS * best.on_mesh;
  out.n_AB_W = is_first ? -n_W : n_W;
  out.p_WCa = is_first ? on_mesh : on_body, out.p_WCb = is_first ? on_body : on_mesh;
  out.k1_direction_W = any_perpendicular(out.n_AB_W);
  return out;
}

}  // namespace carom
