// The elastic force of the material alone, without loss (Hertz 1882; for lines and faces
// see stiffness.h):  F = linear d + hertz d^(3/2).
#include "carom/contact/impact_damping.h"

namespace carom {
namespace {

void evaluate(std::span<const NormalInput> in, const PairMaterial&, std::span<const double>,
              std::span<const double, kNormalConstants>, std::span<NormalOutput> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = elastic_point(in[i]);
}

}  // namespace

extern const NormalLaw normal_law_hertz{.name = "hertz",
                                        .doc = "elastic force of the material, without loss",
                                        .fields = {},
                                        .lets_go = false,
                                        .of_material = true,
                                        .evaluate = evaluate,
                                        .tangent = material_tangent};

}  // namespace carom
