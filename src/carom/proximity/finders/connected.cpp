// Idealised surfaces that a scene connects: one to five moving points (surface_pair.h). No search
// finds them, so their boxes are empty.
#include "carom/proximity/finder.h"
#include "carom/proximity/smooth/surface_pair.h"

namespace carom {
namespace {

bool handles(const ShapePiece& a, const ShapePiece& b) { return a.surface && b.surface; }

bool is_closed_form(const ShapePiece&, const ShapePiece&) { return true; }

BoundingBox box_of(const Place&, bool) { return {}; }

Contact contact_of(const Place& a, const Place& b, Manifold& points) {
  const SurfaceContact found =
      find_surface_contact(*a.piece.surface, a.X_WS, *b.piece.surface, b.X_WS, points);
  Contact contact;
  contact.phi = found.phi;
  contact.n_AB_W = found.n_AB_W;
  contact.p_WCa = found.p_WCa, contact.p_WCb = found.p_WCb;
  return contact;
}

Contact find(const Place& a, const Place& b, const DistanceCache&, Manifold* points) {
  if (points) return contact_of(a, b, *points);
  Manifold unused;
  return contact_of(a, b, unused);
}

void find_points(const Place& a, const Place& b, const Contact&, Manifold& points) {
  contact_of(a, b, points);
}

}  // namespace

extern const ContactFinder finder_connected{.name = "connected",
                                            .doc = "idealised surfaces that the scene connects",
                                            .rank = 1,
                                            .handles = handles,
                                            .is_closed_form = is_closed_form,
                                            .box = box_of,
                                            .find = find,
                                            .find_points = find_points};

}  // namespace carom
