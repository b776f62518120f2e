// Contacts of shapes that are sets of convex pieces (geometry/piece_set.h).
//
// Pieces are paired through their trees of boxes; every pair within the margin is a
// contact of its own. One that touches a piece only where its neighbour is touched more
// (the edge between two triangles of a flat part) is the neighbour's and is left out, so
// a ball rolling over the seams of a mesh has one contact, and its phi is continuous. Where
// seams of both shapes meet, contacts at one place along one normal are one.
#pragma once

#include <vector>

#include "carom/geometry/shape.h"
#include "carom/proximity/distance.h"

namespace carom {

struct PieceContact {
  std::uint32_t piece_a = 0, piece_b = 0;  ///< indices into contact_cores()
  Contact contact;
  bool dropped = false;  ///< while seams are looked for: it belongs to another one

  /// The same number for the same pair of pieces of the same shapes.
  std::uint64_t key() const { return (std::uint64_t{piece_a} << 32) | piece_b; }
};

/// All contacts with phi <= margin, in the order of their keys. Allocates nothing once `out`
/// has room for all pairs of pieces within the margin.
void find_contacts(const Shape& A, const Pose& X_WA, const Shape& B, const Pose& X_WB,
                   double margin, std::vector<PieceContact>& out);

/// The pair of pieces with the least phi; of equal ones the first. For shapes of one piece
/// the same as distance() of their cores.
PieceContact nearest_contact(const Shape& A, const Pose& X_WA, const Shape& B, const Pose& X_WB);

}  // namespace carom
