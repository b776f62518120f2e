// The palette of pairs of solids: restitution and friction.
//
// Both depend on finish, dirt, speed and temperature far more than elasticity does: the
// figures are starting points, and a scene's own `material_pairs` shadow them. Each row names
// where its figures come from.
#pragma once

#include <span>
#include <string_view>

namespace carom {

struct MaterialPair {
  const char* first;
  const char* second;
  double restitution;  ///< [-]
  double mu_k;         ///< sliding friction [-]
  double mu_s;         ///< break-away friction [-]
  double mu_r;         ///< rolling resistance over the contact radius [-]
  const char* source;
};

std::span<const MaterialPair> pair_palette();

/// In either order; null if the palette has none.
const MaterialPair* find_material_pair(std::string_view a, std::string_view b);

}  // namespace carom
