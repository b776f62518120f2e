// Flores, Machado, Silva and Martins (2011):
//
//   F = Fe(d) (1 + c d'/v0),   c = 8 (1 - e) / (5 e)
//
// good over the whole range, always a little low: set 0.5 it gives 0.47, set 0.05 it gives 0.033.
#include "carom/contact/impact_damping.h"

namespace carom {
namespace {

void start(const ContactStart& s, const PairMaterial& material, std::span<const double>,
           std::span<double, kNormalConstants> constants) {
  const double c = flores_factor(usable_restitution(s, material));
  constants[0] = impact_damping(s, material, c);
}

}  // namespace

extern const NormalLaw normal_law_flores{
    .name = "flores",
    .doc = "Flores et al.: damping for the whole range of restitution",
    .fields = {},
    .uses_start = true,
    .of_material = true,
    .start = start,
    .evaluate = evaluate_damped,
    .tangent = material_tangent};

}  // namespace carom
