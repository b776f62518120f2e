#include "carom/geometry/mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/mesh_edges.h"

namespace carom {
namespace {

/// Twice the area vector.
Vec3 area_vector(const TriangleMesh& m, const Triangle& t) {
  return cross(m.vertices[t[1]] - m.vertices[t[0]], m.vertices[t[2]] - m.vertices[t[0]]);
}

double volume_of(const TriangleMesh& m, const Triangle& t, const Vec3& middle) {
  return dot(m.vertices[t[0]] - middle,
             cross(m.vertices[t[1]] - middle, m.vertices[t[2]] - middle)) /
         6.0;
}

void append(std::string& text, std::size_t count, const char* singular, const char* plural) {
  if (count == 0) return;
  if (!text.empty()) text += ", ";
  text += std::to_string(count) + " " + (count == 1 ? singular : plural);
}

}  // namespace

bool has_area(const TriangleMesh& m, const Triangle& t) {
  if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return false;
  const double longest = std::max({norm2(m.vertices[t[1]] - m.vertices[t[0]]),
                                   norm2(m.vertices[t[2]] - m.vertices[t[1]]),
                                   norm2(m.vertices[t[0]] - m.vertices[t[2]])});
  // Height below 1e-12 of the longest edge: round-off of its corners decides its normal.
  return norm(area_vector(m, t)) > 1e-12 * longest;
}

MeshExtent extent(const TriangleMesh& mesh) {
  if (mesh.vertices.empty()) return {};
  MeshExtent box{mesh.vertices[0], mesh.vertices[0]};
  for (const Vec3& p : mesh.vertices) {
    for (std::size_t i = 0; i < 3; ++i) {
      box.lower[i] = std::min(box.lower[i], p[i]);
      box.upper[i] = std::max(box.upper[i], p[i]);
    }
  }
  return box;
}

MeshReport inspect(const TriangleMesh& mesh) {
  MeshReport report;
  const MeshExtent box = extent(mesh);
  const Vec3 middle = 0.5 * (box.lower + box.upper);
  for (const Triangle& t : mesh.triangles) {
    if (!has_area(mesh, t)) ++report.degenerate_triangles;
    report.volume += volume_of(mesh, t, middle);
  }
  for_each_edge(mesh, [&](std::span<const HalfEdge> sides) {
    if (sides.size() == 1) ++report.open_edges;
    if (sides.size() > 2) ++report.non_manifold_edges;
    if (sides.size() == 2 && sides[0].forward == sides[1].forward) ++report.misoriented_edges;
  });
  report.components = count_components(mesh);
  return report;
}

std::string describe(const MeshReport& r) {
  std::string text;
  append(text, r.open_edges, "open edge (hole)", "open edges (holes)");
  append(text, r.non_manifold_edges, "edge with more than two triangles",
         "edges with more than two triangles");
  append(text, r.misoriented_edges, "edge whose triangles disagree about the outside",
         "edges whose triangles disagree about the outside");
  if (text.empty() && r.volume <= 0.0) text = r.volume < 0.0 ? "negative volume" : "no volume";
  return text;
}

std::size_t drop_degenerate(TriangleMesh& mesh) {
  return std::erase_if(mesh.triangles, [&](const Triangle& t) { return !has_area(mesh, t); });
}

void scale(TriangleMesh& mesh, const Vec3& f) {
  for (Vec3& p : mesh.vertices) p = {f.x * p.x, f.y * p.y, f.z * p.z};
}

namespace {

/// One connected part of a mesh, as its first triangle has it.
struct Part {
  double volume = 0.0;  ///< about the middle of the mesh
  Vec3 area;            ///< zero if it is closed
  std::size_t triangles = 0, flips = 0;

  /// Whether it has an inside at all: then the volume has one sign wherever it is measured from.
  /// A body with a small hole has one, a sheet has none and keeps the sense of most of it.
  bool has_inside(double size) const { return std::abs(volume) > 0.5 * size * norm(area); }
  bool is_mended() const { return flips > 0; }
  bool is_turned(double size) const {
    return has_inside(size) ? volume < 0.0 : 2 * flips > triangles;
  }
};

std::vector<Part> find_parts(const TriangleMesh& mesh, std::span<const ComponentSense> sense,
                             const Vec3& middle) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < sense.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    if (sense[i].component >= parts.size()) parts.resize(sense[i].component + 1);
    Part& part = parts[sense[i].component];
    const double sign = sense[i].flip ? -1.0 : 1.0;
    part.volume += sign * volume_of(mesh, t, middle);
    part.area += 0.5 * sign * area_vector(mesh, t);
    ++part.triangles;
    if (sense[i].flip) ++part.flips;
  }
  return parts;
}

}  // namespace

std::size_t orient(TriangleMesh& mesh) {
  const std::vector<ComponentSense> sense = flood_orientation(mesh);
  const MeshExtent box = extent(mesh);
  const double size = norm(box.upper - box.lower);
  const std::vector<Part> parts = find_parts(mesh, sense, 0.5 * (box.lower + box.upper));
  double whole = 0.0;
  for (const Part& part : parts) {
    if (part.has_inside(size)) whole += part.is_mended() ? std::abs(part.volume) : part.volume;
  }
  std::size_t turned = 0;
  for (std::size_t i = 0; i < sense.size(); ++i) {
    const Part& part = parts[sense[i].component];
    // A part that agrees with itself may be a hollow of the others: they are turned together.
    const bool follows = !part.is_mended() && part.has_inside(size);
    if (sense[i].flip == (follows ? whole < 0.0 : part.is_turned(size))) continue;
    std::swap(mesh.triangles[i][1], mesh.triangles[i][2]);
    ++turned;
  }
  return turned;
}

}  // namespace carom
