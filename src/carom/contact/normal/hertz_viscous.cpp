// The elastic force of the material with a constant viscous damper:
//
//   F = Fe(d) + C d'                                                               (1)
//
// The force jumps to C v0 where the contact begins and is zero before the surfaces part, so
// restitution depends on mass and speed; C is the user's.
#include "carom/contact/impact_damping.h"

namespace carom {
namespace {

enum { kDamping };
constexpr ParamField kFields[] = {
    {"damping", "N.s/m", "constant C of the damper", 0.0, 0.0},
};

void evaluate(std::span<const NormalInput> in, const PairMaterial&, std::span<const double> p,
              std::span<const double, kNormalConstants>, std::span<NormalOutput> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = elastic_point(in[i]);
    out[i].force += in[i].weight * p[kDamping] * in[i].depth_rate;  // (1)
  }
}

}  // namespace

extern const NormalLaw normal_law_hertz_viscous{
    .name = "hertz_viscous",
    .doc = "elastic force of the material with a constant viscous damper",
    .fields = kFields,
    .jumps = true,
    .of_material = true,
    .evaluate = evaluate,
    .tangent = material_tangent};

}  // namespace carom
