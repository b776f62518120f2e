#include "carom/contact/contact_radius.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

double shortest_edge(const MeshData& data) {
  double shortest2 = kInf;
  const TriangleMesh& mesh = data.mesh;
  for (const Triangle& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 edge = mesh.vertices[t[(i + 1) % 3]] - mesh.vertices[t[i]];
      const double length2 = norm2(edge);
      if (length2 > 0.0) shortest2 = std::min(shortest2, length2);
    }
  }
  return std::sqrt(shortest2);
}

double field(const Shape& shape, std::string_view name) {
  return shape.params[offset_of(shape.kind->fields, name)];
}

double smallest_extent(const Shape& shape) {
  const BoundingBox box = bounding_box(shape);
  const Vec3 size = box.upper - box.lower;
  return std::min({size.x, size.y, size.z});
}

}  // namespace

ContactRadius contact_radius(const Shape& shape) {
  const std::string_view kind = shape.kind->name;
  if (kind == "half_space") return {kInf, true};
  if (shape.surface && !shape.surface->is_closed()) return {kInf, true};
  if (kind == "cone") return {0.5 * (field(shape, "radius") + field(shape, "top_radius"))};
  if (kind == "beam") {
    return {
        0.5 * std::min({field(shape, "length"), field(shape, "width"), field(shape, "thickness")}),
        true};
  }
  if (shape.mesh && !shape.surface) {
    const double edge = shortest_edge(*shape.mesh);
    if (std::isfinite(edge)) return {0.5 * edge};
  }
  // Half the smallest extent: radius of spheres, capsules and cylinders, half the edge of boxes.
  return {0.5 * smallest_extent(shape), kind == "box", kind == "sphere"};
}

double combined_radius(const ContactRadius& a, const ContactRadius& b) {
  if (a.is_flat && !b.is_flat) return b.radius;
  if (b.is_flat && !a.is_flat) return a.radius;
  if (std::isinf(a.radius)) return b.radius;
  if (std::isinf(b.radius)) return a.radius;
  const double sum = a.radius + b.radius;
  return sum > 0.0 ? a.radius * b.radius / sum : 0.0;
}

}  // namespace carom
