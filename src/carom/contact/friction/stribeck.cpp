// Coulomb friction with Stribeck's peak and viscous friction:
//
//   f = -mu(|v|) fn v / reg(|v|, v_small)                                         (1)
//   mu = mu_k + (mu_s - mu_k) exp(-((|v| - v_small)/v_s)²) + k_v |v|,  |v| > v_small  (2)
//   mu = mu_s + k_v |v|  below
//
// so that the peak without viscous friction is mu_s exactly, at v_small.
#include <algorithm>

#include "carom/contact/regularise.h"
#include "carom/contact/slip.h"

namespace carom {
namespace {

enum { kMuK, kMuS, kSmall, kStribeck, kViscous };
constexpr ParamField kFields[] = {
    {"mu_k", "-", "sliding friction; without it that of the pair", kRequired, 0.0},
    {"mu_s", "-", "break-away friction; without it that of the pair", kRequired, 0.0},
    {"v_small", "m/s", "speed of the peak; without it that of the pair", kRequired, 0.0, kInf,
     ParamType::number, true},
    {"v_stribeck", "m/s", "speed over which mu falls from mu_s to mu_k; without it 10 v_small",
     kRequired, 0.0, kInf, ParamType::number, true},
    {"viscous", "s/m", "growth of mu with speed", 0.0, 0.0},
};

void bind(const PairMaterial& material, std::span<double> p) {
  if (std::isnan(p[kMuK])) p[kMuK] = material.mu_k;
  if (std::isnan(p[kMuS])) p[kMuS] = std::max(p[kMuK], material.mu_s);
  if (std::isnan(p[kSmall])) p[kSmall] = material.v_small;
  if (std::isnan(p[kStribeck])) p[kStribeck] = 10.0 * p[kSmall];
}

void evaluate(const FrictionInput& in, std::span<const double> p, FrictionOutput& out) {
  const double speed = norm(slip_of(in));
  const double u = std::max(0.0, speed - p[kSmall]) / p[kStribeck];
  const double mu = p[kMuK] + (p[kMuS] - p[kMuK]) * std::exp(-u * u) + p[kViscous] * speed;  // (2)
  slide(in, mu / regularised(speed, p[kSmall]), out);                                        // (1)
}

}  // namespace

extern const FrictionLaw friction_law_stribeck{
    .name = "stribeck",
    .doc = "Coulomb friction with break-away peak and viscous friction, regularised",
    .fields = kFields,
    .bind = bind,
    .evaluate = evaluate};

}  // namespace carom
