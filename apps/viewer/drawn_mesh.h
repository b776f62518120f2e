// Triangles as a graphics card wants them: one normal per vertex, vertices split where
// the surface has an edge.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/geometry/rounded_mesh.h"
#include "viewer/packing.h"

namespace carom::viewer {

struct DrawnMesh {
  std::vector<float> positions;        ///< x, y, z per vertex [m]
  std::vector<std::int16_t> normals;   ///< x, y, z per vertex, 32767 is 1
  std::vector<std::uint32_t> corners;  ///< three per triangle
  std::size_t vertex_count() const { return positions.size() / 3; }
};

/// Vertices with their own normals keep them. Elsewhere faces that meet at less than `crease` [rad]
/// are shaded as one smooth surface.
DrawnMesh shade(const SmoothMesh& mesh, double crease = 0.6);

/// Positions, normals (padded to four bytes), corners.
void append_mesh(Bytes& out, const DrawnMesh& mesh);

}  // namespace carom::viewer
