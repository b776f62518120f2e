#include "carom/engine/contact/rigid/rigid_touch.h"

#include <cmath>
#include <limits>

#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

/// Curvatures from here on are those of corners and edges that are sharp [1/m].
constexpr double kSharp = 1e11;
/// Sine of the angle between normal and axis, below which a rim is as flat as its face.
constexpr double kFlat = 1e-9;

/// A tensor over the tangents e1 and e2 = n x e1.
struct Tangents {
  Vec3 e1, e2;
  Vec3 times(const SurfaceCurvature& m, const Vec3& v) const {
    const double x = dot(e1, v), y = dot(e2, v);
    return (m.xx * x + m.xy * y) * e1 + (m.xy * x + m.yy * y) * e2;
  }
  Vec3 solve(const SurfaceCurvature& m, const Vec3& v) const {
    const double x = dot(e1, v), y = dot(e2, v), det = m.xx * m.yy - m.xy * m.xy;
    return ((m.yy * x - m.xy * y) / det) * e1 + ((m.xx * y - m.xy * x) / det) * e2;
  }
};

SurfaceCurvature inverse_of(const SurfaceCurvature& k) {
  const double det = k.xx * k.yy - k.xy * k.xy;
  return {k.yy / det, -k.xy / det, k.xx / det};
}

/// Radii where one point carries: of the rim of a disc with rounding q, R/|n - (n.a) a| along it,
/// else what the curvatures say.
SurfaceCurvature radii_of(const TouchedBody& body, const Pose& X, const Vec3& p, const Vec3& n,
                          const SurfaceCurvature& own, const Tangents& t) {
  if (!body.round) {
    if (own.xx + own.yy > kSharp) return {};
    return inverse_of(own);
  }
  const RigidRound::Disc* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const RigidRound::Disc& disc : body.round->discs) {
    const Vec3 off = p - X * disc.centre, axis = X.R * disc.axis;
    const double up = dot(axis, off), out = norm(off - up * axis) - disc.radius;
    if (std::hypot(up, out) < least) least = std::hypot(up, out), nearest = &disc;
  }
  const Vec3 along = cross(X.R * nearest->axis, n);
  const double sine = std::max(norm(along), kFlat);
  const double x = dot(t.e1, along) / sine, y = dot(t.e2, along) / sine;
  const double radius = nearest->radius / sine, q = body.round->rounding;
  return {radius * x * x + q, radius * x * y, radius * y * y + q};
}

/// Radii of a ball or an ellipsoid: the second derivatives of h = |D n|, D its half axes,
/// (D² - (D² n)(D² n)^T / h²) / h. Where edges of the other body take turns the finder sees several
/// points of it, and what it says of curvature is that of lines.
SurfaceCurvature strict_radii(const Core& core, const Pose& X, const Vec3& n, const Tangents& t) {
  if (core.kind != &core_ellipsoid) return {core.rounding, 0.0, core.rounding};
  const Vec3 own = transpose_times(X.R, n), e1 = transpose_times(X.R, t.e1);
  const Vec3 e2 = transpose_times(X.R, t.e2);
  const auto squared = [&](const Vec3& v) {
    Vec3 out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = core.v[0][k] * core.v[0][k] * v[k];
    return out;
  };
  const Vec3 support = squared(own);
  const double h = std::sqrt(dot(own, support));
  const auto entry = [&](const Vec3& a, const Vec3& b) {
    return (dot(a, squared(b)) - dot(a, support) * dot(b, support) / (h * h)) / h;
  };
  return {entry(e1, e1) + core.rounding, entry(e1, e2), entry(e2, e2) + core.rounding};
}

}  // namespace

Contact touch_distance(const PairState& s, const TouchedBody& a, const TouchedBody& b) {
  DistanceCache warm = s.pair.warm;  // the answer must not depend on the order of questions
  const Core &A = a.core ? *a.core : s.PA.core, &B = b.core ? *b.core : s.PB.core;
  return distance(A, s.X_WA, B, s.X_WB, &warm);
}

bool touch_site(const PairState& s, const TouchedBody& a, const TouchedBody& b, RigidSite& site) {
  const Contact c = touch_distance(s, a, b);
  if (c.status != Status::ok) return false;
  site.phi = c.phi, site.n = c.n_AB_W;
  site.p_a = c.p_WCa, site.p_b = c.p_WCb, site.p = 0.5 * (c.p_WCa + c.p_WCb);
  site.u = relative_velocity(s, site.p);
  add_tangents(site);
  const Tangents t{c.k1_direction_W, cross(site.n, c.k1_direction_W)};
  const Vec3 w_a = s.A.link == 0 ? Vec3{} : s.LA.V.w, w_b = s.B.link == 0 ? Vec3{} : s.LB.V.w;
  const Vec3 turn = cross(w_b - w_a, site.n), u = site.slip();
  // Of the body that has faces and edges, `other`, and of the strictly convex one.
  const bool is_a = a.core != nullptr;
  const SurfaceCurvature& own = is_a ? c.own_a : c.own_b;
  const SurfaceCurvature R = is_a ? strict_radii(s.PB.core, s.X_WB, site.n, t)
                                  : strict_radii(s.PA.core, s.X_WA, site.n, t);
  const Vec3 rhs = u + (is_a ? 1.0 : -1.0) * t.times(R, turn);
  const int flat = is_a ? c.feature_a.dimension : c.feature_b.dimension;
  Vec3 nu;  // over `other`
  if (flat == 0) {
    const TouchedBody& other = is_a ? a : b;
    const SurfaceCurvature r =
        radii_of(other, is_a ? s.X_WA : s.X_WB, is_a ? c.p_WCa : c.p_WCb, site.n, own, t);
    nu = t.solve({r.xx + R.xx, r.xy + R.xy, r.yy + R.yy}, rhs);
  } else if (flat == 1) {
    const bool first = own.xx >= own.yy;
    const double x = first ? own.xx : own.xy, y = first ? own.xy : own.yy;
    const double length = std::hypot(x, y), k = own.xx + own.yy;
    const Vec3 across = length > 0.0 ? (x / length) * t.e1 + (y / length) * t.e2 : Vec3{};
    const double radius = k > 0.0 && k < kSharp ? 1.0 / k : 0.0;
    nu = (dot(across, rhs) / (radius + dot(across, t.times(R, across)))) * across;
  }
  const Vec3 nu_a = is_a ? nu : nu + turn;
  const Vec3 s_b = is_a ? -t.times(R, nu_a - turn) : t.times(R, nu_a) - u;
  site.bias = cross(w_b, s_b) - cross(w_a, s_b + u);
  site.n_dot = cross(w_a, site.n) + nu_a;
  site.turn = dot(site.n_dot, site.u);
  return true;
}

}  // namespace carom
