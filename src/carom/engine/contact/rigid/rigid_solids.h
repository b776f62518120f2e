// Bodies with flat faces, straight edges and corners, all within a ball's radius of them: boxes,
// polyhedra, plates, capsules and balls, as rigid contact sees them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/geometry/core.h"
#include "carom/math/pose.h"

namespace carom {

struct RigidSolid {
  struct Face {
    Vec3 normal;  ///< unit, outward
    double offset = 0.0;
    std::vector<std::uint32_t> loop;  ///< vertices, counter-clockwise seen from outside
    std::vector<Vec3> inward;         ///< per side of the loop: unit, in the face, towards it
  };
  struct Edge {
    std::array<std::uint32_t, 2> ends{};
    Vec3 direction;  ///< unit, from the first to the second
    double length = 0.0;
    std::array<int, 2> faces{-1, -1};  ///< that it bounds
    std::array<Vec3, 2> inward;        ///< of these, as of their loops
    Vec3 outward;                      ///< away from the body; zero where it has no faces
  };
  double radius = 0.0;  ///< of the ball that goes over all of it [m]
  Core core;            ///< the same for distances: edges that nobody has set are sharp
  std::vector<Vec3> vertices;
  std::vector<Face> faces;
  std::vector<Edge> edges;

  bool has_arcs = true;  ///< of normals at every edge: it is no plate

  bool empty() const { return vertices.empty(); }
};

/// Of a core; empty where it has round faces or edges of other kinds. `is_sharp`: rounding that
/// nobody has set, which serves elastic laws, is left out.
RigidSolid make_solid(const Core& core, bool is_sharp);

/// Whether `separation` knows the pair: sharp bodies with faces, not too many of them.
bool has_separation(const RigidSolid& A, const RigidSolid& B);

/// The widest gap along normals of faces and of pairs of edges: minus the depth of bodies that
/// overlap; of others a lower bound of their distance. Its sign is right to rounding, however the
/// bodies touch, where a search for the nearest points may lose its way.
double separation(const RigidSolid& A, const Pose& X_WA, const RigidSolid& B, const Pose& X_WB);

}  // namespace carom
