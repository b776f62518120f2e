// A triangle mesh in a convex body or on a smooth surface, for contact by its area
// (area/mesh_area.h, area/mesh_on_surface.h): one site, however many places the two touch in.
#include "carom/proximity/area/mesh_on_surface.h"
#include "carom/proximity/finder.h"

namespace carom {
namespace {

bool is_mesh(const ShapePiece& piece) { return piece.finder == &finder_mesh; }

bool handles(const ShapePiece& a, const ShapePiece& b) {
  if (is_mesh(a) == is_mesh(b)) return false;
  const ShapePiece& other = is_mesh(a) ? b : a;
  const bool is_known = other.finder == &finder_convex || other.finder == &finder_smooth;
  return is_known && other.has_area;
}

bool is_closed_form(const ShapePiece&, const ShapePiece&) { return false; }

BoundingBox box_of(const Place& place, bool is_fixed) {
  return finder_triangles.box(place, is_fixed);
}

AreaBody body_of(const Place& place) {
  return {place.piece.core, place.X_WS, place.piece.centre, place.piece.reach, place.piece.smooth};
}

void one_point(const Contact& contact, Manifold& points) {
  points = {};
  points.count = 1;
  points.n_AB_W = contact.n_AB_W;
  points.points[0] = {0.5 * (contact.p_WCa + contact.p_WCb), contact.phi, 1.0, 0};
}

Contact distance_of(const Place& a, const Place& b, const DistanceCache& memory,
                    DistanceCache* keep) {
  const bool is_first = is_mesh(a.piece);
  const Place &mesh = is_first ? a : b, &other = is_first ? b : a;
  const AreaMesh triangles{*mesh.piece.triangles, mesh.X_WS};
  if (!other.piece.smooth) return mesh_distance(triangles, body_of(other), is_first);
  return mesh_surface_distance(triangles, body_of(other), is_first, memory, keep);
}

/// Which triangle it was, where that is worth knowing.
Contact remember(const Place& a, const Place& b, DistanceCache& memory) {
  const DistanceCache last = memory;
  return distance_of(a, b, last, &memory);
}

Contact find(const Place& a, const Place& b, const DistanceCache& memory, Manifold* points) {
  const Contact contact = distance_of(a, b, memory, nullptr);
  if (points) one_point(contact, *points);
  return contact;
}

void find_points(const Place&, const Place&, const Contact& contact, Manifold& points) {
  one_point(contact, points);
}

}  // namespace

extern const ContactFinder finder_mesh{
    .name = "mesh",
    .doc = "triangle meshes in convex bodies and on surfaces by formulas, by their area",
    .rank = 3,
    .handles = handles,
    .is_closed_form = is_closed_form,
    .box = box_of,
    .find = find,
    .find_points = find_points,
    .remember = remember};

}  // namespace carom
