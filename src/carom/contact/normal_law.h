// A row of the catalogue of normal laws (contact/normal/, one file each): the force with
// which two surfaces push each other apart.
//
// The engine finds the points of a contact, each with its depth and share (manifold.h),
// and the elastic coefficients that material and curvature give it (stiffness.h). A law
// turns these into forces. What a law wants to know of the impact (its speed, its
// restitution) is fixed where the contact begins: `start` computes constants from it.
#pragma once

#include <span>
#include <string_view>

#include "carom/base/param.h"
#include "carom/contact/pair_material.h"

namespace carom {

inline constexpr int kNormalConstants = 4;

struct ContactStart {
  double speed = 0.0;        ///< approach speed where the contact begins, >= 0 [m/s]
  double restitution = 0.0;  ///< at this speed [-]
  /// Began in contact or slower than v_small: there is no impact to reproduce, so damping
  /// is at its cap and the bodies settle.
  bool settling = false;
};

/// One point of a contact.
struct NormalInput {
  double depth = 0.0;       ///< >= 0 [m]
  double depth_rate = 0.0;  ///< > 0 while approaching [m/s]
  double linear = 0.0;      ///< elastic force of the material is linear d + hertz d^(3/2),
  double hertz = 0.0;       ///< the share of this point included [N/m], [N/m^(3/2)]
  double weight = 1.0;      ///< share of this point: factor of a law's own stiffness [-]
  double radius = 0.0;      ///< contact radius after the shapes' rule (contact_radius.h) [m]
  double state = 0.0;       ///< of the law, where it has one [m]
  bool has_sphere = true;   ///< one of the shapes is a sphere: Modia3D's manual asks for it
};

struct NormalOutput {
  double force = 0.0;       ///< may be negative: the engine decides when a contact lets go [N]
  double elastic = 0.0;     ///< the part that stores energy; force - elastic dissipates [N]
  double energy = 0.0;      ///< stored [J]
  double state_rate = 0.0;  ///< [m/s]
  /// Power that the change of the state dissipates, besides (force - elastic) depth_rate [W].
  double state_power = 0.0;
};

struct NormalLaw {
  const char* name;
  const char* doc;
  std::span<const ParamField> fields;
  /// The impact's speed or restitution enters, so the instant of contact must be located.
  bool uses_start = false;
  /// The force jumps where a contact begins, so the integrator must restart there.
  bool jumps = false;
  /// The force may reach zero before the surfaces part.
  bool lets_go = true;
  bool has_state = false;
  /// Has a stiffness of its own, so that the solids need no Young's modulus.
  bool own_stiffness = false;
  /// Its elastic force is that of the material: the gradient of the energy of contact_springs.h
  /// takes the place of points with shares where the shapes allow it.
  bool of_material = false;
  /// It reproduces a publication: its force stays what is printed there, even where that is not
  /// the gradient of an energy.
  bool is_published = false;
  /// Its energy is the integral of its elastic force over the depth, and of nothing else.
  bool has_exact_energy = true;
  /// Completes the parameters: a NaN stands for "from the material". May be null.
  void (*bind)(const PairMaterial& material, std::span<double> p) = nullptr;
  /// Constants of one contact, where it begins. May be null.
  void (*start)(const ContactStart& start, const PairMaterial& material, std::span<const double> p,
                std::span<double, kNormalConstants> constants) = nullptr;
  /// Forces of the points of one contact.
  void (*evaluate)(std::span<const NormalInput> in, const PairMaterial& material,
                   std::span<const double> p, std::span<const double, kNormalConstants> constants,
                   std::span<NormalOutput> out) = nullptr;
  /// Slopes of the elastic forces over the depth [N/m], for steps that solve for what comes. Null:
  /// differences (elastic_slope).
  void (*tangent)(std::span<const NormalInput> in, const PairMaterial& material,
                  std::span<const double> p, std::span<double> slope) = nullptr;
};

/// Slope of the elastic force of one point over its depth: the law's own, or by differences [N/m].
double elastic_slope(const NormalLaw& law, const NormalInput& in, const PairMaterial& material,
                     std::span<const double> p,
                     std::span<const double, kNormalConstants> constants);

std::span<const NormalLaw* const> normal_law_catalogue();
const NormalLaw* find_normal_law(std::string_view name);

}  // namespace carom
