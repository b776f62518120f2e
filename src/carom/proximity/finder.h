// A row of the catalogue of finders (proximity/finders/, one file each): how the contact of two
// pieces of shapes is found.
//
// A finder is pure: what it answers depends on places and, in speed alone, on what accepted steps
// have let it remember. So trial steps may ask in any order. A row says of which pieces it knows
// the contact; of two that have different finders, that of the higher rank answers (finder_of).
#pragma once

#include <span>
#include <vector>

#include "carom/proximity/distance.h"
#include "carom/proximity/manifold/manifold.h"
#include "carom/proximity/shape_piece.h"

namespace carom {

struct ContactFinder {
  const char* name;
  const char* doc;
  int rank = 0;
  bool (*handles)(const ShapePiece& a, const ShapePiece& b) = nullptr;
  /// The distance is an expression: it resolves more, and nothing is worth remembering.
  bool (*is_closed_form)(const ShapePiece& a, const ShapePiece& b) = nullptr;
  /// Around the piece in the world. `is_fixed`: it cannot turn within a step.
  BoundingBox (*box)(const Place& place, bool is_fixed) = nullptr;
  /// Signed distance, normal, witness points and curvature; where `points` is not null, what
  /// find_points would give as well.
  Contact (*find)(const Place& a, const Place& b, const DistanceCache& memory,
                  Manifold* points) = nullptr;
  /// The points that carry a contact whose distance is known; their shares add up to 1.
  void (*find_points)(const Place& a, const Place& b, const Contact& contact,
                      Manifold& points) = nullptr;
  /// After accepted steps: the distance, as a start of the next questions. Null: nothing helps.
  Contact (*remember)(const Place& a, const Place& b, DistanceCache& memory) = nullptr;
  /// All sites of the two pieces with phi <= margin, each by what names it. Null: two pieces have
  /// one site.
  void (*find_sites)(const Place& a, const Place& b, double margin,
                     std::vector<DistanceCache>& out) = nullptr;
};

std::span<const ContactFinder* const> finder_catalogue();
extern const ContactFinder finder_convex, finder_connected, finder_triangles, finder_smooth,
    finder_mesh, finder_ring;

/// That of two pieces.
inline const ContactFinder& finder_of(const ShapePiece& a, const ShapePiece& b) {
  return a.finder->rank >= b.finder->rank ? *a.finder : *b.finder;
}

}  // namespace carom
