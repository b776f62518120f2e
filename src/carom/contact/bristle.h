// What the bristle laws (LuGre and its elasto-plastic variant) share, load-scaled: bristle
// and friction coefficient instead of force, so that nothing is divided by the normal force.
//
//   f  = fn (s0 z + s1(v) z' + s2 v)                                              (1)
//   g  = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)²)                                    (2)
//   E  = fn s0 |z|² / 2                                                           (3)
//
// With constant s1 the law can give energy. What it dissipates, f.v - E', is never negative
// for all z and v if s1(v) |v| <= 4 g, so the passive form takes
//
//   s1(v) = s1 / sqrt(1 + (s1 |v| / (4 g))²).                                     (4)
//
// Sliding bristles relax, z' = v - l z, at a rate l of s0 |v| / g, far beyond what explicit steps
// of a fixed length h follow. Those take the mean of z' over the step with v and l held constant,
// and return a bristle to its greatest deflection, as stresses to the yield surface of a plastic
// solid:
//
//   z' = (v - l z) (1 - exp(-l h)) / (l h),   |z + h z'| <= g / s0                (5)
//
// Where a load changes, or slip begins, the damping of (1) would carry the force beyond what dry
// friction can be. Only as much of it acts as stays within
//
//   |s0 z + s1 z'| <= max(mu_k, mu_s),                                            (6)
//
// which leaves the law passive: it is so with all of s1 and with none.
#pragma once

#include <array>

#include "carom/contact/slip.h"

namespace carom {

struct Bristle {
  enum Field { kStiffness, kDamping, kViscous, kMuK, kMuS, kStribeck, kPassive, kFieldCount };
  static constexpr std::array<ParamField, kFieldCount> kFields{{
      {"stiffness", "1/m", "s0, stiffness of the bristles over the normal force", 1e5, 0.0, kInf,
       ParamType::number, true},
      {"damping", "s/m",
       "s1, damping of the bristles over the normal force; without it 2 sqrt(s0 / 9.81 m/s²)",
       kRequired, 0.0},
      {"viscous", "s/m", "s2, viscous friction over the normal force", 0.0, 0.0},
      {"mu_k", "-", "sliding friction; without it that of the pair", kRequired, 0.0},
      {"mu_s", "-", "break-away friction; without it that of the pair", kRequired, 0.0},
      {"v_stribeck", "m/s", "speed v_s over which mu falls from mu_s to mu_k; without it v_small",
       kRequired, 0.0, kInf, ParamType::number, true},
      {"passive", "-", "s1 decays with speed so that friction never gives energy", 1.0, 0.0, 1.0,
       ParamType::boolean},
  }};

  static void bind(const PairMaterial& material, std::span<double> p) {
    if (std::isnan(p[kMuK])) p[kMuK] = material.mu_k;
    if (std::isnan(p[kMuS])) p[kMuS] = std::max(p[kMuK], material.mu_s);
    if (std::isnan(p[kStribeck])) p[kStribeck] = material.v_small;
    // Critical for a body that its own weight holds: m x'' = -m g (s0 x + s1 x').
    if (std::isnan(p[kDamping])) p[kDamping] = 2.0 * std::sqrt(p[kStiffness] / 9.81);
  }

  static double steady_coefficient(std::span<const double> p, double speed) {
    const double u = speed / p[kStribeck];
    return p[kMuK] + (p[kMuS] - p[kMuK]) * std::exp(-u * u);  // (2)
  }

  static double damping(std::span<const double> p, double speed, double g) {
    if (!(g > 0.0)) return 0.0;
    if (p[kPassive] == 0.0) return p[kDamping];
    const double excess = p[kDamping] * speed / (4.0 * g);
    return p[kDamping] / std::sqrt(1.0 + excess * excess);  // (4)
  }

  /// (5)
  static Slip mean_rate(const FrictionInput& in, std::span<const double> p, double g, const Slip& z,
                        double relaxation, const Slip& rate) {
    const double x = relaxation * in.step;
    const Slip mean = (x > 0.0 ? -std::expm1(-x) / x : 1.0) * rate, next = z + in.step * mean;
    const double length = norm(next), most = g / p[kStiffness];
    return length > most ? (1.0 / in.step) * ((most / length) * next - z) : mean;
  }

  /// Everything but the relaxation of the bristle [1/s], which is the law's own.
  static void finish(const FrictionInput& in, std::span<const double> p, double speed, double g,
                     double relaxation, FrictionOutput& out) {
    const Slip z = bristle_of(in), v = slip_of(in);
    // Without friction (g = 0) there is nothing to hold a bristle.
    Slip rate = g > 0.0 ? v - relaxation * z : Slip{};
    if (in.step > 0.0) rate = mean_rate(in, p, g, z, relaxation, rate);
    const double fn = in.normal_force, s1 = std::min(damping(p, speed, g), in.damping_most);
    const Slip dry = with_part(p[kStiffness] * z, s1 * rate, std::max(p[kMuK], p[kMuS]));  // (6)
    oppose(in, fn * (dry + p[kViscous] * v), out);                                         // (1)
    out.bristle_rate = rate.slide;
    out.spin_bristle_rate = rate.spin;
    out.energy = 0.5 * fn * p[kStiffness] * dot(z, z);  // (3)
    out.stored_power = fn * p[kStiffness] * dot(z, rate);
  }
};

}  // namespace carom
