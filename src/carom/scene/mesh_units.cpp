#include "carom/scene/mesh_units.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "carom/geometry/mesh_repair.h"
#include "carom/scene/validate/validate.h"

namespace carom {
namespace {

double across(const Shape& shape) {
  const BoundingBox box = bounding_box(shape);
  return norm(box.upper - box.lower);
}

bool is_mesh(const ShapeSpec& s) {
  return s.shape.kind && s.shape.kind->source == ShapeSource::mesh && s.shape.mesh;
}

/// The largest bounded shape of other bodies; 0 if there is none.
double largest_of_others(const Scene& scene, const BodySpec& body) {
  double most = 0.0;
  for (const BodySpec& other : scene.bodies) {
    if (&other == &body) continue;
    for (const ShapeSpec& s : other.shapes) {
      const double size = s.shape.kind ? across(s.shape) : 0.0;
      if (std::isfinite(size)) most = std::max(most, size);
    }
  }
  return most;
}

}  // namespace

std::string mesh_unit_finding(const Scene& scene, const BodySpec& body, const ShapeSpec& shape) {
  if (!is_mesh(shape)) return {};
  return unit_finding(across(shape.shape), largest_of_others(scene, body));
}

/// Once per file: a scene may have a thousand copies of one.
void check_mesh_units(const Scene& scene, Diagnostics& out) {
  std::set<const void*> told;
  for (const BodySpec& body : scene.bodies) {
    for (const ShapeSpec& s : body.shapes) {
      if (!is_mesh(s) || told.contains(s.shape.mesh.get())) continue;
      told.insert(s.shape.mesh.get());
      const std::string found = mesh_unit_finding(scene, body, s);
      if (found.empty()) continue;
      const std::size_t cut = found.find("; ");
      out.warning(s.where, "mesh of body '" + body.name + "': " + found.substr(0, cut),
                  cut == std::string::npos ? "" : found.substr(cut + 2));
    }
  }
}

}  // namespace carom
