#include "carom/engine/contact/rigid/rigid_solids.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

void add_face(RigidSolid& solid, const Vec3& normal, std::vector<std::uint32_t> loop) {
  RigidSolid::Face face{normal, dot(normal, solid.vertices[loop[0]]), std::move(loop), {}};
  for (std::size_t i = 0; i < face.loop.size(); ++i) {
    const Vec3& from = solid.vertices[face.loop[i]];
    const Vec3& to = solid.vertices[face.loop[(i + 1) % face.loop.size()]];
    face.inward.push_back(normalized(cross(normal, to - from)));
  }
  solid.faces.push_back(std::move(face));
}

void add_edge(RigidSolid& solid, std::uint32_t from, std::uint32_t to) {
  RigidSolid::Edge edge;
  const Vec3 way = solid.vertices[to] - solid.vertices[from];
  edge.ends = {from, to}, edge.length = norm(way), edge.direction = way / edge.length;
  solid.edges.push_back(edge);
}

/// The sides of all faces, each once, with the faces at it.
void add_edges_of_faces(RigidSolid& solid) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known;
  for (std::size_t f = 0; f < solid.faces.size(); ++f) {
    const RigidSolid::Face& face = solid.faces[f];
    for (std::size_t i = 0; i < face.loop.size(); ++i) {
      const auto ends = std::minmax(face.loop[i], face.loop[(i + 1) % face.loop.size()]);
      const auto [place, is_new] = known.try_emplace(ends, solid.edges.size());
      if (is_new) add_edge(solid, ends.first, ends.second);
      RigidSolid::Edge& edge = solid.edges[place->second];
      const std::size_t side = edge.faces[0] < 0 ? 0 : 1;
      edge.faces[side] = static_cast<int>(f), edge.inward[side] = face.inward[i];
      edge.outward = edge.outward - face.inward[i];
    }
  }
}

void add_box(RigidSolid& solid, const Vec3& h) {
  for (std::uint32_t k = 0; k < 8; ++k) {
    solid.vertices.push_back({k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z});
  }
  add_face(solid, {-1, 0, 0}, {0, 4, 6, 2});
  add_face(solid, {1, 0, 0}, {1, 3, 7, 5});
  add_face(solid, {0, -1, 0}, {0, 1, 5, 4});
  add_face(solid, {0, 1, 0}, {2, 6, 7, 3});
  add_face(solid, {0, 0, -1}, {0, 2, 3, 1});
  add_face(solid, {0, 0, 1}, {4, 5, 7, 6});
}

/// A polyhedron, or a plate with two faces.
void add_polytope(RigidSolid& solid, const Polytope& p) {
  solid.vertices = p.vertices;
  for (const PolytopeFace& face : p.faces) {
    const auto loop = p.vertices_of(face);
    add_face(solid, face.normal, {loop.begin(), loop.end()});
  }
}

/// Widest gap along the normals of the faces of A; vertices of B in the axes of A.
double gap_of_faces(const RigidSolid& A, std::span<const Vec3> of_b) {
  double widest = -std::numeric_limits<double>::infinity();
  for (const RigidSolid::Face& face : A.faces) {
    double lowest = std::numeric_limits<double>::infinity();
    for (const Vec3& v : of_b) lowest = std::min(lowest, dot(face.normal, v) - face.offset);
    widest = std::max(widest, lowest);
  }
  return widest;
}

/// Whether the arcs from a to b and from c to d on the sphere of normals cross: then the two edges
/// are a face of the difference of the bodies [Gregorius 2013].
bool arcs_cross(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 ba = cross(b, a), dc = cross(d, c);
  const double cba = dot(c, ba), dba = dot(d, ba), adc = dot(a, dc), bdc = dot(b, dc);
  return cba * dba < 0.0 && adc * bdc < 0.0 && cba * bdc > 0.0;
}

}  // namespace

bool has_separation(const RigidSolid& A, const RigidSolid& B) {
  constexpr std::size_t kMostPairs = 20000;
  const auto is_sharp = [](const RigidSolid& s) {
    return s.radius == 0.0 && !s.faces.empty() && s.has_arcs;
  };
  return is_sharp(A) && is_sharp(B) && A.edges.size() * B.edges.size() <= kMostPairs;
}

double separation(const RigidSolid& A, const Pose& X_WA, const RigidSolid& B, const Pose& X_WB) {
  constexpr double kParallel = 1e-6;  // such edges span no direction that faces do not
  const Pose X_AB = inverse(X_WA) * X_WB;
  std::vector<Vec3> of_b, of_a;
  for (const Vec3& v : B.vertices) of_b.push_back(X_AB * v);
  for (const Vec3& v : A.vertices) of_a.push_back(transpose_times(X_AB.R, v - X_AB.p));
  double widest = std::max(gap_of_faces(A, of_b), gap_of_faces(B, of_a));
  for (const RigidSolid::Edge& b : B.edges) {
    const Vec3 e_b = X_AB.R * b.direction, from = of_b[b.ends[0]];
    const Vec3 c = -(X_AB.R * B.faces[static_cast<std::size_t>(b.faces[0])].normal);
    const Vec3 d = -(X_AB.R * B.faces[static_cast<std::size_t>(b.faces[1])].normal);
    for (const RigidSolid::Edge& a : A.edges) {
      const Vec3& n0 = A.faces[static_cast<std::size_t>(a.faces[0])].normal;
      const Vec3& n1 = A.faces[static_cast<std::size_t>(a.faces[1])].normal;
      if (!arcs_cross(n0, n1, c, d)) continue;
      Vec3 n = cross(a.direction, e_b);
      const double sine = norm(n);
      if (sine < kParallel) continue;
      if (dot(n, a.outward) < 0.0) n = -n;
      widest = std::max(widest, dot(n, from - A.vertices[a.ends[0]]) / sine);
    }
  }
  return widest;
}

RigidSolid make_solid(const Core& core, bool is_sharp) {
  RigidSolid solid;
  solid.core = core;
  solid.radius = core.rounding;
  if (core.kind == &core_box) {
    const double q = is_sharp ? core.rounding : 0.0;
    if (is_sharp) solid.core.rounding = solid.radius = 0.0;
    solid.core.v[0] = core.v[0] + Vec3{q, q, q};
    add_box(solid, solid.core.v[0]);
  } else if (core.kind == &core_point) {
    solid.vertices = {core.v[0]};
  } else if (core.kind == &core_segment) {
    solid.vertices = {core.v[0] - core.v[1], core.v[0] + core.v[1]};
    add_edge(solid, 0, 1);
  } else if (core.kind == &core_polytope) {
    add_polytope(solid, PolytopeCore::polytope(core));
  } else if (core.kind == &core_simplex) {
    const auto count = static_cast<std::size_t>(core.count);
    const Polytope p = make_polytope({core.v, count});
    if (p.vertices.size() != count) return {};  // flatter than it says
    add_polytope(solid, p);
  }
  if (!solid.faces.empty()) add_edges_of_faces(solid);
  for (const RigidSolid::Edge& edge : solid.edges) {
    const auto normal = [&](std::size_t i) {
      return solid.faces[static_cast<std::size_t>(edge.faces[i])].normal;
    };
    if (edge.faces[1] < 0 || dot(normal(0), normal(1)) < -0.999999) solid.has_arcs = false;
  }
  return solid;
}

}  // namespace carom
