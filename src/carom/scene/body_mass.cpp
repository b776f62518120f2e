#include "carom/scene/body_mass.h"

#include <algorithm>

#include "carom/contact/materials.h"

namespace carom {

std::optional<MaterialSpec> find_material(const Scene& scene, std::string_view name) {
  for (const MaterialSpec& material : scene.materials) {
    if (material.name == name) return material;
  }
  const Material* row = find_material(name);
  if (!row) return {};
  MaterialSpec material;
  material.name = row->name;
  material.density = row->density;
  material.youngs_modulus = row->youngs_modulus;
  material.poissons_ratio = row->poissons_ratio;
  material.yield_strength = row->yield_strength;
  material.source = row->source;
  return material;
}

std::optional<double> shape_density(const Scene& scene, const BodySpec& body,
                                    const ShapeSpec& shape) {
  if (shape.density >= 0.0) return shape.density;
  const std::string& name = shape.material.empty() ? body.material : shape.material;
  if (name.empty()) return {};
  const std::optional<MaterialSpec> material = find_material(scene, name);
  if (!material) return {};
  return material->density;
}

MassProperties body_mass_properties(const Scene& scene, const BodySpec& body) {
  const bool by_volume =
      body.mass && std::any_of(body.shapes.begin(), body.shapes.end(), [&](const ShapeSpec& s) {
        return s.has_mass && !shape_density(scene, body, s);
      });
  MassProperties total;
  for (const ShapeSpec& shape : body.shapes) {
    if (!shape.has_mass || !shape.shape.kind) continue;
    const double density = by_volume ? 1.0 : shape_density(scene, body, shape).value_or(0.0);
    if (density <= 0.0) continue;
    const MassProperties part = moved(shape.X_BS, mass_properties(shape.shape, density));
    if (part.mass > 0.0) total = total.mass > 0.0 ? combined(total, part) : part;
  }
  if (body.mass) {
    const double factor = total.mass > 0.0 ? *body.mass / total.mass : 0.0;
    total.mass = *body.mass;
    total.inertia = factor * total.inertia;
  }
  if (body.com) total.com = *body.com;
  if (body.inertia) total.inertia = *body.inertia;
  return total;
}

}  // namespace carom
