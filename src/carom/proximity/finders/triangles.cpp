// Shapes as triangle surfaces: overlaps with their circumference (triangles/), of which the deepest
// is the contact; otherwise the distance of the surfaces.
#include <cmath>

#include "carom/proximity/finder.h"
#include "carom/proximity/triangles/piece_surfaces.h"

namespace carom {
namespace {

bool handles(const ShapePiece& a, const ShapePiece& b) {
  return a.finder == &finder_triangles && b.finder == &finder_triangles;
}

bool is_closed_form(const ShapePiece&, const ShapePiece&) { return false; }

BoundingBox box_of(const Place& place, bool is_fixed) {
  if (!place.piece.triangles) return finder_convex.box(place, is_fixed);
  const Box4Tree& tree = place.piece.triangles->tree;
  const Vec3 centre = place.X_WS * tree.middle;
  Vec3 half;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) half[i] += std::abs(place.X_WS.R(i, j)) * tree.half[j];
  }
  return {centre - half, centre + half};
}

Contact find_deepest(const Place& a, const Place& b, triangles::PatchLoad& deepest) {
  triangles::Intersection scratch;
  triangles::SurfaceState state;
  const double far = 1e6;  // more than any scene is wide [m]
  triangles::find_state(triangles::place_surfaces(a, b), far, scratch, state);
  if (state.patches.empty()) return state.apart;
  deepest = state.patches.front();
  for (const triangles::PatchLoad& p : state.patches) {
    if (p.depth > deepest.depth) deepest = p;
  }
  return triangles::contact_of(deepest);
}

void one_point(const Contact& contact, Manifold& points) {
  points.count = 1;
  points.has_normals = false;
  points.springs = 1.0;
  points.n_AB_W = contact.n_AB_W;
  points.length_direction_W = {};
  points.area = points.length = points.width = 0.0;
  points.points[0] = {0.5 * (contact.p_WCa + contact.p_WCb), contact.phi, 1.0, 0};
}

Contact find(const Place& a, const Place& b, const DistanceCache&, Manifold* points) {
  triangles::PatchLoad deepest;
  const Contact contact = find_deepest(a, b, deepest);
  if (points) one_point(contact, *points);
  return contact;
}

void find_points(const Place&, const Place&, const Contact& contact, Manifold& points) {
  one_point(contact, points);
}

}  // namespace

extern const ContactFinder finder_triangles{.name = "triangles",
                                            .doc = "shapes as triangle surfaces",
                                            .rank = 2,
                                            .handles = handles,
                                            .is_closed_form = is_closed_form,
                                            .box = box_of,
                                            .find = find,
                                            .find_points = find_points};

}  // namespace carom
