// Smooth surfaces that need not be convex: every minimum of the gap is a site of its own, which the
// memory of the pair names and follows (smooth_pair.h, smooth_search.h).
#include <algorithm>
#include <cmath>

#include "carom/proximity/contact_geometry.h"
#include "carom/proximity/finder.h"
#include "carom/proximity/smooth_search.h"

namespace carom {
namespace {

bool handles(const ShapePiece& a, const ShapePiece& b) {
  if (a.surface || b.surface || (a.smooth != nullptr) == (b.smooth != nullptr)) return false;
  const ShapePiece& other = a.smooth ? b : a;
  return other.finder == &finder_convex && is_strictly_convex(other.core);
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
};
Sides sides(const Place& a, const Place& b) {
  return a.piece.smooth ? Sides{a, b, false} : Sides{b, a, true};
}

double gone(const Sides& s) { return 0.1 * std::min(s.surface.piece.reach, s.body.piece.reach); }

Contact contact_of(const Sides& s, const SmoothMinimum& m) {
  const Pose& X = s.surface.X_WS;
  Contact c;
  c.phi = m.phi;
  c.n_AB_W = X.R * m.at.n;
  const Vec3 middle = X * (0.5 * (m.at.p + m.y));
  c.p_WCa = middle - (0.5 * c.phi) * c.n_AB_W;
  c.p_WCb = middle + (0.5 * c.phi) * c.n_AB_W;
  const Vec3 e1 = any_perpendicular(m.at.n), e2 = cross(m.at.n, e1);
  const auto form = [&](const Sym3& a) {
    const Vec3 a1 = a * e1;
    return SurfaceCurvature{dot(e1, a1), dot(e2, a1), dot(e2, a * e2)};
  };
  SurfaceCurvature own_b;
  const SurfaceCurvature r = form(m.radii);
  const double det = r.xx * r.yy - r.xy * r.xy;
  if (det > 0.0) own_b = {r.yy / det, -r.xy / det, r.xx / det};
  set_principal_curvatures(form(m.at.K), own_b, X.R * e1, X.R * e2, c);
  if (s.is_exchanged) exchange(c);
  return c;
}

/// Where there is no such minimum any more the bodies are apart, as far as this site is concerned.
Contact lost(const Sides& s, const SmoothMinimum& last, FollowEnd end) {
  Contact c = contact_of(s, last);
  c.phi = gone(s);
  c.end = end == FollowEnd::left ? Contact::End::left : Contact::End::merged;
  return c;
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

/// The minimum that the memory names; without a memory the least of all.
Contact find_site(const Sides& s, const DistanceCache& memory, SmoothMinimum& found, bool& held) {
  const Pose X_AB = s.X_AB();
  held = false;
  if (!is_finite_pose(X_AB)) {
    Contact c;
    c.status = Status::recoverable;
    return c;
  }
  const SmoothSurface& surface = *s.surface.piece.smooth;
  const Core& core = s.body.piece.core;
  if (memory.count == 0) {
    held = find_nearest(surface, {core, X_AB}, found);
    return held ? contact_of(s, found) : nowhere(s);
  }
  found.state = memory.state;
  found.at = surface.at(memory.state);
  found.y = found.at.p;
  const FollowEnd end = follow_minimum(surface, core, memory.X_AB, memory.state, X_AB, found);
  held = end == FollowEnd::found;
  return held ? contact_of(s, found) : lost(s, found, end);
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
  SmoothMinimum found;
  bool held = false;
  const Contact contact = find_site(sides(a, b), memory, found, held);
  if (points) find_points(a, b, contact, *points);
  return contact;
}

void put_memory(const Pose& X_AB, const SmoothMinimum& m, DistanceCache& memory) {
  memory = {};
  memory.count = 1;
  memory.n_A = m.at.n;
  memory.X_AB = X_AB;
  memory.state = m.state;
}

Contact remember(const Place& a, const Place& b, DistanceCache& memory) {
  const Sides s = sides(a, b);
  SmoothMinimum found;
  bool held = false;
  const Contact contact = find_site(s, memory, found, held);
  if (held) put_memory(s.X_AB(), found, memory);
  return contact;
}

void find_sites(const Place& a, const Place& b, double margin, std::vector<DistanceCache>& out) {
  out.clear();
  const Sides s = sides(a, b);
  const Pose X_AB = s.X_AB();
  if (!is_finite_pose(X_AB)) return;
  std::vector<SmoothMinimum> found;
  find_minima(*s.surface.piece.smooth, {s.body.piece.core, X_AB}, margin, found);
  for (const SmoothMinimum& m : found) {
    DistanceCache memory;
    put_memory(X_AB, m, memory);
    out.push_back(memory);
  }
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
