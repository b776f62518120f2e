// The p^n law (Oestersötebier, Wang and Trächtler 2014, equation 8):
//
//   F = c p^n + d p^m p'                                                           (1)
//
// n = m is Hunt and Crossley's form, n = 1 and m = 0 Kelvin and Voigt's. The library switches
// the force off where p exceeds a greatest depth, so that bodies fall through; here they do
// not, and the force does not pull.
#include <cmath>

#include "carom/contact/normal_law.h"

namespace carom {
namespace {

enum { kStiffness, kDamping, kExponent, kDampingExponent };
constexpr ParamField kFields[] = {
    {"stiffness", "N/m^n", "c of the elastic part c p^n", 1e6, 0.0, kInf, ParamType::number, true},
    {"damping", "N.s/m^(m+1)", "d of the damping part d p^m p'", 1e5, 0.0},
    {"exponent", "-", "n of the elastic part", 1.5, 1.0, 10.0},
    {"damping_exponent", "-", "m of the damping part; without it n", kRequired, 0.0, 10.0},
};

void bind(const PairMaterial&, std::span<double> p) {
  if (std::isnan(p[kDampingExponent])) p[kDampingExponent] = p[kExponent];
}

/// d^e; the exponents of the linear law need no logarithm, and give the same bits, nor do points
/// that do not touch.
double raise(double d, double e) {
  return e == 1.0 ? d : e == 0.0 ? 1.0 : d == 0.0 ? 0.0 : std::pow(d, e);
}

void evaluate(std::span<const NormalInput> in, const PairMaterial&, std::span<const double> p,
              std::span<const double, kNormalConstants>, std::span<NormalOutput> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double d = in[i].depth, w = in[i].weight;
    out[i] = {};
    out[i].elastic = w * p[kStiffness] * raise(d, p[kExponent]);
    out[i].energy = out[i].elastic * d / (p[kExponent] + 1.0);
    out[i].force =
        out[i].elastic + w * p[kDamping] * raise(d, p[kDampingExponent]) * in[i].depth_rate;  // (1)
  }
}

void tangent(std::span<const NormalInput> in, const PairMaterial&, std::span<const double> p,
             std::span<double> slope) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    slope[i] = in[i].weight * p[kStiffness] * p[kExponent] * raise(in[i].depth, p[kExponent] - 1.0);
  }
}

}  // namespace

extern const NormalLaw normal_law_power{.name = "power",
                                        .doc = "powers of the depth: c p^n + d p^m p'",
                                        .fields = kFields,
                                        .jumps = true,
                                        .own_stiffness = true,
                                        .is_published = true,
                                        .bind = bind,
                                        .evaluate = evaluate,
                                        .tangent = tangent};

}  // namespace carom
