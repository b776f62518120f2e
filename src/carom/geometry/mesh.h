// Triangle meshes: data, welding, orientation and a report on what is wrong.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "carom/math/vec3.h"

namespace carom {

using Triangle = std::array<std::uint32_t, 3>;  ///< counter-clockwise seen from outside

struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
};

/// Counts of what keeps a mesh from being the boundary of a body.
struct MeshReport {
  std::size_t open_edges = 0;            ///< with one triangle only: a hole's rim
  std::size_t non_manifold_edges = 0;    ///< shared by more than two triangles
  std::size_t misoriented_edges = 0;     ///< run through in the same sense by both triangles
  std::size_t degenerate_triangles = 0;  ///< a repeated vertex or no area
  std::size_t components = 0;            ///< parts connected through edges
  double volume = 0.0;                   ///< signed [m³]

  bool closed() const { return open_edges == 0 && non_manifold_edges == 0; }
  /// Closed and consistently oriented with positive volume: mass properties mean something.
  bool bounds_a_body() const { return closed() && misoriented_edges == 0 && volume > 0.0; }
};

MeshReport inspect(const TriangleMesh& mesh);

/// What the report finds wrong, as a phrase ("3 open edges (holes)"); empty if nothing.
std::string describe(const MeshReport& report);

/// Joins vertices at most `tolerance` apart (0: equal ones) and drops triangles
/// that lose a corner by it, and unused vertices. Returns how many were dropped.
std::size_t weld(TriangleMesh& mesh, double tolerance = 0.0);

/// Whether three different corners span more than rounding of them does.
bool has_area(const TriangleMesh& mesh, const Triangle& t);

/// Drops triangles without area. Returns how many.
std::size_t drop_degenerate(TriangleMesh& mesh);

/// Makes neighbouring triangles agree where they do not, and turns inward parts
/// outward. Parts that agree already keep their sense as long as the whole has
/// positive volume, so cavities stay cavities. Returns the number of triangles turned.
std::size_t orient(TriangleMesh& mesh);

void scale(TriangleMesh& mesh, const Vec3& factors);

struct MeshExtent {
  Vec3 lower, upper;
  double diagonal() const { return norm(upper - lower); }
};
MeshExtent extent(const TriangleMesh& mesh);

}  // namespace carom
