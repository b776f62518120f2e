// Welding: vertices of one place become one vertex.
//
// Vertices are hashed by the cell of a grid. Equal ones share the cell; with a
// tolerance the cell is twice as wide, so only the neighbour cells on the nearer side
// of each axis (eight in all) can hold a partner. Each vertex joins the first that is
// near enough, in file order.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "carom/geometry/mesh.h"

namespace carom {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

std::uint64_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t h = a * 0x9E3779B97F4A7C15u;
  h = (h ^ (h >> 29) ^ b) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 32) ^ c) * 0x94D049BB133111EBu;
  return h ^ (h >> 31);
}

/// Kept vertices in chains by hash.
class VertexHash {
 public:
  explicit VertexHash(std::size_t count)
      : heads_(std::bit_ceil(count + 1), kNone), next_(count, kNone) {}

  template <class Match>
  std::uint32_t find(std::uint64_t hash, Match match) const {
    for (std::uint32_t i = heads_[hash & (heads_.size() - 1)]; i != kNone; i = next_[i]) {
      if (match(i)) return i;
    }
    return kNone;
  }
  void insert(std::uint64_t hash, std::uint32_t i) {
    std::uint32_t& head = heads_[hash & (heads_.size() - 1)];
    next_[i] = head;
    head = i;
  }

 private:
  std::vector<std::uint32_t> heads_, next_;
};

std::uint64_t cell_hash(const Vec3& cell) {
  return mixed(std::bit_cast<std::uint64_t>(cell.x + 0.0),
               std::bit_cast<std::uint64_t>(cell.y + 0.0),
               std::bit_cast<std::uint64_t>(cell.z + 0.0));
}

/// For every vertex the one that stands for it.
std::vector<std::uint32_t> find_equal(const std::vector<Vec3>& points) {
  VertexHash hash(points.size());
  std::vector<std::uint32_t> target(points.size());
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const std::uint64_t h = cell_hash(points[i]);
    const std::uint32_t j = hash.find(h, [&](std::uint32_t k) { return points[k] == points[i]; });
    target[i] = j == kNone ? i : j;
    if (j == kNone) hash.insert(h, i);
  }
  return target;
}

std::vector<std::uint32_t> find_near(const std::vector<Vec3>& points, double tolerance) {
  VertexHash hash(points.size());
  std::vector<std::uint32_t> target(points.size());
  const double inverse_cell = 0.5 / tolerance;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const Vec3 grid = inverse_cell * points[i];
    const Vec3 cell{std::floor(grid.x), std::floor(grid.y), std::floor(grid.z)};
    std::uint32_t best = kNone;
    for (unsigned corner = 0; corner < 8; ++corner) {
      Vec3 other = cell;
      for (std::size_t a = 0; a < 3; ++a) {
        if (corner >> a & 1u) other[a] += grid[a] - cell[a] < 0.5 ? -1.0 : 1.0;
      }
      best = std::min(best, hash.find(cell_hash(other), [&](std::uint32_t k) {
        return norm2(points[k] - points[i]) <= tolerance * tolerance;
      }));
    }
    target[i] = best == kNone ? i : best;
    if (best == kNone) hash.insert(cell_hash(cell), i);
  }
  return target;
}

}  // namespace

std::size_t weld(TriangleMesh& mesh, double tolerance) {
  const std::vector<std::uint32_t> target =
      tolerance > 0.0 ? find_near(mesh.vertices, tolerance) : find_equal(mesh.vertices);
  const std::size_t before = mesh.triangles.size();
  for (Triangle& t : mesh.triangles) {
    for (std::uint32_t& v : t) v = target[v];
  }
  std::erase_if(mesh.triangles,
                [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
  std::vector<std::uint32_t> place(mesh.vertices.size(), kNone);
  std::vector<Vec3> kept;
  for (Triangle& t : mesh.triangles) {
    for (std::uint32_t& v : t) {
      if (place[v] == kNone) {
        place[v] = static_cast<std::uint32_t>(kept.size());
        kept.push_back(mesh.vertices[v]);
      }
      v = place[v];
    }
  }
  mesh.vertices = std::move(kept);
  return before - mesh.triangles.size();
}

}  // namespace carom
