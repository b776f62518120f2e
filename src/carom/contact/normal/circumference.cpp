// Moisio (2013), equations (5.18) to (5.20): the force follows the circumference Lc of the overlap,
//
//   F = Kp d Lc Lr / 4 (1 + c d'/v0),   Lc = 2π √(2 R d),   c = 8 (1 - e) / (5 e).              (1)
//
// With Lr = 1 and e = 1 it is (5.15), the force of Popov on a rigid ball. For a ball (1) is Hertz's
// force times 3π Lr / (4 √2): 1.666 at Lr = 1, which the thesis takes for 1.5. Its pair of
// materials is therefore that much stiffer (pair_laws.cpp), and all else is the law `flores`. In
// the thesis d'/v0 is misprinted as d'/d.
#include "carom/contact/impact_damping.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"Lr", "-", "factor of the stiffness; 0.6002 is Hertz's", 1.0, 0.0, kInf, ParamType::number,
     true},
};

void start(const ContactStart& s, const PairMaterial& material, std::span<const double>,
           std::span<double, kNormalConstants> constants) {
  const double c = flores_factor(usable_restitution(s, material));
  constants[0] = impact_damping(s, material, c);
}

}  // namespace

extern const NormalLaw normal_law_circumference{
    .name = "circumference",
    .doc = "Moisio: stiffness by the circumference of the overlap, damping of Flores et al.",
    .fields = kFields,
    .uses_start = true,
    .of_material = true,
    .start = start,
    .evaluate = evaluate_damped,
    .tangent = material_tangent};

}  // namespace carom
