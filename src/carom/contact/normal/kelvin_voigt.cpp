// Kelvin and Voigt: a linear spring beside a linear damper,
//
//   F = k d + c d'                                                                 (1)
//
// The force jumps to c v0 where the contact begins and is zero before the surfaces part.
#include "carom/contact/normal_law.h"

namespace carom {
namespace {

enum { kStiffness, kDamping };
constexpr ParamField kFields[] = {
    {"stiffness", "N/m", "constant k of the spring", 1e6, 0.0, kInf, ParamType::number, true},
    {"damping", "N.s/m", "constant c of the damper", 0.0, 0.0},
};

void evaluate(std::span<const NormalInput> in, const PairMaterial&, std::span<const double> p,
              std::span<const double, kNormalConstants>, std::span<NormalOutput> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double d = in[i].depth;
    out[i] = {};
    out[i].elastic = in[i].weight * p[kStiffness] * d;
    out[i].energy = 0.5 * out[i].elastic * d;
    out[i].force = out[i].elastic + in[i].weight * p[kDamping] * in[i].depth_rate;  // (1)
  }
}

void tangent(std::span<const NormalInput> in, const PairMaterial&, std::span<const double> p,
             std::span<double> slope) {
  for (std::size_t i = 0; i < in.size(); ++i) slope[i] = in[i].weight * p[kStiffness];
}

}  // namespace

extern const NormalLaw normal_law_kelvin_voigt{.name = "kelvin_voigt",
                                               .doc = "linear spring beside a linear damper",
                                               .fields = kFields,
                                               .jumps = true,
                                               .own_stiffness = true,
                                               .evaluate = evaluate,
                                               .tangent = tangent};

}  // namespace carom
