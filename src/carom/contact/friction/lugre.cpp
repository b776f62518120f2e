// LuGre friction (Canudas de Wit et al. 1995), load-scaled and isotropic:
//
//   z' = v - s0 |v| z / g(v),   f = fn (s0 z + s1(v) z' + s2 v)                   (1)
//
// with g and s1 of bristle.h. It holds a constant load for ever and shows pre-sliding, a
// break-away force that depends on the rate, frictional lag and stick-slip. Under a load that
// vibrates it creeps; elasto_plastic does not.
#include "carom/contact/bristle.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"stiffness", "1/m", "s0, stiffness of the bristles over the normal force",
     Bristle::kDefaultStiffness, 0.0, kInf, ParamType::number, true},
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
};
static_assert(std::size(kFields) == Bristle::kFieldCount);

void evaluate(const FrictionInput& in, std::span<const double> p, FrictionOutput& out) {
  const double speed = norm(slip_of(in)), g = Bristle::steady_coefficient(p, speed);
  Bristle::finish(in, p, speed, g, g > 0.0 ? p[Bristle::kStiffness] * speed / g : 0.0, out);  // (1)
}

}  // namespace

extern const FrictionLaw friction_law_lugre{
    .name = "lugre",
    .doc = "LuGre bristle friction: sticks, with pre-sliding and break-away",
    .fields = kFields,
    .has_bristle = true,
    .bind = Bristle::bind,
    .evaluate = evaluate};

}  // namespace carom
