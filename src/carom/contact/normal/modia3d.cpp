// Modia3D's normal law as its manual documents it (Neumayr and Otter 2019; damping after
// Flores et al. 2011):
//
//   F = max(0, c_res c_geo d^n (1 + D d'))                                        (1)
//   D = min(D_max, 8 (1 - e_reg) / (5 e_reg reg(v0, v_small)))                     (2)
//
// with the regularised restitution e_reg of restitution.cpp. The restitution that (2) gives
// is lower than the set one: 0.683 for 0.7, 0.256 for 0.3.
#include "carom/contact/impact_damping.h"
#include "carom/contact/modia3d_point.h"
#include "carom/contact/regularise.h"

namespace carom {
namespace {

enum { kDampingMax };
constexpr double kManualCap = 1000.0;
constexpr ParamField kFields[] = {
    {"damping_max", "s/m", "largest damping factor; without it that of the pair, at most 1000",
     kRequired, 0.0},
};

void bind(const PairMaterial& material, std::span<double> p) {
  if (std::isnan(p[kDampingMax])) p[kDampingMax] = std::min(kManualCap, material.damping_max);
}

void start(const ContactStart& s, const PairMaterial& m, std::span<const double> p,
           std::span<double, kNormalConstants> constants) {
  const bool done = m.restitution.kind == Restitution::Kind::regularised;
  const double e =
      done ? std::max(s.restitution, m.restitution_min)
           : regularised_restitution(s.restitution, s.speed, m.restitution_min, m.v_small);
  constants[0] = std::min(p[kDampingMax],
                          8.0 * (1.0 - e) / (5.0 * e * regularised(s.speed, m.v_small)));  // (2)
}

void evaluate(std::span<const NormalInput> in, const PairMaterial& material,
              std::span<const double>, std::span<const double, kNormalConstants> constants,
              std::span<NormalOutput> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = modia3d_point(in[i], material, false);
    out[i].force = std::max(0.0, out[i].elastic * (1.0 + constants[0] * in[i].depth_rate));  // (1)
  }
}

}  // namespace

extern const NormalLaw normal_law_modia3d{
    .name = "modia3d",
    .doc = "Modia3D's law as its manual documents it: contact radii, regularised restitution",
    .fields = kFields,
    .uses_start = true,
    .is_published = true,
    .bind = bind,
    .start = start,
    .evaluate = evaluate};

}  // namespace carom
