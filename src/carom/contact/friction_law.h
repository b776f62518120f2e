// A row of the catalogue of friction laws (contact/friction/, one file each).
//
// Slip is a generalised one: the tangential velocity s of B relative to A at the contact
// point, and the spin w about the normal, which counts as a slip of r w on a patch of
// radius r (an ellipsoid as limit surface, Howe and Cutkosky 1996). A point has r = 0.
//
// Laws with bristles have one tangential and one spin deflection per contact, kept by the
// engine from step to step and integrated with error control.
#pragma once

#include <span>
#include <string_view>

#include "carom/base/param.h"
#include "carom/contact/pair_material.h"
#include "carom/math/vec3.h"

namespace carom {

struct FrictionInput {
  double normal_force = 0.0;   ///< >= 0 [N]
  Vec3 slip;                   ///< tangential velocity of B relative to A [m/s]
  Vec3 axis;                   ///< x axis of the flat surface that is touched; zero: there is none
  double spin = 0.0;           ///< relative angular velocity about the normal [rad/s]
  double radius = 0.0;         ///< of the patch [m]
  Vec3 bristle;                ///< tangential deflection [m], or force [N]
  double spin_bristle = 0.0;   ///< deflection r times angle [m], or force [N]
  double step = 0.0;           ///< length of explicit steps that control no error, else 0 [s]
  double damping_most = kInf;  ///< what such a step bears of damping over the normal force [s/m]
  bool kicks = false;          ///< such a step is semi-implicit: forces before positions

  // For laws that remember force:
  double stiffness = 0.0;       ///< dN/dd of the elastic normal force N [N/m]
  double stiffness_rate = 0.0;  ///< its rate [N/(m.s)]
  double load_rate = 0.0;       ///< rate of N [N/s]
  double mass = 0.0;            ///< of the lighter body [kg]
  double age = 0.0;             ///< of the contact [s]
  double expected_load = 0.0;   ///< what stops the lighter body, and its weight [N]
};

struct FrictionOutput {
  Vec3 force;                      ///< on B [N]
  double torque = 0.0;             ///< on B about the normal [N·m]
  Vec3 bristle_rate;               ///< [m/s], or [N/s]
  double spin_bristle_rate = 0.0;  ///< [m/s], or [N/s]
  double energy = 0.0;             ///< stored in the bristles [J]
  double stored_power = 0.0;       ///< its rate at this normal force held constant [W]
};

struct FrictionLaw {
  const char* name;
  const char* doc;
  std::span<const ParamField> fields;
  bool has_bristle = false;
  bool remembers_force = false;  ///< its bristles are forces in N, not deflections
  /// Its bristles follow the slip wholly up to a border, beyond which they yield. With errors as
  /// long as the way to it steps chatter about it.
  bool has_elastic_border = false;
  int per_load = -1;  ///< the field that is 0 where their stiffness is in N/m, not per load
  /// Completes the parameters: a NaN stands for "from the material", and fields past those
  /// of the user may hold what is derived from them. May be null.
  void (*bind)(const PairMaterial& material, std::span<double> p) = nullptr;
  std::size_t derived = 0;  ///< doubles behind the fields that `bind` fills
  void (*evaluate)(const FrictionInput& in, std::span<const double> p,
                   FrictionOutput& out) = nullptr;
};

/// Whether the bristles of a contact hold a force whatever its load: those of two that merge add
/// up, and of one that splits they are shared. Per load they are the same in all parts.
inline bool bristles_add_up(const FrictionLaw& law, std::span<const double> params) {
  return law.remembers_force ||
         (law.per_load >= 0 && params[static_cast<std::size_t>(law.per_load)] == 0.0);
}

std::span<const FrictionLaw* const> friction_law_catalogue();
const FrictionLaw* find_friction_law(std::string_view name);

}  // namespace carom
