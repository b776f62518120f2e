#include "carom/proximity/pieces.h"

#include <algorithm>

#include "carom/geometry/core_kinds.h"
#include "carom/geometry/superquadric_core.h"

namespace carom {
namespace {

// A face is tried as the carrier of the contact if the normal is within 30 degrees.
constexpr double kNearFace = 0.86;

using Id = std::uint32_t;

Vec3 point_support(const Core& c, const Vec3&, Id& piece) {
  piece = 0;
  return c.v[0];
}
SupportDerivatives point_piece(const Core& c, Id, const Vec3&) { return {c.v[0], {}}; }

Vec3 segment_support(const Core& c, const Vec3& d, Id& piece) {
  piece = dot(d, c.v[1]) >= 0.0 ? 0 : 1;
  return piece == 0 ? c.v[0] + c.v[1] : c.v[0] - c.v[1];
}
SupportDerivatives segment_piece(const Core& c, Id piece, const Vec3&) {
  return {piece == 0 ? c.v[0] + c.v[1] : c.v[0] - c.v[1], {}};
}

// Boxes: bit i of a piece is set where coordinate i is negative.
Vec3 box_support(const Core& c, const Vec3& d, Id& piece) {
  const Vec3& h = c.v[0];
  piece = (d.x >= 0.0 ? 0u : 1u) | (d.y >= 0.0 ? 0u : 2u) | (d.z >= 0.0 ? 0u : 4u);
  return {std::copysign(h.x, d.x >= 0.0 ? 1.0 : -1.0), std::copysign(h.y, d.y >= 0.0 ? 1.0 : -1.0),
          std::copysign(h.z, d.z >= 0.0 ? 1.0 : -1.0)};
}
SupportDerivatives box_piece(const Core& c, Id piece, const Vec3&) {
  const Vec3& h = c.v[0];
  return {{piece & 1 ? -h.x : h.x, piece & 2 ? -h.y : h.y, piece & 4 ? -h.z : h.z}, {}};
}
bool box_face(const Core&, const Vec3& n, Vec3& normal) {
  const Vec3 a{std::abs(n.x), std::abs(n.y), std::abs(n.z)};
  const std::size_t i = a.x >= a.y && a.x >= a.z ? 0 : a.y >= a.z ? 1 : 2;
  if (a[i] < kNearFace) return false;
  normal = {};
  normal[i] = n[i] > 0.0 ? 1.0 : -1.0;
  return true;
}
double box_face_margin(const Core& c, const Vec3& normal, const Vec3& p) {
  const Vec3& h = c.v[0];
  double margin = 1e300;
  for (std::size_t i = 0; i < 3; ++i) {
    if (normal[i] == 0.0) margin = std::min(margin, h[i] - std::abs(p[i]));
  }
  return margin;
}

Vec3 simplex_support(const Core& c, const Vec3& d, Id& piece) {
  piece = 0;
  double value = dot(d, c.v[0]);
  for (std::int32_t i = 1; i < c.count; ++i) {
    const double w = dot(d, c.v[i]);
    if (w > value) value = w, piece = static_cast<Id>(i);
  }
  return c.v[piece];
}
SupportDerivatives simplex_piece(const Core& c, Id piece, const Vec3&) { return {c.v[piece], {}}; }

Vec3 polytope_support(const Core& c, const Vec3& d, Id& piece) {
  const Polytope& p = PolytopeCore::polytope(c);
  piece = support_vertex(p, d);
  return p.vertices[piece];
}
SupportDerivatives polytope_piece(const Core& c, Id piece, const Vec3&) {
  return {PolytopeCore::polytope(c).vertices[piece], {}};
}

Vec3 ellipsoid_support(const Core& c, const Vec3& d, Id& piece) {
  piece = 0;
  return EllipsoidCore::support(c, d);
}
SupportDerivatives ellipsoid_piece(const Core& c, Id, const Vec3& n) {
  return EllipsoidCore::derivatives(c, n);
}
/// The smallest radius of curvature, at the end of the longest half axis.
double ellipsoid_inner_radius(const Core& c) {
  const Vec3& a = c.v[0];
  const double least = std::min({a.x, a.y, a.z}), most = std::max({a.x, a.y, a.z});
  return least * least / most * (1.0 - 1e-12);
}
double ellipsoid_turn_scale(const Core& c, const Vec3& n) {
  const Vec3& a = c.v[0];
  return norm({a.x * n.x, a.y * n.y, a.z * n.z}) / std::max({a.x, a.y, a.z});
}

// Cylinders and frusta: pieces 0 and 1 are the rims.
Vec3 cylinder_support(const Core& c, const Vec3& d, Id& piece) {
  piece = d.x >= 0.0 ? 0 : 1;
  return rim_point(piece == 0 ? c.v[0].x : -c.v[0].x, c.v[0].y, d);
}
SupportDerivatives cylinder_piece(const Core& c, Id piece, const Vec3& n) {
  return {rim_point(piece == 0 ? c.v[0].x : -c.v[0].x, c.v[0].y, n), rim_hessian(c.v[0].y, n)};
}
Vec3 frustum_support(const Core& c, const Vec3& d, Id& piece) {
  const Vec3& rim = FrustumCore::rim(c, d);
  piece = &rim == &c.v[0] ? 0 : 1;
  return rim_point(rim.x, rim.y, d);
}
SupportDerivatives frustum_piece(const Core& c, Id piece, const Vec3& n) {
  return {rim_point(c.v[piece].x, c.v[piece].y, n), rim_hessian(c.v[piece].y, n)};
}
bool disc_face(const Core&, const Vec3& n, Vec3& normal) {
  normal = {n.x > 0.0 ? 1.0 : -1.0, 0.0, 0.0};
  return std::abs(n.x) >= kNearFace;
}
double disc_margin(double r, const Vec3& p) { return r - std::sqrt(p.y * p.y + p.z * p.z); }
double cylinder_face_margin(const Core& c, const Vec3&, const Vec3& p) {
  return disc_margin(c.v[0].y, p);
}
double frustum_face_margin(const Core& c, const Vec3& normal, const Vec3& p) {
  return disc_margin(FrustumCore::rim(c, normal).y, p);
}
double disc_turn_scale(const Core&, const Vec3& n) { return std::sqrt(n.y * n.y + n.z * n.z); }
bool cylinder_ring(const Core& c, Ring& out) {
  const double half = c.v[0].x;
  out = {{1.0, 0.0, 0.0}, 0.0, c.v[0].y, {}, {-half, half}};
  return half > 0.0;
}
/// Normals that both rims share: n_x (x1 - x0) = rho (r0 - r1). Turned to the ring, a
/// ruling ends at tau.(x, r), tau = (rho, -n_x).
bool frustum_ring(const Core& c, Ring& out) {
  const double length = c.v[1].x - c.v[0].x, taper = c.v[0].y - c.v[1].y;
  const double side = std::hypot(length, taper);
  if (!(side > 0.0)) return false;
  const double along = taper / side, rho = length / side;
  out = {{1.0, 0.0, 0.0}, along, along * c.v[0].x + rho * c.v[0].y, {}, {}};
  for (std::size_t i = 0; i < 2; ++i) out.ends[i] = rho * c.v[i].x - along * c.v[i].y;
  return rho > 0.0;
}

// Stadium: bit 0 of a piece is the end at -x, bit 1 the face at -z; each is a circle.
Vec3 stadium_rim(const Core& c, Id piece, const Vec3& d) {
  const Vec3& s = c.v[0];
  Vec3 p{piece & 1 ? -s.x : s.x, 0.0, piece & 2 ? -s.z : s.z};
  const double rho = std::sqrt(d.x * d.x + d.y * d.y);
  if (rho > 0.0) p.x += s.y / rho * d.x, p.y = s.y / rho * d.y;
  return p;
}
Vec3 stadium_support(const Core& c, const Vec3& d, Id& piece) {
  piece = (d.x >= 0.0 ? 0u : 1u) | (d.z >= 0.0 ? 0u : 2u);
  return stadium_rim(c, piece, d);
}
SupportDerivatives stadium_piece(const Core& c, Id piece, const Vec3& n) {
  SupportDerivatives out = StadiumCore::derivatives(c, n);
  out.point = stadium_rim(c, piece, n);
  return out;
}
bool stadium_face(const Core&, const Vec3& n, Vec3& normal) {
  normal = {0.0, 0.0, n.z > 0.0 ? 1.0 : -1.0};
  return std::abs(n.z) >= kNearFace;
}
double stadium_face_margin(const Core& c, const Vec3&, const Vec3& p) {
  const double beyond = std::max(std::abs(p.x) - c.v[0].x, 0.0);
  return c.v[0].y - std::sqrt(beyond * beyond + p.y * p.y);
}
double stadium_turn_scale(const Core&, const Vec3& n) { return std::sqrt(n.x * n.x + n.y * n.y); }
bool stadium_ring(const Core& c, Ring& out) {
  const double half = c.v[0].z;
  out = {{0.0, 0.0, 1.0}, 0.0, c.v[0].y, {c.v[0].x, 0.0, 0.0}, {-half, half}};
  return half > 0.0;
}

Vec3 whole_support(const Core& c, const Vec3& d, Id& piece) {
  piece = 0;
  return support(c, d);
}
SupportDerivatives whole_piece(const Core& c, Id, const Vec3& n) {
  return support_derivatives(c, n);
}

double superquadric_inner_radius(const Core& c) { return c.v[1].z; }

constexpr PieceKind kKinds[] = {
    {.kind = &core_point, .support = point_support, .derivatives = point_piece, .single = true},
    {.kind = &core_segment, .support = segment_support, .derivatives = segment_piece},
    {.kind = &core_box,
     .support = box_support,
     .derivatives = box_piece,
     .flat_face = box_face,
     .face_margin = box_face_margin},
    {.kind = &core_ellipsoid,
     .support = ellipsoid_support,
     .derivatives = ellipsoid_piece,
     .curved = true,
     .single = true,
     .inner_radius = ellipsoid_inner_radius,
     .turn_scale = ellipsoid_turn_scale},
    {.kind = &core_cylinder,
     .support = cylinder_support,
     .derivatives = cylinder_piece,
     .curved = true,
     .flat_face = disc_face,
     .face_margin = cylinder_face_margin,
     .turn_scale = disc_turn_scale,
     .ring = cylinder_ring},
    {.kind = &core_frustum,
     .support = frustum_support,
     .derivatives = frustum_piece,
     .curved = true,
     .flat_face = disc_face,
     .face_margin = frustum_face_margin,
     .turn_scale = disc_turn_scale,
     .ring = frustum_ring},
    {.kind = &core_stadium,
     .support = stadium_support,
     .derivatives = stadium_piece,
     .curved = true,
     .flat_face = stadium_face,
     .face_margin = stadium_face_margin,
     .turn_scale = stadium_turn_scale,
     .ring = stadium_ring},
    {.kind = &core_simplex, .support = simplex_support, .derivatives = simplex_piece},
    {.kind = &core_polytope,
     .support = polytope_support,
     .derivatives = polytope_piece,
     .dense = true},
    {.kind = &core_superquadric,
     .support = whole_support,
     .derivatives = whole_piece,
     .curved = true,
     .single = true,
     .inner_radius = superquadric_inner_radius},
};
/// Of a kind that is known by its support mapping only.
constexpr PieceKind kAnyKind{
    .support = whole_support, .derivatives = whole_piece, .curved = true, .dense = true};

}  // namespace

const PieceKind& piece_kind(const CoreKind* kind) {
  for (const PieceKind& k : kKinds) {
    if (k.kind == kind) return k;
  }
  return kAnyKind;
}

bool has_piece(const Core& core, std::uint32_t piece) {
  if (core.kind == &core_frustum) return piece < 2;
  if (core.kind == &core_simplex) return piece < static_cast<std::uint32_t>(core.count);
  if (core.kind == &core_polytope) return piece < PolytopeCore::polytope(core).vertices.size();
  return true;  // one piece, or one by the bits of its number
}

}  // namespace carom
