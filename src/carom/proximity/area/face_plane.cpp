#include "carom/proximity/area/face_plane.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

/// What distances know of a normal that is that of a face.
constexpr double kAligned = 1e-9;

bool is_along(const Vec3& face, const Vec3& n) { return norm(face - n) < kAligned; }

/// A ball, in the axes of the body with the face.
struct OtherBall {
  Vec3 centre;
  double radius = 0.0;
};

std::optional<FacePlane> face_of_box(const AreaBody& body, const Vec3& n) {
  const Mat3& R = body.X_WS.R;
  const Vec3& half = body.core.v[0];
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3 normal;
    const double sign = n[i] > 0.0 ? 1.0 : -1.0;
    normal[i] = sign;
    if (!is_along(normal, n)) continue;
    FacePlane face{sign * R.col(i), body.X_WS.p + sign * half[i] * R.col(i), {}, 0};
    for (const std::size_t side : {(i + 1) % 3, (i + 2) % 3}) {
      for (const double s : {-1.0, 1.0}) {
        face.edge[face.count++] = {-s * R.col(side), body.X_WS.p + s * half[side] * R.col(side)};
      }
    }
    return face;
  }
  return std::nullopt;
}

bool is_over(const FacePlane& face, const Vec3& centre_W, double radius) {
  return std::all_of(
      face.edge.begin(), face.edge.begin() + static_cast<std::ptrdiff_t>(face.count),
      [&](const FacePlane::Edge& e) { return dot(e.inward_W, centre_W - e.p_W) >= radius; });
}

std::optional<FacePlane> face_of_round(const AreaBody& body, const Vec3& n,
                                       const OtherBall& other) {
  const Core& c = body.core;
  const Vec3 axis{1.0, 0.0, 0.0};
  const double sign = n.x > 0.0 ? 1.0 : -1.0;
  if (!is_along(sign * axis, n)) return std::nullopt;
  Vec3 end{sign * c.v[0].x, c.v[0].y, 0.0};
  if (c.kind == &core_frustum) end = sign * (c.v[1].x - c.v[0].x) > 0.0 ? c.v[1] : c.v[0];
  if (std::hypot(other.centre.y, other.centre.z) + other.radius > end.y) return std::nullopt;
  return FacePlane{body.X_WS.R * (sign * axis), body.X_WS * Vec3{end.x, 0.0, 0.0}, {}, 0};
}

std::optional<FacePlane> face_of_polytope(const AreaBody& body, const Vec3& n,
                                          const OtherBall& other) {
  const Polytope& p = PolytopeCore::polytope(body.core);
  const auto found =
      std::ranges::find_if(p.faces, [&](const PolytopeFace& f) { return is_along(f.normal, n); });
  if (found == p.faces.end()) return std::nullopt;
  const auto corners = p.vertices_of(*found);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3 &a = p.vertices[corners[i]], &b = p.vertices[corners[(i + 1) % corners.size()]];
    const Vec3 inward = normalized(cross(found->normal, b - a));
    if (dot(inward, other.centre - a) < other.radius) return std::nullopt;
  }
  return FacePlane{body.X_WS.R * found->normal, body.X_WS * p.vertices[corners[0]], {}, 0};
}

}  // namespace

std::optional<FacePlane> face_along(const AreaBody& body, const Vec3& n_W) {
  const Mat3& R = body.X_WS.R;
  if (body.core.kind == &core_half_space) return FacePlane{R.col(2), body.X_WS.p, {}, 0};
  if (body.core.kind != &core_box) return std::nullopt;
  return face_of_box(body, transpose_times(R, n_W));
}

std::optional<Pose> half_space_under(const AreaBody& body, const Vec3& n_W, const AreaBody& other) {
  const Core& c = body.core;
  const Vec3 centre_W = other.X_WS * other.centre;
  const Vec3 n = transpose_times(body.X_WS.R, n_W);
  const OtherBall ball{transpose_times(body.X_WS.R, centre_W - body.X_WS.p), other.reach};
  std::optional<FacePlane> face;
  if (c.kind == &core_box) face = face_of_box(body, n);
  if (c.kind == &core_cylinder || c.kind == &core_frustum) face = face_of_round(body, n, ball);
  if (c.kind == &core_polytope) face = face_of_polytope(body, n, ball);
  if (!face || !is_over(*face, centre_W, other.reach)) return std::nullopt;
  const Vec3 across = any_perpendicular(face->n_W);
  return Pose{Mat3::from_columns(across, cross(face->n_W, across), face->n_W), face->p_W};
}

}  // namespace carom
