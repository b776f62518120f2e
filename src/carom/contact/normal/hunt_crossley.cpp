// Hunt and Crossley (1975):
//
//   F = Fe(d) (1 + c d'/v0),   c = (3/2) (1 - e)
//
// a first-order result for e near 1. Set 0.5 it gives 0.66, set 0.05 it gives 0.50.
#include "carom/contact/impact_damping.h"

namespace carom {
namespace {

void start(const ContactStart& s, const PairMaterial& material, std::span<const double>,
           std::span<double, kNormalConstants> constants) {
  const double c = 1.5 * (1.0 - s.restitution);
  constants[0] = impact_damping(s, material, c);
}

}  // namespace

extern const NormalLaw normal_law_hunt_crossley{
    .name = "hunt_crossley",
    .doc = "Hunt and Crossley: damping for restitution near 1",
    .fields = {},
    .uses_start = true,
    .of_material = true,
    .start = start,
    .evaluate = evaluate_damped,
    .tangent = material_tangent};

}  // namespace carom
