// A law of the user's own, from a formula in depth d, its rate v, impact speed v0,
// restitution e, and the point's stiffness k (linear) and kh (Hertz): F = f(d, v, …).
//
// Its elastic part is f at v = 0, its energy the integral of that over the depth, by Gauss'
// rule in sqrt(d), which is exact for powers d^(n/2) up to n = 4.
#include "carom/contact/law_formula.h"
#include "carom/contact/normal_law.h"

namespace carom {
namespace {

enum { kSpeed, kRestitution };

void start(const ContactStart& s, const PairMaterial&, std::span<const double>,
           std::span<double, kNormalConstants> constants) {
  constants[kSpeed] = s.speed;
  constants[kRestitution] = s.restitution;
}

/// Abscissae and weights of Gauss' rule with four points on 0..1.
constexpr double kAt[] = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281,
                          0.9305681557970263};
constexpr double kShare[] = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731,
                             0.1739274225687269};

void evaluate(std::span<const NormalInput> in, const PairMaterial&, std::span<const double> p,
              std::span<const double, kNormalConstants> constants, std::span<NormalOutput> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    const NormalInput& point = in[i];
    const auto force = [&](double d, double v) {
      const double x[] = {d,          v, constants[kSpeed], constants[kRestitution], point.linear,
                          point.hertz};
      return evaluate_law_formula(p, x);
    };
    NormalOutput& o = out[i];
    o = {};
    o.force = force(point.depth, point.depth_rate);
    o.elastic = force(point.depth, 0.0);
    for (std::size_t k = 0; k < 4; ++k) {  // depth s = d t²
      const double t = kAt[k];
      o.energy += kShare[k] * 2.0 * t * point.depth * force(point.depth * t * t, 0.0);
    }
  }
}

}  // namespace

extern const NormalLaw normal_law_formula{
    .name = "formula",
    .doc = "a formula in depth d, its rate v, v0, e and the stiffness k and kh",
    .fields = {},
    .uses_start = true,
    .jumps = true,
    .own_stiffness = true,
    .has_exact_energy = false,  // by a rule of four points
    .start = start,
    .evaluate = evaluate};

}  // namespace carom
