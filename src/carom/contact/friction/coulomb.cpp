// Coulomb friction, regularised as Modia3D does ("Regularized unit vectors" of its manual):
//
//   f = -mu_k fn v / reg(|v|, v_small)                                            (1)
//
// Twice continuously differentiable in |v|, with the slope 3 mu_k fn / v_small at rest: a
// body on an incline creeps. For holding a load choose lugre or elasto_plastic.
#include "carom/contact/regularise.h"
#include "carom/contact/slip.h"

namespace carom {
namespace {

enum { kMu, kSmall };
constexpr ParamField kFields[] = {
    {"mu", "-", "friction coefficient; without it mu_k of the pair", kRequired, 0.0},
    {"v_small", "m/s", "speed from which friction is full; without it that of the pair", kRequired,
     0.0, kInf, ParamType::number, true},
};

void bind(const PairMaterial& material, std::span<double> p) {
  if (std::isnan(p[kMu])) p[kMu] = material.mu_k;
  if (std::isnan(p[kSmall])) p[kSmall] = material.v_small;
}

void evaluate(const FrictionInput& in, std::span<const double> p, FrictionOutput& out) {
  slide(in, p[kMu] / regularised(norm(slip_of(in)), p[kSmall]), out);  // (1)
}

}  // namespace

extern const FrictionLaw friction_law_coulomb{.name = "coulomb",
                                              .doc = "Coulomb friction, regularised as in Modia3D",
                                              .fields = kFields,
                                              .bind = bind,
                                              .evaluate = evaluate};

}  // namespace carom
