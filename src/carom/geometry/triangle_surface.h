// A triangle mesh as one collider: who its neighbours are, where its triangles lie, and the same
// surface drawn in by a hair.
//
// Two bodies whose faces lie in one plane (stacked cubes) have an intersection curve that rounding
// decides. So of two surfaces the second is used with every face moved inwards by `shrink`,
// 2^-34 of its size: more than rounding after any common rotation, less than anything measured.
// A vertex moves by the d that solves n.d = -shrink over the normals n of its triangles, in the
// least-squares sense.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/geometry/box4_tree.h"
#include "carom/geometry/mesh.h"

namespace carom {

inline constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

struct SurfaceEdge {
  std::uint32_t low, high;                  ///< vertices, low < high
  std::uint32_t left = kNoIndex;            ///< a triangle that runs from low to high
  std::uint32_t right = kNoIndex;           ///< one that runs from high to low
  std::uint32_t forward = 0, backward = 0;  ///< how many run each way

  /// Every triangle has its counterpart: the surface does not end here.
  bool is_closed() const { return forward == backward; }
};

/// The plane through the corners u, v, w of a triangle.
struct FacePlane {
  Vec3 n;          ///< (v - u) × (w - u) [m²]
  Vec3 magnitude;  ///< the same with all products positive: bounds the rounding of n
};
inline FacePlane make_face_plane(const Vec3& u, const Vec3& v, const Vec3& w) {
  const Vec3 a = v - u, b = w - u;
  const auto sum = [](double x, double y) { return std::abs(x) + std::abs(y); };
  return {cross(a, b),
          {sum(a.y * b.z, a.z * b.y), sum(a.z * b.x, a.x * b.z), sum(a.x * b.y, a.y * b.x)}};
}

struct TriangleSurface {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<Vec3> drawn_in;  ///< vertices with all faces moved in by `shrink`
  std::vector<Triangle> triangles;
  std::vector<FacePlane> planes;  ///< of the triangles over `vertices`
  std::vector<SurfaceEdge> edges;
  std::vector<std::array<std::uint32_t, 3>> edges_of;  ///< edge k joins corners k and k+1
  std::vector<std::uint32_t>
      first_corner;  ///< triangles of vertex v: triangles_at[first_corner[v]…]
  std::vector<std::uint32_t> triangles_at;
  std::vector<std::uint32_t> part_of;    ///< of a vertex: its connected part
  std::vector<std::uint32_t> part_seed;  ///< a vertex of each part
  Box4Tree tree;                         ///< of the triangles; contains both sets of vertices
  double shrink = 0.0;                   ///< [m]
  double volume = 0.0;                   ///< signed; of a sheet it says nothing [m³]
  bool is_closed = true;                 ///< it has an inside
  std::vector<std::uint8_t> is_at_rim;   ///< of a vertex of a sheet: the surface ends there
  /// The same sheet with its inside on the other side; null: it is closed.
  std::shared_ptr<const TriangleSurface> back;

  std::span<const std::uint32_t> around(std::uint32_t vertex) const {
    return {triangles_at.data() + first_corner[vertex],
            first_corner[vertex + 1] - first_corner[vertex]};
  }
  bool runs_forward(std::uint32_t triangle, std::size_t k) const {
    return triangles[triangle][k] < triangles[triangle][(k + 1) % 3];
  }
};

/// Why a mesh cannot be a surface ("vertex 3 is not finite"); empty if it can.
std::string surface_problem(const TriangleMesh& mesh);

/// Equal vertices are joined, repeated triangles left out, and those without area merged into
/// neighbours (mesh_repair.h); their sense stays as it is. A mesh with a problem, or without
/// triangles, gives a surface without any.
TriangleSurface make_triangle_surface(const TriangleMesh& mesh);

/// The same as a collider: a sheet knows its back.
std::shared_ptr<const TriangleSurface> make_collider_surface(const TriangleMesh& mesh);

}  // namespace carom
