// The friction torque about the normal of Otter, Elmqvist and Díaz López (2005), section 4.5:
//
//   tau = -d_w fn n (w.n) / max(|w.n|, w_min)                                      (1)
//
// d_w is a length: the equation needs one, though the table of the paper prints N.m.s/rad.
#include "carom/contact/regularise.h"
#include "carom/contact/resistance_law.h"

namespace carom {
namespace {

enum { kLever, kMin, kLever2 };
constexpr ParamField kFields[] = {
    {"d_w", "m", "lever of the friction torque of a surface", 0.0, 0.0},
    {"w_min", "rad/s", "start of the full torque", 1e-3, 0.0, kInf, ParamType::number, true},
    {"d_w_2", "m", "lever of the other surface; without it the same", kRequired, 0.0},
};

void bind(const PairMaterial&, std::span<double> p) {
  if (std::isnan(p[kLever2])) p[kLever2] = p[kLever];
}

Vec3 evaluate(const ResistanceInput& in, std::span<const double> p) {
  const double spin = dot(in.angular_velocity, in.normal);
  const double lever = 0.5 * (p[kLever] + p[kLever2]);
  return (-lever * in.normal_force * spin / saturated(std::abs(spin), p[kMin])) * in.normal;  // (1)
}

}  // namespace

extern const ResistanceLaw resistance_law_otter{
    .name = "otter",
    .doc = "friction torque about the normal as in Otter 2005",
    .fields = kFields,
    .bind = bind,
    .evaluate = evaluate};

}  // namespace carom
