// What laws of the form
//
//   F = Fe(d) (1 + c d'/v0)                                                    (1)
//
// share: the elastic force, and the factor c / v0 of one contact from its impact.
#pragma once

#include <algorithm>
#include <cmath>

#include "carom/contact/normal_law.h"

namespace carom {

/// Modia3D's restitution that falls to `least` with the speed [-].
double regularised_restitution(double restitution, double speed, double least, double v_small);

/// Elastic force and energy of the material at a point: linear d + hertz d^(3/2).
inline NormalOutput elastic_point(const NormalInput& in) {
  const double d = in.depth, root = std::sqrt(d);
  NormalOutput out;
  out.elastic = d * (in.linear + in.hertz * root);
  out.energy = d * d * (0.5 * in.linear + 0.4 * in.hertz * root);
  out.force = out.elastic;
  return out;
}

/// (1) with `damping` = c / v0 [s/m].
inline NormalOutput damped_point(const NormalInput& in, double damping) {
  NormalOutput out = elastic_point(in);
  out.force *= 1.0 + damping * in.depth_rate;
  return out;
}

/// c / v0 of one contact, capped. A contact that settles has the cap, unless the pair is
/// lossless: what never loses energy must not lose it because it began slowly.
inline double impact_damping(const ContactStart& start, const PairMaterial& material, double c) {
  if (start.restitution >= 1.0) return 0.0;
  if (start.settling || !(start.speed > 0.0)) return material.damping_max;
  return std::min(material.damping_max, c / start.speed);
}

/// The restitution that a damping factor is computed from: never so small that it diverges.
inline double usable_restitution(const ContactStart& start, const PairMaterial& material) {
  return std::clamp(start.restitution, material.restitution_min, 1.0);
}

/// c of Flores, Machado, Silva and Martins (2011) [-].
inline double flores_factor(double restitution) {
  return 8.0 * (1.0 - restitution) / (5.0 * restitution);
}

/// The slope of that elastic force.
inline void material_tangent(std::span<const NormalInput> in, const PairMaterial&,
                             std::span<const double>, std::span<double> slope) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    slope[i] = in[i].linear + 1.5 * in[i].hertz * std::sqrt(in[i].depth);
  }
}

/// Rows whose constants[0] is the damping of (1).
inline void evaluate_damped(std::span<const NormalInput> in, const PairMaterial&,
                            std::span<const double>,
                            std::span<const double, kNormalConstants> constants,
                            std::span<NormalOutput> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = damped_point(in[i], constants[0]);
}

}  // namespace carom
