// Meshes for tests of triangle surfaces.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <random>
#include <unordered_map>
#include <vector>

#include "carom/geometry/mesh.h"
#include "carom/math/pose.h"

namespace carom::test {

/// Halves all edges of all triangles `times` times.
inline void subdivide(TriangleMesh& m, int times) {
  for (; times > 0; --times) {
    std::unordered_map<std::uint64_t, std::uint32_t> middles;
    middles.reserve(2 * m.triangles.size());
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const std::uint64_t edge = (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
      const auto [at, is_new] =
          middles.try_emplace(edge, static_cast<std::uint32_t>(m.vertices.size()));
      if (is_new) m.vertices.push_back(0.5 * (m.vertices[a] + m.vertices[b]));
      return at->second;
    };
    std::vector<Triangle> finer;
    for (const Triangle& t : m.triangles) {
      const std::uint32_t a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
      finer.insert(finer.end(), {{t[0], a, c}, {t[1], b, a}, {t[2], c, b}, {a, b, c}});
    }
    m.triangles = finer;
  }
}

/// An icosahedron with edges halved, each vertex moved to radius(direction).
inline TriangleMesh icosphere(int times, const std::function<double(const Vec3&)>& radius) {
  const double g = 0.5 * (1.0 + std::sqrt(5.0));
  TriangleMesh m{
      {{-1, g, 0},
       {1, g, 0},
       {-1, -g, 0},
       {1, -g, 0},
       {0, -1, g},
       {0, 1, g},
       {0, -1, -g},
       {0, 1, -g},
       {g, 0, -1},
       {g, 0, 1},
       {-g, 0, -1},
       {-g, 0, 1}},
      {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
       {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
       {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
  subdivide(m, times);
  for (Vec3& p : m.vertices) {
    const Vec3 u = normalized(p);
    p = radius(u) * u;
  }
  return m;
}

/// The bumpy sphere of radius about 1 of the mesh queries.
inline TriangleMesh bumpy_sphere(int times) {
  return icosphere(times, [](const Vec3& u) {
    return 1.0 + 0.05 * std::sin(9 * u.x + 0.3) * std::sin(9 * u.y + 0.7) * std::sin(9 * u.z + 1.1);
  });
}

/// The bumpy torus of radii 1 and 0.35 of the mesh queries.
inline TriangleMesh bumpy_torus(std::uint32_t n, double bump = 0.05) {
  TriangleMesh m;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      const double a = 2.0 * std::numbers::pi * i / n, b = 2.0 * std::numbers::pi * j / n;
      const double r = 0.35 * (1.0 + bump * std::sin(9 * a) * std::sin(5 * b));
      const double out = 1.0 + r * std::cos(b);
      m.vertices.push_back({out * std::cos(a), out * std::sin(a), r * std::sin(b)});
      const std::uint32_t i1 = (i + 1) % n, j1 = (j + 1) % n;
      m.triangles.push_back({i * n + j, i1 * n + j, i1 * n + j1});
      m.triangles.push_back({i * n + j, i1 * n + j1, i * n + j1});
    }
  }
  return m;
}

inline TriangleMesh brick(const Vec3& lower, const Vec3& upper) {
  TriangleMesh m;
  for (int i = 0; i < 8; ++i) {
    m.vertices.push_back(
        {i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z});
  }
  m.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return m;
}
inline TriangleMesh cube(double edge) {
  const double h = 0.5 * edge;
  return brick({-h, -h, -h}, {h, h, h});
}

/// Both meshes in one; the second turned inside out if it is a cavity.
inline TriangleMesh together(TriangleMesh a, const TriangleMesh& b, bool is_cavity = false) {
  const auto n = static_cast<std::uint32_t>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Triangle& t : b.triangles) {
    a.triangles.push_back({t[0] + n, t[is_cavity ? 2 : 1] + n, t[is_cavity ? 1 : 2] + n});
  }
  return a;
}

/// A prism over a star of 2 n corners: not convex, with sharp edges.
inline TriangleMesh star_prism(std::uint32_t n, double inner, double half) {
  TriangleMesh m;
  const std::uint32_t c = 2 * n;
  for (const double z : {-half, half}) {
    for (std::uint32_t i = 0; i < c; ++i) {
      const double a = std::numbers::pi * i / n, r = i % 2 ? inner : 1.0;
      m.vertices.push_back({r * std::cos(a), r * std::sin(a), z});
    }
  }
  m.vertices.push_back({0, 0, -half});
  m.vertices.push_back({0, 0, half});
  for (std::uint32_t i = 0; i < c; ++i) {
    const std::uint32_t j = (i + 1) % c;
    m.triangles.insert(
        m.triangles.end(),
        {{2 * c, j, i}, {2 * c + 1, c + i, c + j}, {i, j, c + j}, {i, c + j, c + i}});
  }
  return m;
}

/// A sheet of 2 n² triangles over [-1, 1]², z = height(x, y), its upper side outside.
inline TriangleMesh sheet(std::uint32_t n, const std::function<double(double, double)>& height) {
  TriangleMesh m;
  for (std::uint32_t i = 0; i <= n; ++i) {
    for (std::uint32_t j = 0; j <= n; ++j) {
      const double x = -1.0 + 2.0 * i / n, y = -1.0 + 2.0 * j / n;
      m.vertices.push_back({x, y, height(x, y)});
      if (i == n || j == n) continue;
      const std::uint32_t a = i * (n + 1) + j, b = a + n + 1;
      m.triangles.insert(m.triangles.end(), {{a, b, b + 1}, {a, b + 1, a + 1}});
    }
  }
  return m;
}

inline Pose random_turn(std::mt19937_64& gen, double reach) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> u(-reach, reach);
  const Quat q = normalized(Quat{normal(gen), normal(gen), normal(gen), normal(gen)});
  return {to_matrix(q), {u(gen), u(gen), u(gen)}};
}

}  // namespace carom::test
