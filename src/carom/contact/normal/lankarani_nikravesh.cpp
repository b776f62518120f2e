// Lankarani and Nikravesh (1990):
//
//   F = Fe(d) (1 + c d'/v0),   c = (3/4) (1 - e²)
//
// from the energy that an elastic compression would store; for e near 1. Set 0.5 it gives
// 0.73, set 0.05 it gives 0.66.
#include "carom/contact/impact_damping.h"

namespace carom {
namespace {

void start(const ContactStart& s, const PairMaterial& material, std::span<const double>,
           std::span<double, kNormalConstants> constants) {
  const double c = 0.75 * (1.0 - s.restitution * s.restitution);
  constants[0] = impact_damping(s, material, c);
}

}  // namespace

extern const NormalLaw normal_law_lankarani_nikravesh{
    .name = "lankarani_nikravesh",
    .doc = "Lankarani and Nikravesh: damping for restitution near 1",
    .fields = {},
    .uses_start = true,
    .of_material = true,
    .start = start,
    .evaluate = evaluate_damped,
    .tangent = material_tangent};

}  // namespace carom
