#include "carom/geometry/polytope.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/geometry/convex_hull.h"

namespace carom {
namespace {

/// The cell of a grid on the faces of a cube that `d` passes through.
std::uint32_t direction_cell(const Vec3& d, std::uint32_t k) {
  const double ax = std::abs(d.x), ay = std::abs(d.y), az = std::abs(d.z);
  const std::uint32_t axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
  const double major = d[axis], scale = 0.5 * k / std::abs(major);
  const double half = 0.5 * k, top = k - 1.0;
  const double u = std::clamp(half + scale * d[(axis + 1) % 3], 0.0, top);
  const double v = std::clamp(half + scale * d[(axis + 2) % 3], 0.0, top);
  const std::uint32_t face = 2 * axis + (major < 0.0 ? 1 : 0);
  return (face * k + static_cast<std::uint32_t>(u)) * k + static_cast<std::uint32_t>(v);
}

/// The direction through the middle of a cell.
Vec3 cell_direction(std::uint32_t cell, std::uint32_t k) {
  const std::uint32_t face = cell / (k * k), u = cell / k % k, v = cell % k;
  Vec3 d;
  d[face / 2] = face % 2 ? -1.0 : 1.0;
  d[(face / 2 + 1) % 3] = (2.0 * u + 1.0) / k - 1.0;
  d[(face / 2 + 2) % 3] = (2.0 * v + 1.0) / k - 1.0;
  return d;
}

std::uint32_t climb(const Polytope& p, const Vec3& d, std::uint32_t at) {
  double best = dot(d, p.vertices[at]);
  for (;;) {
    const std::uint32_t from = at;
    for (std::uint32_t i = p.neighbour_first[from]; i < p.neighbour_first[from + 1]; ++i) {
      const double value = dot(d, p.vertices[p.neighbours[i]]);
      if (value > best) best = value, at = p.neighbours[i];
    }
    if (at == from) return at;
  }
}

void link_neighbours(Polytope& p) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // both ways
  for (const PolytopeFace& f : p.faces) {
    const auto v = p.vertices_of(f);
    for (std::size_t i = 0; i < v.size(); ++i) {
      const std::uint32_t a = v[i], b = v[(i + 1) % v.size()];
      edges.push_back({a, b});
      edges.push_back({b, a});
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  // Euler: a closed convex surface has V - E + F = 2. If merging of nearly flat faces
  // left something else, the edges cannot be trusted to climb along.
  const auto count = [](std::size_t n) { return static_cast<long>(n); };
  if (count(p.vertices.size()) - count(edges.size() / 2) + count(p.faces.size()) != 2) return;
  p.neighbour_first.assign(p.vertices.size() + 1, 0);
  for (const auto& [a, b] : edges) {
    ++p.neighbour_first[a + 1];
    p.neighbours.push_back(b);
  }
  for (std::size_t i = 0; i < p.vertices.size(); ++i) {
    p.neighbour_first[i + 1] += p.neighbour_first[i];
  }
}

void link_faces(Polytope& p) {
  p.vertex_face_first.assign(p.vertices.size() + 1, 0);
  for (const std::uint32_t v : p.face_vertices) ++p.vertex_face_first[v + 1];
  for (std::size_t i = 0; i < p.vertices.size(); ++i) {
    p.vertex_face_first[i + 1] += p.vertex_face_first[i];
  }
  p.vertex_faces.resize(p.face_vertices.size());
  std::vector<std::uint32_t> next(p.vertex_face_first.begin(), p.vertex_face_first.end() - 1);
  for (std::uint32_t f = 0; f < p.faces.size(); ++f) {
    for (const std::uint32_t v : p.vertices_of(p.faces[f])) p.vertex_faces[next[v]++] = f;
  }
}

void fill_start_table(Polytope& p) {
  const auto n = static_cast<double>(p.vertices.size());
  const auto k = static_cast<std::uint32_t>(std::clamp(std::sqrt(n / 3.0), 4.0, 64.0));
  p.start_resolution = k;
  p.start.resize(std::size_t{6} * k * k);
  std::uint32_t at = 0;
  for (std::uint32_t cell = 0; cell < p.start.size(); ++cell) {
    p.start[cell] = at = climb(p, cell_direction(cell, k), at);
  }
}

}  // namespace

std::uint32_t support_vertex_by_scan(const Polytope& p, const Vec3& d) {
  std::uint32_t best = 0;
  double value = dot(d, p.vertices[0]);
  for (std::uint32_t i = 1; i < p.vertices.size(); ++i) {
    const double w = dot(d, p.vertices[i]);
    if (w > value) value = w, best = i;
  }
  return best;
}

std::uint32_t support_vertex(const Polytope& p, const Vec3& d) {
  if (p.start.empty()) return support_vertex_by_scan(p, d);
  return climb(p, d, p.start[direction_cell(d, p.start_resolution)]);
}

Polytope make_polytope(std::span<const Vec3> points, double flatness) {
  Polytope p = convex_hull(points, flatness);
  for (const Vec3& v : p.vertices) p.radius = std::max(p.radius, norm(v));
  if (p.dimension >= 2) link_neighbours(p);
  if (p.dimension >= 2) link_faces(p);
  if (p.vertices.size() >= kBruteForceVertices && !p.neighbours.empty()) fill_start_table(p);
  return p;
}

std::vector<std::array<std::uint32_t, 3>> triangulate(const Polytope& p) {
  std::vector<std::array<std::uint32_t, 3>> out;
  for (const PolytopeFace& f : p.faces) {
    const auto v = p.vertices_of(f);
    for (std::size_t i = 1; i + 1 < v.size(); ++i) out.push_back({v[0], v[i], v[i + 1]});
  }
  return out;
}

}  // namespace carom
