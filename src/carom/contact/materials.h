// The palette of solids: density for mass properties, elasticity for contact.
//
// Figures are for room temperature and meant as starting points; a scene's own
// `materials` shadow them. Each row names where its figures come from.
#pragma once

#include <span>
#include <string_view>

namespace carom {

struct Material {
  const char* name;
  double density;         ///< [kg/m³]
  double youngs_modulus;  ///< [Pa]
  double poissons_ratio;  ///< [-]
  double yield_strength;  ///< [Pa]; < 0: not known or not meaningful
  const char* source;
};

std::span<const Material> material_palette();

/// Null if the palette has none of this name.
const Material* find_material(std::string_view name);

}  // namespace carom
