#include "carom/geometry/mesh_repair.h"

#include <algorithm>
#include <set>

#include "carom/base/text.h"
#include "carom/geometry/mesh_edges.h"

namespace carom {
namespace {

/// The same triangle begun at its least corner.
Triangle from_least(const Triangle& t) {
  const std::size_t k = t[0] <= t[1] && t[0] <= t[2] ? 0 : t[1] <= t[2] ? 1 : 2;
  return {t[k], t[(k + 1) % 3], t[(k + 2) % 3]};
}

/// Files written with few digits leave seams: if equal vertices do not close the mesh, nearly
/// equal ones are tried.
void join_vertices(TriangleMesh& mesh, MeshRepair& done) {
  done.collapsed = weld(mesh);
  if (inspect(mesh).open_edges == 0) return;
  TriangleMesh joined = mesh;
  const double tolerance = 1e-6 * extent(mesh).diagonal();
  const std::size_t lost = weld(joined, tolerance);
  if (inspect(joined).open_edges > 0) return;
  mesh = std::move(joined);
  done.collapsed += lost;
  done.joined_within = tolerance;
}

/// Corner k such that the edge from k to k+1 is the longest.
std::size_t longest_edge(const TriangleMesh& m, const Triangle& t) {
  std::size_t best = 0;
  double most = -1.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double l = norm2(m.vertices[t[(k + 1) % 3]] - m.vertices[t[k]]);
    if (l > most) most = l, best = k;
  }
  return best;
}

/// Turns the edge a b between the sliver (a, b, c) and its neighbour (b, a, d) to c d.
/// False if the edge has not just these two triangles, running in opposite senses.
bool turn_edge(TriangleMesh& mesh, std::uint32_t sliver, std::span<const HalfEdge> sides) {
  if (sides.size() != 2 || sides[0].forward == sides[1].forward) return false;
  const std::uint32_t other = sides[0].triangle == sliver ? sides[1].triangle : sides[0].triangle;
  const Triangle& t = mesh.triangles[sliver];
  const std::size_t k = longest_edge(mesh, t);
  const std::uint32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
  const Triangle& n = mesh.triangles[other];
  const std::size_t j = n[0] == b ? 0 : n[1] == b ? 1 : 2;
  const std::uint32_t d = n[(j + 2) % 3];
  if (n[(j + 1) % 3] != a || d == c) return false;
  mesh.triangles[sliver] = {a, d, c};
  mesh.triangles[other] = {d, b, c};
  return true;
}

}  // namespace

std::size_t drop_duplicates(TriangleMesh& mesh) {
  std::vector<std::pair<Triangle, std::uint32_t>> sorted;
  sorted.reserve(mesh.triangles.size());
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    sorted.emplace_back(from_least(mesh.triangles[i]), i);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<bool> is_copy(sorted.size(), false);
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].first == sorted[i - 1].first) is_copy[sorted[i].second] = true;
  }
  std::size_t at = 0;
  return std::erase_if(mesh.triangles, [&](const Triangle&) { return is_copy[at++]; });
}

std::size_t merge_slivers(TriangleMesh& mesh) {
  const std::size_t before = mesh.triangles.size();
  std::size_t merged = 0;
  // A neighbour may be a sliver too: each round deals with slivers that share no edge. Every
  // turned edge is shorter than the one before, so this ends; the bound is for rounding.
  for (int round = 0; round < 30; ++round) {
    std::vector<std::uint32_t> slivers;
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
      if (!has_area(mesh, mesh.triangles[i])) slivers.push_back(i);
    }
    if (slivers.empty()) break;
    const std::vector<HalfEdge> edges = sorted_half_edges(mesh);
    std::set<std::uint32_t> touched;
    std::size_t turned = 0;
    for (const std::uint32_t i : slivers) {
      const Triangle& t = mesh.triangles[i];
      const std::size_t k = longest_edge(mesh, t);
      const std::span<const HalfEdge> sides = half_edges_of(edges, t[k], t[(k + 1) % 3]);
      const bool is_free = std::none_of(sides.begin(), sides.end(), [&](const HalfEdge& h) {
        return touched.contains(h.triangle);
      });
      if (!is_free || !turn_edge(mesh, i, sides)) continue;
      for (const HalfEdge& h : sides) touched.insert(h.triangle);
      ++turned;
    }
    if (turned == 0) break;
    merged += turned;
  }
  drop_degenerate(mesh);
  return merged + before - mesh.triangles.size();
}

MeshRepair repair(TriangleMesh& mesh) {
  MeshRepair done;
  join_vertices(mesh, done);
  done.duplicates = drop_duplicates(mesh);
  done.slivers = merge_slivers(mesh);
  done.turned = orient(mesh);
  return done;
}

std::string unit_finding(double size, double others) {
  const std::string across = "it is " + rounded_text(size) + " m across";
  const bool beside_others = others > 0.0;
  // A factor of 1000 is that of millimetres; bodies of one scene rarely differ by 300.
  if (size > 300.0 || (beside_others && size > 300.0 * others && size > 10.0)) {
    return across + "; if it should be " + rounded_text(1e-3 * size) +
           " m, its file is in millimetres: write scale: 0.001";
  }
  const bool is_small =
      (size < others / 3000.0 && size < 1e-2) || (size < others / 300.0 && size < 1e-3);
  // Scenes of less than a millimetre as a whole are rare, meshes of a part of 0.2 m with a scale
  // for millimetres that are metres are not.
  if (size < 1e-4 || std::max(size, others) < 1e-3 || (beside_others && is_small)) {
    return across + "; if it should be " + rounded_text(1e3 * size) +
           " m, leave the scale out, or write scale: 1000 where there is none";
  }
  return {};
}

}  // namespace carom
