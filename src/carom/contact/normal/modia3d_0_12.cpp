// Modia3D's normal law as its version 0.12 computes it, which its manual does not say:
//
//   F = c_res (4/3) sqrt(r) d^(3/2) (1 + D d')                                     (1)
//   D = min(D_max, 8 (1 - e) / (5 e v0)),   e = 0 where v0 <= v_small               (2)
//
// for all shapes, with their contact radii; the force is not kept from pulling.
#include <algorithm>

#include "carom/contact/modia3d_point.h"

namespace carom {
namespace {

void start(const ContactStart& s, const PairMaterial& m, std::span<const double>,
           std::span<double, kNormalConstants> constants) {
  const double e = s.speed > m.v_small ? s.restitution : 0.0;
  constants[0] = m.damping_max;
  if (e > 0.0) constants[0] = std::min(m.damping_max, 8.0 * (1.0 - e) / (5.0 * e * s.speed));
}

void evaluate(std::span<const NormalInput> in, const PairMaterial& material,
              std::span<const double>, std::span<const double, kNormalConstants> constants,
              std::span<NormalOutput> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = modia3d_point(in[i], material, true);
    out[i].force = out[i].elastic * (1.0 + constants[0] * in[i].depth_rate);  // (1)
  }
}

}  // namespace

extern const NormalLaw normal_law_modia3d_0_12{
    .name = "modia3d_0_12",
    .doc = "Modia3D's law as its version 0.12 computes it: contact radii for all shapes",
    .fields = {},
    .uses_start = true,
    .is_published = true,
    .start = start,
    .evaluate = evaluate};

}  // namespace carom
