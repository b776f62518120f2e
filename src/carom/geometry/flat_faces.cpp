#include "carom/geometry/flat_faces.h"

#include <algorithm>
#include <numeric>

namespace carom {
namespace {

/// Faces that lean by less against each other count as one plane [rad].
constexpr double kFlat = 1e-6;

bool is_flat(const TriangleSurface& s, const SurfaceEdge& e) {
  if (e.left == kNoIndex || e.right == kNoIndex) return false;
  const Vec3 &a = s.planes[e.left].n, &b = s.planes[e.right].n;
  return dot(a, b) > 0.0 && norm(cross(a, b)) < kFlat * dot(a, b);
}

}  // namespace

double longest_face_border(const TriangleSurface& surface) {
  std::vector<std::uint32_t> face(surface.triangles.size());
  std::iota(face.begin(), face.end(), 0U);
  const auto find = [&](std::uint32_t t) {
    while (face[t] != t) t = face[t] = face[face[t]];
    return t;
  };
  for (const SurfaceEdge& e : surface.edges) {
    if (is_flat(surface, e)) face[find(e.left)] = find(e.right);
  }
  std::vector<double> border(face.size(), 0.0);
  for (const SurfaceEdge& e : surface.edges) {
    const double length = norm(surface.vertices[e.high] - surface.vertices[e.low]);
    const std::uint32_t a = e.left == kNoIndex ? kNoIndex : find(e.left),
                        b = e.right == kNoIndex ? kNoIndex : find(e.right);
    if (a == b) continue;
    for (const std::uint32_t t : {a, b}) {
      if (t != kNoIndex) border[t] += length;
    }
  }
  return border.empty() ? 0.0 : *std::ranges::max_element(border);
}

}  // namespace carom
