#include "carom/engine/contact/patch_stiffness.h"

#include <algorithm>

#include "carom/base/index.h"

namespace carom {

void add_patch_stiffness(const ContactScratch& scratch, FrictionInput& in) {
  // No law in use is softer than a spring by more, or harder than a corner.
  constexpr double kLeastPower = 0.5, kMostPower = 4.0;
  in.stiffness = in.stiffness_rate = in.load_rate = 0.0;
  for (std::size_t i = 0; i < at(scratch.manifold.count); ++i) {
    const NormalInput& point = scratch.normal_in[i];
    const NormalOutput& out = scratch.normal_out[i];
    if (!(scratch.press[i] > 0.0 && point.depth > 0.0 && out.elastic > 0.0 && out.energy > 0.0)) {
      continue;
    }
    const double p =
        std::clamp(out.elastic * point.depth / out.energy - 1.0, kLeastPower, kMostPower);
    const double k = p * out.elastic / point.depth;  // (1)
    in.stiffness += k;
    in.stiffness_rate += (p - 1.0) * k * point.depth_rate / point.depth;
    in.load_rate += k * point.depth_rate;
  }
}

}  // namespace carom
