// LuGre friction (Canudas de Wit et al. 1995), load-scaled and isotropic:
//
//   z' = v - s0 |v| z / g(v),   f = fn (s0 z + s1(v) z' + s2 v)                   (1)
//
// with g and s1 of bristle.h. It holds a constant load for ever and shows pre-sliding, a
// break-away force that depends on the rate, frictional lag and stick-slip. Under a load that
// vibrates it creeps; elasto_plastic does not.
//
// With `per_load: false` the constants are forces, as Moisio 2013 (3.11) to (3.15) has them:
//
//   z' = v - s0 |v| z / G,   f = s0 z + s1(v) z' + s2 v,   G = fn g(v),   s0 in N/m          (2)
//
// Where the load falls, bristles would hold more than it can carry: they act as if bent by no more
// than G / s0, and spring back to that in the time s1 / s0 of their own damping. Without load they
// are straight. The thesis has a quotient in g where an exponential has to be.
#include <algorithm>

#include "carom/contact/bristle.h"

namespace carom {
namespace {

enum { kPerLoad = Bristle::kFieldCount };
constexpr auto kFields = [] {
  std::array<ParamField, kPerLoad + 1> fields{};
  std::ranges::copy(Bristle::kFields, fields.begin());
  fields[kPerLoad] = {"per_load",
                      "-",
                      "stiffness, damping and viscous are over the normal force; false: they are "
                      "in N/m and N.s/m, the damping 0.2 sqrt(s0 kg) where it is not said",
                      1.0,
                      0.0,
                      1.0,
                      ParamType::boolean};
  return fields;
}();

void bind(const PairMaterial& material, std::span<double> p) {
  // A tenth of what is critical for 1 kg: of forces nothing is known of what they hold.
  if (p[kPerLoad] == 0.0 && std::isnan(p[Bristle::kDamping])) {
    p[Bristle::kDamping] = 0.2 * std::sqrt(p[Bristle::kStiffness]);
  }
  Bristle::bind(material, p);
}

/// (2)
void evaluate_forces(const FrictionInput& in, std::span<const double> p, FrictionOutput& out) {
  constexpr double kFastest = 1e-4;  // return of bristles without damping [s]
  const double s0 = p[Bristle::kStiffness], fn = in.normal_force;
  const Slip v = slip_of(in), z = bristle_of(in);
  const double speed = norm(v), G = fn * Bristle::steady_coefficient(p, speed);
  const double length = norm(z), most = G / s0;
  const Slip bent = length > most ? (most / length) * z : z;
  const double relaxation = G > 0.0 ? s0 * speed / G : 0.0;
  const Slip bending = G > 0.0 ? v - relaxation * bent : Slip{};
  Slip rate = bending - (1.0 / std::max(p[Bristle::kDamping] / s0, kFastest)) * (z - bent);
  if (in.step > 0.0) rate = Bristle::mean_rate(in, p, G, z, relaxation, bending);
  const double s1 = std::min(Bristle::damping(p, speed, G), in.damping_most * fn);
  const Slip dry =
      with_part(s0 * bent, s1 * bending, fn * std::max(p[Bristle::kMuK], p[Bristle::kMuS]));
  oppose(in, dry + p[Bristle::kViscous] * v, out);  // what is viscous asks for no load
  out.bristle_rate = rate.slide;
  out.spin_bristle_rate = rate.spin;
  out.energy = 0.5 * s0 * dot(bent, bent);
  out.stored_power = s0 * dot(bent, bending);
}

void evaluate(const FrictionInput& in, std::span<const double> p, FrictionOutput& out) {
  if (p[kPerLoad] == 0.0) return evaluate_forces(in, p, out);
  const double speed = norm(slip_of(in)), g = Bristle::steady_coefficient(p, speed);
  Bristle::finish(in, p, speed, g, g > 0.0 ? p[Bristle::kStiffness] * speed / g : 0.0, out);  // (1)
}

}  // namespace

extern const FrictionLaw friction_law_lugre{
    .name = "lugre",
    .doc = "LuGre bristle friction: sticks, with pre-sliding and break-away",
    .fields = kFields,
    .has_bristle = true,
    .per_load = kPerLoad,
    .bind = bind,
    .evaluate = evaluate};

}  // namespace carom
