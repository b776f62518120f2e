// Spring and damper of both surfaces, connected in series exactly: what Otter, Elmqvist and
// Díaz López (2005), section 4.5, call the correct solution and replace by a mean.
//
//   F = cA x + kA x' = cB (d - x) + kB (d' - x')                                   (1)
//
// where x is the part of the depth that surface A takes, a state of the contact:
//
//   x' = (cB (d - x) + kB d' - cA x) / (kA + kB).                                  (2)
//
// Without dampers the springs share the depth at once. With E = (cA x² + cB (d-x)²)/2 the
// force dE/dd = cB (d - x) is elastic; the rest of F d' and -dE/dx x' dissipate.
#include "carom/contact/normal_law.h"
#include "carom/contact/otter_surfaces.h"

namespace carom {
namespace {

NormalOutput springs_alone(const NormalInput& in, std::span<const double> p) {
  NormalOutput out;
  out.elastic = out.force = in.weight * OtterSurfaces::stiffness(p) * in.depth;
  out.energy = 0.5 * out.elastic * in.depth;
  return out;
}

NormalOutput series(const NormalInput& in, std::span<const double> p) {
  using S = OtterSurfaces;
  const double w = in.weight, x = in.state, y = in.depth - x;
  const double fa = p[S::kStiffness] * x, fb = p[S::kStiffness2] * y;
  const double rate =
      (fb + p[S::kDamping2] * in.depth_rate - fa) / (p[S::kDamping] + p[S::kDamping2]);  // (2)
  NormalOutput out;
  out.force = w * (fa + p[S::kDamping] * rate);  // (1)
  out.elastic = w * fb;
  out.energy = 0.5 * w * (fa * x + fb * y);
  out.state_rate = rate;
  out.state_power = w * (fb - fa) * rate;
  return out;
}

void evaluate(std::span<const NormalInput> in, const PairMaterial&, std::span<const double> p,
              std::span<const double, kNormalConstants>, std::span<NormalOutput> out) {
  const bool damped = p[OtterSurfaces::kDamping] + p[OtterSurfaces::kDamping2] > 0.0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = damped ? series(in[i], p) : springs_alone(in[i], p);
  }
}

}  // namespace

extern const NormalLaw normal_law_otter_series{
    .name = "otter_series",
    .doc = "spring and damper of both surfaces in exact series, with a state",
    .fields = OtterSurfaces::kFields,
    .jumps = true,
    .has_state = true,
    .own_stiffness = true,
    .is_published = true,
    .has_exact_energy = false,  // its state has a part
    .bind = OtterSurfaces::bind,
    .evaluate = evaluate};

}  // namespace carom
