// Coulomb friction, regularised as in Otter, Elmqvist and Díaz López (2005), section 4.5:
//
//   f = -mu fn v / max(|v|, v_min)                                                (1)
//
// linear below v_min, with a kink there.
#include "carom/contact/regularise.h"
#include "carom/contact/slip.h"

namespace carom {
namespace {

enum { kMu, kMin };
constexpr ParamField kFields[] = {
    {"mu", "-", "friction coefficient; without it mu_k of the pair", kRequired, 0.0},
    {"v_min", "m/s", "start of full friction; without it v_small of the pair (Otter: 0.001)",
     kRequired, 0.0, kInf, ParamType::number, true},
};

void bind(const PairMaterial& material, std::span<double> p) {
  if (std::isnan(p[kMu])) p[kMu] = material.mu_k;
  if (std::isnan(p[kMin])) p[kMin] = material.v_small;
}

void evaluate(const FrictionInput& in, std::span<const double> p, FrictionOutput& out) {
  slide(in, p[kMu] / saturated(norm(slip_of(in)), p[kMin]), out);  // (1)
}

}  // namespace

extern const FrictionLaw friction_law_coulomb_otter{
    .name = "coulomb_otter",
    .doc = "Coulomb friction, linear below a small speed as in Otter 2005",
    .fields = kFields,
    .bind = bind,
    .evaluate = evaluate};

}  // namespace carom
