// A row of the catalogue of resistances (contact/resistance/, one file each): torques that
// oppose rolling and spinning of two bodies on each other.
#pragma once

#include <span>
#include <string_view>

#include "carom/base/param.h"
#include "carom/contact/pair_material.h"
#include "carom/math/vec3.h"

namespace carom {

struct ResistanceInput {
  double normal_force = 0.0;  ///< >= 0 [N]
  Vec3 angular_velocity;      ///< of B relative to A [rad/s]
  Vec3 normal;                ///< unit, from A to B
  double radius = 0.0;        ///< contact radius after the shapes' rule [m]
  bool has_sphere = true;     ///< one of the shapes is a sphere: Modia3D's manual asks for it
};

struct ResistanceLaw {
  const char* name;
  const char* doc;
  std::span<const ParamField> fields;
  void (*bind)(const PairMaterial& material, std::span<double> p) = nullptr;
  /// Torque on B [N·m].
  Vec3 (*evaluate)(const ResistanceInput& in, std::span<const double> p) = nullptr;
};

std::span<const ResistanceLaw* const> resistance_law_catalogue();
const ResistanceLaw* find_resistance_law(std::string_view name);

}  // namespace carom
