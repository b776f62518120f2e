#include "viewer/drawn_mesh.h"

#include <algorithm>
#include <cmath>

namespace carom::viewer {
namespace {

struct Corner {
  std::uint32_t triangle, place;
};

/// Of each corner of each triangle: the face's normal, weighted by the angle there, so
/// that the shading does not depend on how a face is cut into triangles.
std::vector<std::array<Vec3, 3>> corner_normals(const TriangleMesh& mesh) {
  std::vector<std::array<Vec3, 3>> out(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& tri = mesh.triangles[t];
    const Vec3 p[3] = {mesh.vertices[tri[0]], mesh.vertices[tri[1]], mesh.vertices[tri[2]]};
    const Vec3 n = cross(p[1] - p[0], p[2] - p[0]);
    const double area = norm(n);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 a = p[(k + 1) % 3] - p[k], b = p[(k + 2) % 3] - p[k];
      const double angle = std::atan2(norm(cross(a, b)), dot(a, b));
      out[t][k] = area > 0.0 ? (angle / area) * n : Vec3{};
    }
  }
  return out;
}

std::int16_t pack_component(double x) {
  return static_cast<std::int16_t>(std::lround(std::clamp(x, -1.0, 1.0) * 32767.0));
}

std::uint32_t add_vertex(DrawnMesh& out, const Vec3& p, const Vec3& n) {
  const double length = norm(n);
  const Vec3 unit = length > 0.0 ? (1.0 / length) * n : Vec3{0, 0, 1};
  for (const double x : {p.x, p.y, p.z}) out.positions.push_back(static_cast<float>(x));
  for (const double x : {unit.x, unit.y, unit.z}) out.normals.push_back(pack_component(x));
  return static_cast<std::uint32_t>(out.vertex_count() - 1);
}

/// Corners around one vertex, split into groups whose normals lie within the crease of
/// the group's first.
void split_vertex(const std::vector<Corner>& corners, const Vec3& p,
                  const std::vector<std::array<Vec3, 3>>& normals, double cos_crease,
                  DrawnMesh& out) {
  std::vector<bool> done(corners.size(), false);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (done[i]) continue;
    const Vec3& seed = normals[corners[i].triangle][corners[i].place];
    Vec3 sum;
    std::vector<std::size_t> members;
    for (std::size_t j = i; j < corners.size(); ++j) {
      const Vec3& n = normals[corners[j].triangle][corners[j].place];
      if (done[j] || dot(seed, n) < cos_crease * norm(seed) * norm(n)) continue;
      sum += n;
      members.push_back(j);
      done[j] = true;
    }
    const std::uint32_t vertex = add_vertex(out, p, sum);
    for (const std::size_t j : members) {
      out.corners[3 * corners[j].triangle + corners[j].place] = vertex;
    }
  }
}

}  // namespace

DrawnMesh shade(const SmoothMesh& smooth, double crease) {
  const TriangleMesh& mesh = smooth.mesh;
  if (!smooth.normals.empty()) {
    DrawnMesh out;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      add_vertex(out, mesh.vertices[v], smooth.normals[v]);
    }
    for (const Triangle& t : mesh.triangles)
      out.corners.insert(out.corners.end(), t.begin(), t.end());
    return out;
  }
  std::vector<std::vector<Corner>> around(mesh.vertices.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::uint32_t k = 0; k < 3; ++k) around[mesh.triangles[t][k]].push_back({t, k});
  }
  DrawnMesh out;
  out.corners.resize(3 * mesh.triangles.size());
  const std::vector<std::array<Vec3, 3>> normals = corner_normals(mesh);
  for (std::size_t v = 0; v < around.size(); ++v) {
    split_vertex(around[v], mesh.vertices[v], normals, std::cos(crease), out);
  }
  return out;
}

void append_mesh(Bytes& out, const DrawnMesh& mesh) {
  append_raw<float>(out, mesh.positions);
  append_raw<std::int16_t>(out, mesh.normals);
  pad_to_four(out);
  append_raw<std::uint32_t>(out, mesh.corners);
}

}  // namespace carom::viewer
