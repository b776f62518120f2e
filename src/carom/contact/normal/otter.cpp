// The spring and damper of Otter, Elmqvist and Díaz López (2005), section 4.5:
//
//   F = max(0, c d + k d'),   c = cA cB / (cA + cB),   k = (kA + kB) / 2            (1)
//
// The force jumps to k v0 where a contact begins and is zero before the surfaces part.
#include <algorithm>

#include "carom/contact/normal_law.h"
#include "carom/contact/otter_surfaces.h"

namespace carom {
namespace {

void evaluate(std::span<const NormalInput> in, const PairMaterial&, std::span<const double> p,
              std::span<const double, kNormalConstants>, std::span<NormalOutput> out) {
  const double c = OtterSurfaces::stiffness(p), k = OtterSurfaces::damping(p);
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = {};
    out[i].elastic = in[i].weight * c * in[i].depth;
    out[i].energy = 0.5 * out[i].elastic * in[i].depth;
    out[i].force = out[i].elastic + in[i].weight * k * in[i].depth_rate;  // (1), clamped outside
  }
}

}  // namespace

extern const NormalLaw normal_law_otter{
    .name = "otter",
    .doc = "Otter 2005: springs of both surfaces in series, mean of their dampers",
    .fields = OtterSurfaces::kFields,
    .jumps = true,
    .own_stiffness = true,
    .is_published = true,
    .bind = OtterSurfaces::bind,
    .evaluate = evaluate};

}  // namespace carom
