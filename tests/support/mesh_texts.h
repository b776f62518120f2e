// Meshes as texts of OBJ files, for scenes that carry their files along.
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <sstream>
#include <string>

#include "carom/geometry/mesh.h"

namespace carom::testing {

inline std::string obj_text(const TriangleMesh& mesh) {
  std::ostringstream out;
  out.precision(17);
  for (const Vec3& v : mesh.vertices) out << "v " << v.x << " " << v.y << " " << v.z << "\n";
  for (const Triangle& t : mesh.triangles) {
    out << "f " << t[0] + 1 << " " << t[1] + 1 << " " << t[2] + 1 << "\n";
  }
  return out.str();
}

/// A plate of 0.5 x 0.5 x 0.1 m on four legs of 0.1 m, one closed surface; feet at z = -0.1 m.
inline std::string table_obj() {
  using Cell = std::array<int, 3>;
  std::set<Cell> cells;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      cells.insert({i, j, 1});
      if (i % 4 == 0 && j % 4 == 0) cells.insert({i, j, 0});
    }
  }
  TriangleMesh mesh;
  std::map<Cell, std::uint32_t> known;
  const auto vertex = [&](const Cell& c) {
    const auto [at, is_new] =
        known.try_emplace(c, static_cast<std::uint32_t>(mesh.vertices.size()));
    if (is_new) mesh.vertices.push_back({0.1 * (c[0] - 2.5), 0.1 * (c[1] - 2.5), 0.1 * (c[2] - 1)});
    return at->second;
  };
  for (const Cell& cell : cells) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const int side : {0, 1}) {
        Cell next = cell;
        next[axis] += side == 1 ? 1 : -1;
        if (cells.contains(next)) continue;
        const auto corner = [&](int a, int b) {
          Cell c = cell;
          c[axis] += side, c[(axis + 1) % 3] += a, c[(axis + 2) % 3] += b;
          return vertex(c);
        };
        const std::uint32_t p = corner(0, 0), q = corner(1, 0), r = corner(1, 1), s = corner(0, 1);
        if (side == 1) mesh.triangles.insert(mesh.triangles.end(), {{p, q, r}, {p, r, s}});
        if (side == 0) mesh.triangles.insert(mesh.triangles.end(), {{p, r, q}, {p, s, r}});
      }
    }
  }
  return obj_text(mesh);
}

/// n x n quadrangles around the radii R and r.
inline std::string torus_obj(std::uint32_t n, double R, double r) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      const double a = 2.0 * std::numbers::pi * i / n, b = 2.0 * std::numbers::pi * j / n;
      const double out = R + r * std::cos(b);
      mesh.vertices.push_back({out * std::cos(a), out * std::sin(a), r * std::sin(b)});
      const std::uint32_t i2 = (i + 1) % n, j2 = (j + 1) % n;
      mesh.triangles.push_back({i * n + j, i2 * n + j, i2 * n + j2});
      mesh.triangles.push_back({i * n + j, i2 * n + j2, i * n + j2});
    }
  }
  return obj_text(mesh);
}

}  // namespace carom::testing
