// Smooth surfaces that need not be convex: every minimum of the gap is a site of its own, which the
// memory of the pair names and follows. The other body is a ball or an ellipsoid (smooth_pair.h),
// another such surface, a superquadric or a half space (two_surfaces.h), or a convex body with
// corners, edges and faces (feature_pair.h).
#include <algorithm>
#include <cmath>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/contact_geometry.h"
#include "carom/proximity/features/feature_search.h"
#include "carom/proximity/finder.h"
#include "carom/proximity/smooth/smooth_search.h"
#include "carom/proximity/smooth/two_surface_search.h"

namespace carom {
namespace {

bool is_plane(const ShapePiece& piece) {
  return piece.core.kind == &core_half_space && piece.core.rounding == 0.0;
}

/// Others may lie on a plane along a line, a ring along a circle: no point of that could be
/// followed.
bool is_convex(const SmoothSurface& surface) {
  constexpr double kRounding = 1e-6;
  return surface.is_closed() && std::ranges::none_of(surface.tree(), [](const CellNode& node) {
           return node.count == 0 && node.shape.low < -kRounding * node.shape.high;
         });
}

bool handles(const ShapePiece& a, const ShapePiece& b) {
  if (a.surface || b.surface || (!a.smooth && !b.smooth)) return false;
  if (a.smooth && b.smooth) return true;
  const ShapePiece& other = a.smooth ? b : a;
  const SmoothSurface& surface = a.smooth ? *a.smooth : *b.smooth;
  if (other.finder != &finder_convex) return false;
  if (is_plane(other)) return is_convex(surface);
  return is_strictly_convex(other.core) || other.skin || (other.features && !other.has_area);
}

bool is_closed_form(const ShapePiece&, const ShapePiece&) { return false; }

BoundingBox box_of(const Place& place, bool) {
  const BoundingBox& box = place.piece.smooth->box();
  const Vec3 middle = place.X_WS * (0.5 * (box.lower + box.upper));
  const Vec3 half = 0.5 * (box.upper - box.lower);
  Vec3 reach;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) reach[i] += std::abs(place.X_WS.R(i, k)) * half[k];
  }
  return {middle - reach, middle + reach};
}

/// The surface first, whichever of the two it is.
struct Sides {
  const Place &surface, &body;
  bool is_exchanged;
  Pose X_AB() const { return inverse(surface.X_WS) * body.X_WS; }
  const SmoothSurface* other() const {
    return body.piece.smooth ? body.piece.smooth : body.piece.skin.get();
  }
  bool has_two_surfaces() const { return other() || is_plane(body.piece); }
  bool has_features() const { return body.piece.features && !has_two_surfaces(); }
  TwoSurfaces two() const {
    return {*surface.piece.smooth, other() ? *other() : plane_surface(), X_AB()};
  }
  FeatureBody features() const { return {*body.piece.features, X_AB()}; }
};
Sides sides(const Place& a, const Place& b) {
  return a.piece.smooth ? Sides{a, b, false} : Sides{b, a, true};
}

double gone(const Sides& s) { return 0.1 * std::min(s.surface.piece.reach, s.body.piece.reach); }

/// Of a minimum: where both surfaces are, and their curvatures over a basis of the plane between.
Contact make_contact(const Sides& s, double phi, const SurfacePoint& at, const Vec3& other,
                     const SurfaceCurvature& own_b, const Vec3& e1, const Vec3& e2,
                     const Vec3& state_a, const Vec3& state_b) {
  const Pose& X = s.surface.X_WS;
  Contact c;
  c.state_a = state_a, c.state_b = state_b;
  c.phi = phi;
  c.n_AB_W = X.R * at.n;
  const Vec3 middle = X * (0.5 * (at.p + other));
  c.p_WCa = middle - (0.5 * c.phi) * c.n_AB_W;
  c.p_WCb = middle + (0.5 * c.phi) * c.n_AB_W;
  const Vec3 K1 = at.K * e1;
  const SurfaceCurvature own_a{dot(e1, K1), dot(e2, K1), dot(e2, at.K * e2)};
  set_principal_curvatures(own_a, own_b, X.R * e1, X.R * e2, c);
  if (s.is_exchanged) exchange(c);
  return c;
}

SurfaceCurvature form(const Sym3& a, const Vec3& e1, const Vec3& e2) {
  const Vec3 a1 = a * e1;
  return {dot(e1, a1), dot(e2, a1), dot(e2, a * e2)};
}

Contact contact_of(const Sides& s, const SmoothMinimum& m) {
  const Vec3 e1 = any_perpendicular(m.at.n), e2 = cross(m.at.n, e1);
  SurfaceCurvature own_b;
  const SurfaceCurvature r = form(m.radii, e1, e2);
  const double det = r.xx * r.yy - r.xy * r.xy;
  if (det > 0.0) own_b = {r.yy / det, -r.xy / det, r.xx / det};
  return make_contact(s, m.phi, m.at, m.y, own_b, e1, e2, m.state, {});
}

Contact contact_of(const Sides& s, const SurfaceMinimum& m) {
  const Vec3 e1 = any_perpendicular(m.at_a.n), e2 = cross(m.at_a.n, e1);
  return make_contact(s, m.phi, m.at_a, m.at_b.p, form(m.at_b.K, e1, e2), e1, e2, m.state_a,
                      m.state_b);
}

Contact contact_of(const Sides& s, const FeatureMinimum& m) {
  const BodyCurvature own = body_curvature(s.features(), m);
  return make_contact(s, m.phi, m.at, m.y, own.k, own.e1, cross(m.at.n, own.e1), m.state, {});
}

/// Where there is no such minimum any more the bodies are apart, as far as this site is concerned.
Contact lost(const Sides& s, Contact last, FollowEnd end) {
  last.phi = gone(s);
  last.end = end == FollowEnd::left ? Contact::End::left : Contact::End::merged;
  return last;
}

Contact nowhere(const Sides& s) {
  Contact c;
  c.phi = gone(s);
  c.end = Contact::End::merged;
  c.n_AB_W = normalized(s.body.X_WS.p - s.surface.X_WS.p + Vec3{0.0, 0.0, 1e-300});
  c.p_WCa = c.p_WCb = s.body.X_WS.p;
  c.k1_direction_W = any_perpendicular(c.n_AB_W);
  return c;
}

bool is_finite_pose(const Pose& X) {
  return is_finite(X.p) && is_finite(X.R.col(0)) && is_finite(X.R.col(1)) && is_finite(X.R.col(2));
}

DistanceCache memory_of(const Pose& X_AB, const SmoothMinimum& m) {
  DistanceCache memory;
  memory.count = 1;
  memory.n_A = m.at.n;
  memory.X_AB = X_AB;
  memory.state = m.state;
  return memory;
}
DistanceCache memory_of(const Pose& X_AB, const SurfaceMinimum& m) {
  DistanceCache memory;
  memory.count = 1;
  memory.n_A = m.at_a.n;
  memory.X_AB = X_AB;
  memory.state = m.state_a, memory.state_b = m.state_b;
  return memory;
}

DistanceCache memory_of(const Pose& X_AB, const FeatureMinimum& m) {
  DistanceCache memory;
  memory.count = 1;
  memory.n_A = m.at.n;
  memory.X_AB = X_AB;
  memory.state = m.state, memory.state_b = m.y_B;
  memory.piece[0][0] = static_cast<std::uint32_t>(m.feature.kind);
  memory.piece[0][1] = m.feature.index;
  return memory;
}
FeatureMinimum named(const DistanceCache& memory) {
  FeatureMinimum m;
  m.state = memory.state, m.y_B = memory.state_b;
  m.feature = {static_cast<FeatureKind>(memory.piece[0][0]), memory.piece[0][1]};
  return m;
}

/// A minimum that was not found anywhere on the way has no normal.
bool is_unset(const SurfacePoint& at) { return norm2(at.n) == 0.0; }

/// A site, and what names it where it is still there.
struct Found {
  Contact contact;
  DistanceCache memory;
  bool is_held = false;
};

Found found_or_lost(const Sides& s, const Pose& X_AB, const auto& m, FollowEnd end) {
  if (end != FollowEnd::found) return {lost(s, contact_of(s, m), end), {}, false};
  return {contact_of(s, m), memory_of(X_AB, m), true};
}

Found find_on_body(const Sides& s, const Pose& X_AB, const DistanceCache& memory) {
  const SmoothSurface& surface = *s.surface.piece.smooth;
  const Core& core = s.body.piece.core;
  SmoothMinimum m;
  if (memory.count == 0) {
    if (!find_nearest(surface, {core, X_AB}, m)) return {nowhere(s), {}, false};
    return found_or_lost(s, X_AB, m, FollowEnd::found);
  }
  const FollowEnd end = follow_minimum(surface, core, memory.X_AB, memory.state, X_AB, m);
  if (is_unset(m.at)) {  // lost at once
    m.state = memory.state, m.at = surface.at(memory.state);
    m.y = m.at.p;
  }
  return found_or_lost(s, X_AB, m, end);
}

/// How deep surfaces may be in each other for minima to be looked for; each has to be outside the
/// other with its whole curvature besides (two_surfaces.h).
double deepest_of(const Sides& s) {
  return 0.5 * std::min(s.surface.piece.reach, s.body.piece.reach);
}

void find_all(const Sides& s, double margin, std::vector<SurfaceMinimum>& out) {
  const TwoSurfaces two = s.two();
  if (s.other()) {
    find_minima(two, margin, deepest_of(s), out);
  } else {
    find_minima_on_plane(two.a, two.X_AB, margin, deepest_of(s), out);
  }
}

Found find_on_surface(const Sides& s, const DistanceCache& memory) {
  const TwoSurfaces two = s.two();
  SurfaceMinimum m;
  if (memory.count == 0) {
    const double farthest = norm(s.body.X_WS.p - s.surface.X_WS.p) + s.surface.piece.radius +
                            (std::isfinite(s.body.piece.radius) ? s.body.piece.radius : 0.0);
    std::vector<SurfaceMinimum> all;
    for (double margin = 0.05 * two.a.size(); all.empty(); margin *= 4.0) {
      find_all(s, std::min(margin, farthest), all);
      if (margin >= farthest) break;
    }
    if (all.empty()) return {nowhere(s), {}, false};
    m = *std::ranges::min_element(all, {}, [](const SurfaceMinimum& x) { return x.phi; });
    return found_or_lost(s, two.X_AB, m, FollowEnd::found);
  }
  const FollowEnd end = follow_minimum(two, memory.X_AB, memory.state, memory.state_b, m);
  if (is_unset(m.at_a)) {
    m.state_a = memory.state, m.state_b = memory.state_b;
    m.at_a = two.a.at(memory.state);
    m.at_b = {m.at_a.p, -m.at_a.n, {}};
  }
  return found_or_lost(s, two.X_AB, m, end);
}

/// How deep a body with edges may be for its minima to be looked for: a needle that is in a wall
/// farther than that could as well have come from the other side.
double deepest_of_features(const Sides& s) {
  constexpr double kOfSize = 0.1;
  return kOfSize * std::min(s.surface.piece.reach, s.body.piece.reach);
}

Found find_on_features(const Sides& s, const Pose& X_AB, const DistanceCache& memory) {
  const SmoothSurface& surface = *s.surface.piece.smooth;
  FeatureMinimum m;
  if (memory.count > 0) {
    const FeatureMinimum known = named(memory);
    const FollowEnd end = follow_minimum(surface, s.features(), memory.X_AB, known, m);
    if (is_unset(m.at)) {
      m = known, m.at = surface.at(memory.state);
      m.y = m.at.p;
    }
    return found_or_lost(s, X_AB, m, end);
  }
  const double farthest =
      norm(s.body.X_WS.p - s.surface.X_WS.p) + s.surface.piece.radius + s.body.piece.radius;
  std::vector<FeatureMinimum> all;
  for (double margin = 0.05 * surface.size(); all.empty(); margin *= 4.0) {
    find_minima(surface, s.features(), std::min(margin, farthest), deepest_of_features(s), all);
    if (margin >= farthest) break;
  }
  if (all.empty()) return {nowhere(s), {}, false};
  m = *std::ranges::min_element(all, {}, [](const FeatureMinimum& x) { return x.phi; });
  return found_or_lost(s, X_AB, m, FollowEnd::found);
}

/// The minimum that the memory names; without a memory the least of all.
Found find_site(const Sides& s, const DistanceCache& memory) {
  const Pose X_AB = s.X_AB();
  if (!is_finite_pose(X_AB)) {
    Found none;
    none.contact.status = Status::recoverable;
    return none;
  }
  if (s.has_two_surfaces()) return find_on_surface(s, memory);
  return s.has_features() ? find_on_features(s, X_AB, memory) : find_on_body(s, X_AB, memory);
}

void find_points(const Place&, const Place&, const Contact& contact, Manifold& points) {
  points.count = 1;
  points.has_normals = false;
  points.springs = 1.0;
  points.n_AB_W = contact.n_AB_W;
  points.length_direction_W = contact.k1_direction_W;
  points.area = points.length = points.width = 0.0;
  points.points[0] = {0.5 * (contact.p_WCa + contact.p_WCb), contact.phi, 1.0, 0};
}

Contact find(const Place& a, const Place& b, const DistanceCache& memory, Manifold* points) {
  const Found found = find_site(sides(a, b), memory);
  if (points) find_points(a, b, found.contact, *points);
  return found.contact;
}

Contact remember(const Place& a, const Place& b, DistanceCache& memory) {
  const Found found = find_site(sides(a, b), memory);
  if (found.is_held) memory = found.memory;
  return found.contact;
}

void find_sites(const Place& a, const Place& b, double margin, std::vector<DistanceCache>& out) {
  out.clear();
  const Sides s = sides(a, b);
  const Pose X_AB = s.X_AB();
  if (!is_finite_pose(X_AB)) return;
  if (s.has_two_surfaces()) {
    std::vector<SurfaceMinimum> found;
    find_all(s, margin, found);
    for (const SurfaceMinimum& m : found) out.push_back(memory_of(X_AB, m));
    return;
  }
  if (s.has_features()) {
    std::vector<FeatureMinimum> found;
    find_minima(*s.surface.piece.smooth, s.features(), margin, deepest_of_features(s), found);
    for (const FeatureMinimum& m : found) out.push_back(memory_of(X_AB, m));
    return;
  }
  std::vector<SmoothMinimum> found;
  find_minima(*s.surface.piece.smooth, {s.body.piece.core, X_AB}, margin, found);
  for (const SmoothMinimum& m : found) out.push_back(memory_of(X_AB, m));
}

}  // namespace

extern const ContactFinder finder_smooth{.name = "smooth",
                                         .doc = "smooth surfaces, convex or not",
                                         .rank = 2,
                                         .handles = handles,
                                         .is_closed_form = is_closed_form,
                                         .box = box_of,
                                         .find = find,
                                         .find_points = find_points,
                                         .remember = remember,
                                         .find_sites = find_sites};

}  // namespace carom
