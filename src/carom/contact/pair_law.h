// All that decides the forces of one kind of contact: laws, their parameters, materials.
// Made when a scene is compiled; constant in a run.
#pragma once

#include <vector>

#include "carom/contact/contact_method.h"
#include "carom/contact/friction_law.h"
#include "carom/contact/normal_law.h"
#include "carom/contact/resistance_law.h"

namespace carom {

struct PairLaw {
  const ContactMethod* method = nullptr;  ///< null: of connected surfaces
  PairMaterial material;
  const NormalLaw* normal = nullptr;
  std::vector<double> normal_params;  ///< after the row's fields, completed by its bind()
  const FrictionLaw* friction = nullptr;
  std::vector<double> friction_params;
  const ResistanceLaw* resistance = nullptr;
  std::vector<double> resistance_params;
};

}  // namespace carom
