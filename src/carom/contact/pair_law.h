// All that decides the forces of one kind of contact: laws, their parameters, materials.
// Made when a scene is compiled; constant in a run.
#pragma once

#include <vector>

#include "carom/base/id.h"
#include "carom/contact/contact_method.h"
#include "carom/contact/friction_law.h"
#include "carom/contact/normal_law.h"
#include "carom/contact/resistance_law.h"

namespace carom {

/// An elastic foundation on the surfaces, whose pressure is integrated over the area of contact.
struct AreaLaw {
  bool is_on = false;
  double layer = 0.0;       ///< thickness on each body [m]; 0: chosen where a contact begins
  double foundation = 0.0;  ///< pressure over depth of both layers in series [Pa/m]; 0: as layer
  int order = 6;            ///< of the quadrature: lines across the area, and points on each
};

using LawId = Id<struct LawOrder, int>;

/// Moisio's elements: a spring for every pair of triangles that meet, with a memory of its depth.
struct ElementLaw {
  enum class Normals { both, first, second };
  bool is_on = false;
  Normals normals = Normals::both;  ///< whose triangles press
};

struct PairLaw {
  const ContactMethod* method = nullptr;  ///< null: of connected surfaces
  AreaLaw area;
  ElementLaw elements;            ///< of the method `triangles`
  bool detects_per_step = false;  ///< of the same: patches are found at the ends of steps only
  PairMaterial material;
  const NormalLaw* normal = nullptr;
  std::vector<double> normal_params;  ///< after the row's fields, completed by its bind()
  const FrictionLaw* friction = nullptr;
  std::vector<double> friction_params;
  const ResistanceLaw* resistance = nullptr;
  std::vector<double> resistance_params;
};

}  // namespace carom
