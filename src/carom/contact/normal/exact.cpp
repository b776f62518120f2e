// Exact restitution: the law whose measured restitution is the one that was set.
//
//   F = Fe(d) (1 + c d'/v0),   c (1 + e) = ln((1 + c)/(1 - c e))                   (1)
//
// holds for every elastic force Fe, for one contact with constant effective mass and no
// other force. Gravity and neighbours lower the measured one. c / v0 is at most damping_max,
// which is also its value where a contact settles: began at rest, or slower than v_small.
#include "carom/contact/exact_restitution.h"
#include "carom/contact/impact_damping.h"

namespace carom {
namespace {

void start(const ContactStart& s, const PairMaterial& material, std::span<const double>,
           std::span<double, kNormalConstants> constants) {
  const double c = exact_damping_factor(usable_restitution(s, material));
  constants[0] = impact_damping(s, material, c);
}

}  // namespace

extern const NormalLaw normal_law_exact{
    .name = "exact",
    .doc = "elastic force of the material, damped so that the set restitution is met exactly",
    .fields = {},
    .uses_start = true,
    .of_material = true,
    .start = start,
    .evaluate = evaluate_damped,
    .tangent = material_tangent};

}  // namespace carom
