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

void evaluate(const FrictionInput& in, std::span<const double> p, FrictionOutput& out) {
  const double speed = norm(slip_of(in)), g = Bristle::steady_coefficient(p, speed);
  Bristle::finish(in, p, speed, g, g > 0.0 ? p[Bristle::kStiffness] * speed / g : 0.0, out);  // (1)
}

}  // namespace

extern const FrictionLaw friction_law_lugre{
    .name = "lugre",
    .doc = "LuGre bristle friction: sticks, with pre-sliding and break-away",
    .fields = Bristle::kFields,
    .has_bristle = true,
    .bind = Bristle::bind,
    .evaluate = evaluate};

}  // namespace carom
