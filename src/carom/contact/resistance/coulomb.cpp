// Rolling and spinning resistance with levers of their own, regularised:
//
//   tau = -fn (r_roll w_t / reg(|w_t|, w_small) + r_spin w_n / reg(|w_n|, w_small))  (1)
//
// w_n is the relative angular velocity along the normal, w_t the rest. A flat punch of radius
// a under even pressure has r_spin = (2/3) mu a, a Hertzian point of radius a (3 pi/16) mu a.
#include "carom/contact/regularise.h"
#include "carom/contact/resistance_law.h"

namespace carom {
namespace {

enum { kRoll, kSpin, kSmall };
constexpr ParamField kFields[] = {
    {"rolling", "m", "lever of the rolling resistance", 0.0, 0.0},
    {"spinning", "m", "lever of the resistance against spin", 0.0, 0.0},
    {"w_small", "rad/s", "speed from which resistance is full; without it that of the pair",
     kRequired, 0.0, kInf, ParamType::number, true},
};

void bind(const PairMaterial& material, std::span<double> p) {
  if (std::isnan(p[kSmall])) p[kSmall] = material.w_small;
}

Vec3 evaluate(const ResistanceInput& in, std::span<const double> p) {
  const Vec3 w_n = dot(in.angular_velocity, in.normal) * in.normal;
  const Vec3 w_t = in.angular_velocity - w_n;
  const double roll = p[kRoll] / regularised(norm(w_t), p[kSmall]);
  const double spin = p[kSpin] / regularised(norm(w_n), p[kSmall]);
  return -in.normal_force * (roll * w_t + spin * w_n);  // (1)
}

}  // namespace

extern const ResistanceLaw resistance_law_coulomb{
    .name = "coulomb",
    .doc = "rolling and spinning resistance with levers of their own",
    .fields = kFields,
    .bind = bind,
    .evaluate = evaluate};

}  // namespace carom
