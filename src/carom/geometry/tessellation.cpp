#include "carom/geometry/tessellation.h"

#include <algorithm>
#include <numbers>

namespace carom {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

void add_quad(TriangleMesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c,
              std::uint32_t d) {
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

}  // namespace

TriangleMesh revolve(std::span<const ProfilePoint> profile, int segments) {
  TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(segments);
  std::vector<std::uint32_t> first;  // ring i: n vertices from first[i], or one pole
  for (const ProfilePoint& p : profile) {
    first.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
    if (p.r == 0.0) {
      mesh.vertices.push_back({p.x, 0.0, 0.0});
      continue;
    }
    for (std::uint32_t k = 0; k < n; ++k) {
      const double a = kTwoPi * k / n;
      mesh.vertices.push_back({p.x, p.r * std::cos(a), p.r * std::sin(a)});
    }
  }
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const std::size_t j = (i + 1) % profile.size();
    const bool pole_i = profile[i].r == 0.0, pole_j = profile[j].r == 0.0;
    if (pole_i && pole_j) continue;
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t l = (k + 1) % n;
      if (pole_i) {
        mesh.triangles.push_back({first[i], first[j] + k, first[j] + l});
      } else if (pole_j) {
        mesh.triangles.push_back({first[i] + l, first[i] + k, first[j]});
      } else {
        add_quad(mesh, first[j] + k, first[j] + l, first[i] + l, first[i] + k);
      }
    }
  }
  return mesh;
}

TriangleMesh extrude(std::span<const Vec3> polygon, const Vec3& centre, double half) {
  TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(polygon.size());
  for (const double z : {-half, half}) {
    for (const Vec3& p : polygon) mesh.vertices.push_back({p.x, p.y, z});
  }
  mesh.vertices.push_back({centre.x, centre.y, -half});
  mesh.vertices.push_back({centre.x, centre.y, half});
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t l = (k + 1) % n;
    add_quad(mesh, k, l, n + l, n + k);
    mesh.triangles.push_back({2 * n, l, k});
    mesh.triangles.push_back({2 * n + 1, n + k, n + l});
  }
  return mesh;
}

TriangleMesh unit_sphere(int segments) {
  const int rings = std::max(2, segments / 2);
  std::vector<ProfilePoint> profile{{1.0, 0.0}};
  for (int i = 1; i < rings; ++i) {
    const double a = std::numbers::pi * i / rings;
    profile.push_back({std::cos(a), std::sin(a)});
  }
  profile.push_back({-1.0, 0.0});
  return revolve(profile, segments);
}

std::vector<Vec3> spread_directions(std::size_t count) {
  const double golden = std::numbers::pi * (3.0 - std::sqrt(5.0));
  std::vector<Vec3> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double z = 1.0 - (2.0 * static_cast<double>(i) + 1.0) / static_cast<double>(count);
    const double r = std::sqrt(1.0 - z * z), a = golden * static_cast<double>(i);
    out[i] = {r * std::cos(a), r * std::sin(a), z};
  }
  return out;
}

}  // namespace carom
