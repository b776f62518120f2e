// A torus on a half space (area/ring_area.h) or on another (area/ring_pair.h), for contact by its
// area: one site, whether it touches at a point, along a part of a circle or along all of it.
#include "carom/geometry/core_kinds.h"
#include "carom/proximity/area/ring_pair.h"
#include "carom/proximity/finder.h"

namespace carom {
namespace {

bool is_ring(const ShapePiece& piece) { return piece.finder == &finder_ring; }

bool handles(const ShapePiece& a, const ShapePiece& b) {
  if (is_ring(a) == is_ring(b)) return is_ring(a);
  const ShapePiece& other = is_ring(a) ? b : a;
  return other.core.kind == &core_half_space && other.has_area;
}

bool is_closed_form(const ShapePiece& a, const ShapePiece& b) { return is_ring(a) != is_ring(b); }

BoundingBox box_of(const Place& place, bool is_fixed) { return finder_smooth.box(place, is_fixed); }

void find_points(const Place&, const Place&, const Contact& contact, Manifold& points) {
  points.count = 1;
  points.has_normals = false;
  points.springs = 1.0;
  points.n_AB_W = contact.n_AB_W;
  points.length_direction_W = contact.k1_direction_W;
  points.area = points.length = points.width = 0.0;
  points.points[0] = {0.5 * (contact.p_WCa + contact.p_WCb), contact.phi, 1.0, 0};
}

AreaRing ring_of(const Place& place) {
  return {place.piece.ring_radius, place.piece.tube_radius, place.X_WS};
}

Contact find(const Place& a, const Place& b, const DistanceCache&, Manifold* points) {
  const bool is_first = is_ring(a.piece);
  const Place &ring = is_first ? a : b, &plane = is_first ? b : a;
  Contact contact;
  if (!is_finite(a.X_WS.p) || !is_finite(b.X_WS.p)) {
    contact.status = Status::recoverable;
  } else if (is_ring(a.piece) && is_ring(b.piece)) {
    contact = ring_pair_distance(ring_of(a), ring_of(b));
  } else {
    contact = ring_distance(ring_of(ring), plane.X_WS, is_first);
  }
  if (points) find_points(a, b, contact, *points);
  return contact;
}

}  // namespace

extern const ContactFinder finder_ring{.name = "ring",
                                       .doc = "tori on half spaces and each other, by their area",
                                       .rank = 4,
                                       .handles = handles,
                                       .is_closed_form = is_closed_form,
                                       .box = box_of,
                                       .find = find,
                                       .find_points = find_points};

}  // namespace carom
