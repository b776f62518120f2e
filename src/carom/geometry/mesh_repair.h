// What makes a mesh from a file a clean surface, and a report of what was done.
//
// Vertices of one place are joined, triangles that repeat a corner or another triangle are left
// out, triangles without area are merged into the neighbour on their longest edge (dropped alone
// they would leave a slit), and neighbours are made to agree about the outside.
#pragma once

#include <string>

#include "carom/geometry/mesh.h"

namespace carom {

struct MeshRepair {
  std::size_t collapsed = 0;   ///< triangles that had a corner twice
  std::size_t duplicates = 0;  ///< triangles that were there already, with the same sense
  std::size_t slivers = 0;     ///< triangles without area, merged into a neighbour or left out
  std::size_t turned = 0;      ///< triangles whose sense was changed
  double joined_within = 0.0;  ///< [m]; not 0: vertices this close were joined to close seams
};

/// Leaves holes and non-manifold edges as they are: inspect() reports them.
MeshRepair repair(TriangleMesh& mesh);

/// Drops triangles with the same corners in the same sense as an earlier one.
std::size_t drop_duplicates(TriangleMesh& mesh);

/// Merges triangles without area into their neighbours: the edge between them is turned to the
/// other diagonal of the two. One without a neighbour there is left out.
std::size_t merge_slivers(TriangleMesh& mesh);

/// Which unit the coordinates are likely in if they are not metres, by the size of the mesh and
/// that of the other bodies around (0: none): "it is 210 m across; …". Empty if nothing is odd.
std::string unit_finding(double size, double size_of_others);

}  // namespace carom
