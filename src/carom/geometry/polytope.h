// A convex polytope by its vertices, with what a support search needs.
//
// Small ones are searched by brute force. Large ones by hill climbing along edges:
// on a convex polytope a vertex none of whose neighbours is better is the best.
// The climb starts from a table over directions (a grid on the faces of a cube),
// never from the last answer, so the result depends on the direction alone.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/math/vec3.h"

namespace carom {

struct PolytopeFace {
  Vec3 normal;              ///< unit, outward
  double offset = 0.0;      ///< normal.x = offset on the face [m]
  std::uint32_t first = 0;  ///< its vertices are face_vertices[first .. first + count)
  std::uint32_t count = 0;  ///< counter-clockwise seen from outside
};

struct Polytope {
  int dimension = 0;  ///< 3 a body, 2 a polygon, 1 a segment, 0 a point
  double radius = 0.0;
  std::vector<Vec3> vertices;  ///< extreme points only
  std::vector<PolytopeFace> faces;
  std::vector<std::uint32_t> face_vertices;
  std::vector<std::uint32_t> neighbour_first;  ///< vertex i: neighbours[first[i] .. first[i+1])
  std::vector<std::uint32_t> neighbours;       ///< empty: search by brute force
  std::vector<std::uint32_t> start;            ///< 6 k² entries; empty: brute force
  std::uint32_t start_resolution = 0;          ///< k
  std::vector<std::uint32_t>
      vertex_face_first;                    ///< vertex i is on vertex_faces[first[i] .. first[i+1])
  std::vector<std::uint32_t> vertex_faces;  ///< indices of faces

  std::span<const std::uint32_t> vertices_of(const PolytopeFace& f) const {
    return {face_vertices.data() + f.first, f.count};
  }
  std::span<const std::uint32_t> faces_at(std::uint32_t vertex) const {
    const std::uint32_t first = vertex_face_first[vertex];
    return {vertex_faces.data() + first, vertex_face_first[vertex + 1] - first};
  }
};

/// Below this many vertices a scan of all is faster than a climb.
inline constexpr std::size_t kBruteForceVertices = 32;

/// The convex hull of `points`, of whatever dimension they span. Points nearer
/// than `flatness` times their extent to a common plane (line) span that plane.
/// Returns an empty polytope (no vertices) only for no or non-finite points.
Polytope make_polytope(std::span<const Vec3> points, double flatness = 1e-10);

/// Index of a vertex farthest along `direction`.
std::uint32_t support_vertex(const Polytope& polytope, const Vec3& direction);
/// The same by scanning all vertices.
std::uint32_t support_vertex_by_scan(const Polytope& polytope, const Vec3& direction);

/// The faces as triangles, outward; for a polygon both sides.
std::vector<std::array<std::uint32_t, 3>> triangulate(const Polytope& polytope);

}  // namespace carom
