#include "carom/proximity/convex/support_feature.h"

#include <algorithm>
#include <numbers>
#include <span>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/vec2.h"

namespace carom {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Everything here is in the shape's axes; find_support_feature() moves it to the world.
double face_slope(const Vec3& normal, const Vec3& d) {
  const double c = dot(normal, d);
  return c > 0.0 ? norm(cross(normal, d)) / c : kInfinity;
}
double line_slope(const Vec3& p, const Vec3& q, const Vec3& d) {
  const Vec3 e = q - p;
  const double level = norm(cross(e, d));
  return level > 0.0 ? std::abs(dot(e, d)) / level : kInfinity;
}

void set_line(SupportFeature& out, const Vec3& p, const Vec3& q, double radius) {
  out.line = {norm2(q - p) > 0.0, p, q, radius};
}

void set_polygon(SupportFeature& out, const Vec3& normal, const Vec3& d, const Vec3* vertex,
                 const std::uint32_t* index, std::size_t count) {
  SupportFace& face = out.face;
  face.kind = SupportFace::polygon;
  face.normal = normal, face.slope = face_slope(normal, d);
  face.mark = any_perpendicular(normal);
  face.vertex = vertex, face.index = index, face.count = static_cast<int>(count);
  face.point = vertex[index ? index[0] : 0];
}
void set_own_polygon(SupportFeature& out, const Vec3& normal, const Vec3& d, std::size_t count) {
  set_polygon(out, normal, d, out.face.own, nullptr, count);
}

void set_disc(SupportFeature& out, const Vec3& centre, const Vec3& normal, double radius,
              const Vec3& d) {
  if (!(radius > 0.0)) return;
  out.face.kind = SupportFace::disc;
  out.face.point = centre, out.face.normal = normal;
  out.face.slope = face_slope(normal, d);
  out.face.radius = radius;
  out.face.mark = {0.0, 1.0, 0.0};
}

/// Of the faces at vertex `v`: the edge of least slope, and its face of least slope.
void choose_at_vertex(const Polytope& p, std::uint32_t v, const Vec3& d, SupportFeature& out) {
  double least = kInfinity;
  std::uint32_t end = v;
  const auto consider = [&](std::uint32_t w) {
    const double s = line_slope(p.vertices[v], p.vertices[w], d);
    if (s < least) least = s, end = w;
  };
  const auto place = [&](std::span<const std::uint32_t> loop) {
    return static_cast<std::size_t>(std::find(loop.begin(), loop.end(), v) - loop.begin());
  };
  for (const std::uint32_t f : p.faces_at(v)) {
    const auto loop = p.vertices_of(p.faces[f]);
    const std::size_t at = place(loop);
    consider(loop[(at + 1) % loop.size()]);
    consider(loop[(at + loop.size() - 1) % loop.size()]);
  }
  set_line(out, p.vertices[v], p.vertices[end], 0.0);
  const PolytopeFace* best = nullptr;
  for (const std::uint32_t f : p.faces_at(v)) {
    const PolytopeFace& face = p.faces[f];
    const auto loop = p.vertices_of(face);
    if (std::find(loop.begin(), loop.end(), end) == loop.end()) continue;
    if (!best || face_slope(face.normal, d) < face_slope(best->normal, d)) best = &face;
  }
  if (best && face_slope(best->normal, d) < kInfinity) {
    const auto loop = p.vertices_of(*best);
    set_polygon(out, best->normal, d, p.vertices.data(), loop.data(), loop.size());
  }
}

void polytope_feature(const Core& c, const Vec3& d, SupportFeature& out) {
  const Polytope& p = PolytopeCore::polytope(c);
  if (p.dimension >= 2) return choose_at_vertex(p, support_vertex(p, d), d, out);
  if (p.dimension == 1) set_line(out, p.vertices[0], p.vertices[1], 0.0);
}

/// Edges and triangles at the support vertex of a simplex.
void simplex_feature(const Core& c, const Vec3& d, SupportFeature& out) {
  const auto n = static_cast<std::uint32_t>(c.count);
  std::uint32_t v = 0, end = 0;
  for (std::uint32_t i = 1; i < n; ++i) {
    if (dot(d, c.v[i]) > dot(d, c.v[v])) v = i;
  }
  double least = kInfinity;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double s = i == v ? kInfinity : line_slope(c.v[v], c.v[i], d);
    if (s < least) least = s, end = i;
  }
  if (end == v) return;
  set_line(out, c.v[v], c.v[end], 0.0);
  double best = kInfinity;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (i == v || i == end) continue;
    Vec3 normal = cross(c.v[end] - c.v[v], c.v[i] - c.v[v]);
    if (!(norm2(normal) > 0.0)) continue;
    normal = normalized(normal);
    const std::uint32_t opposite = 6 - v - end - i;  // of 0 + 1 + 2 + 3
    const double side = n == 4 ? -dot(normal, c.v[opposite] - c.v[v]) : dot(normal, d);
    if (side < 0.0) normal = -normal;
    if (face_slope(normal, d) >= best) continue;
    best = face_slope(normal, d);
    const bool swapped = side < 0.0;
    Vec3* const own = out.face.own;
    own[0] = c.v[v], own[1] = c.v[swapped ? i : end], own[2] = c.v[swapped ? end : i];
    set_own_polygon(out, normal, d, 3);
  }
}

/// Of a box the face along the largest, the edge along the smallest component of d.
void box_feature(const Core& c, const Vec3& d, SupportFeature& out) {
  const Vec3& h = c.v[0];
  const Vec3 corner = BoxCore::support(c, d);
  const Vec3 a{std::abs(d.x), std::abs(d.y), std::abs(d.z)};
  const std::size_t flat = a.x >= a.y && a.x >= a.z ? 0 : a.y >= a.z ? 1 : 2;
  const std::size_t j = (flat + 1) % 3, k = (flat + 2) % 3;
  const std::size_t along = a[j] <= a[k] ? j : k;
  Vec3 end = corner;
  end[along] = -end[along];
  set_line(out, corner, end, 0.0);
  const double sign = d[flat] >= 0.0 ? 1.0 : -1.0;
  Vec3 normal;
  normal[flat] = sign;
  Vec3* const own = out.face.own;
  const double u[] = {1, -1, -1, 1}, v[] = {1, 1, -1, -1};
  for (std::size_t i = 0; i < 4; ++i) {
    own[i][flat] = corner[flat];
    own[i][j] = u[i] * h[j];
    own[i][k] = sign * v[i] * h[k];
  }
  set_own_polygon(out, normal, d, 4);
}

/// Bodies of revolution about x between two discs {x, radius}: caps and a ruling.
void revolved_feature(const Vec3& low, const Vec3& high, const Vec3& d, SupportFeature& out) {
  const Vec3& cap = d.x >= 0.0 ? high : low;
  set_disc(out, {cap.x, 0.0, 0.0}, {d.x >= 0.0 ? 1.0 : -1.0, 0.0, 0.0}, cap.y, d);
  if (!(d.y * d.y + d.z * d.z > 0.0)) return;
  // Across the ruling the radius of curvature is r over the cosine of the taper.
  const double taper = std::hypot(high.x - low.x, high.y - low.y) / std::abs(high.x - low.x);
  set_line(out, rim_point(low.x, low.y, d), rim_point(high.x, high.y, d),
           0.5 * (low.y + high.y) * taper);
}

/// A stadium's end faces by tangents to their boundary, its sides as they are. Tangents, so
/// that every contact point lies inside; they are off by 0.5 % of the radius at most.
void stadium_feature(const Core& c, const Vec3& d, SupportFeature& out) {
  const Vec3& s = c.v[0];
  const double top = d.z >= 0.0 ? s.z : -s.z, side = d.y >= 0.0 ? s.y : -s.y;
  Vec3* const own = out.face.own;
  const Vec3 p = StadiumCore::support(c, d);
  if (std::abs(d.z) >= std::abs(d.y)) {
    constexpr int half = kOwnCorners / 2;
    const double reach = s.y / std::cos(0.5 * std::numbers::pi / half);
    for (int i = 0; i < kOwnCorners; ++i) {
      const double turn = std::numbers::pi * ((i + 0.5) / half - 0.5);
      const Vec2 e = unit(d.z >= 0.0 ? turn : -turn);
      own[i] = {(i < half ? s.x : -s.x) + reach * e.x, reach * e.y, top};
    }
    set_own_polygon(out, {0, 0, d.z >= 0.0 ? 1.0 : -1.0}, d, kOwnCorners);
  } else if (s.x > 0.0 && s.z > 0.0) {
    const double u[] = {1, -1, -1, 1}, v[] = {1, 1, -1, -1};
    for (std::size_t i = 0; i < 4; ++i) {
      own[i] = {(side > 0.0 ? -1.0 : 1.0) * u[i] * s.x, side, v[i] * s.z};
    }
    set_own_polygon(out, {0, side > 0.0 ? 1.0 : -1.0, 0}, d, 4);
  }
  out.face.exact = false;
  // Lines from the support point: to the other end face, or to the far end of the straight
  // edge, of which the round end is the smooth continuation.
  const Vec3 across{p.x, p.y, -top}, along{d.x >= 0.0 ? -s.x : s.x, side, top};
  const bool upright = line_slope(p, across, d) <= line_slope(p, along, d);
  if (upright) set_line(out, p, across, s.y);
  if (!upright) set_line(out, p, along, 0.0);
}

void find_in_shape(const Core& c, const Vec3& d, SupportFeature& out) {
  if (c.kind == &core_box) return box_feature(c, d, out);
  if (c.kind == &core_cylinder) {
    const Vec3& s = c.v[0];
    return revolved_feature({-s.x, s.y, 0.0}, {s.x, s.y, 0.0}, d, out);
  }
  if (c.kind == &core_frustum) {
    const bool ordered = c.v[0].x <= c.v[1].x;
    return revolved_feature(c.v[ordered ? 0 : 1], c.v[ordered ? 1 : 0], d, out);
  }
  if (c.kind == &core_segment) return set_line(out, c.v[0] - c.v[1], c.v[0] + c.v[1], 0.0);
  if (c.kind == &core_polytope) return polytope_feature(c, d, out);
  if (c.kind == &core_simplex) return simplex_feature(c, d, out);
  if (c.kind == &core_stadium) return stadium_feature(c, d, out);
  if (c.kind == &core_half_space) {
    out.face.kind = SupportFace::plane;
    out.face.normal = {0, 0, 1};
    out.face.slope = face_slope(out.face.normal, d);
  }
}

}  // namespace

void find_support_feature(const Core& core, const Pose& X_WS, const Vec3& d_W,
                          SupportFeature& out) {
  SupportFace& face = out.face;
  face.kind = SupportFace::none;
  face.slope = kInfinity;
  face.count = 0;
  face.exact = true;
  face.X_WS = &X_WS;
  face.point = {};
  out.line.exists = false;
  find_in_shape(core, transpose_times(X_WS.R, d_W), out);
  face.point = X_WS * face.point;
  face.normal = X_WS.R * face.normal;
  face.mark = X_WS.R * face.mark;
  out.line.p = X_WS * out.line.p, out.line.q = X_WS * out.line.q;
}

}  // namespace carom
