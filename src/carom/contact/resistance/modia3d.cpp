// Modia3D's resistance (manual, "Response calculation"): rolling and spinning alike,
//
//   tau = -mu_r r fn w / reg(|w|, w_small)                                         (1)
//
// with the contact radius r of the pair. The manual takes r = 1 m where no sphere takes part,
// which makes mu_r a length in metres there; Modia3D itself takes the radius, and so does this
// row unless it is asked.
#include "carom/contact/regularise.h"
#include "carom/contact/resistance_law.h"

namespace carom {
namespace {

enum { kMu, kSmall, kUnitRadius };
constexpr ParamField kFields[] = {
    {"mu_r", "-", "coefficient over the contact radius; without it that of the pair", kRequired,
     0.0},
    {"w_small", "rad/s", "speed from which resistance is full; without it that of the pair",
     kRequired, 0.0, kInf, ParamType::number, true},
    {"unit_radius", "-", "take 1 m for the radius where no sphere takes part, as the manual prints",
     0.0, 0.0, 1.0, ParamType::boolean},
};

void bind(const PairMaterial& material, std::span<double> p) {
  if (std::isnan(p[kMu])) p[kMu] = material.mu_r;
  if (std::isnan(p[kSmall])) p[kSmall] = material.w_small;
}

Vec3 evaluate(const ResistanceInput& in, std::span<const double> p) {
  const double radius = p[kUnitRadius] == 0.0 || in.has_sphere ? in.radius : 1.0;
  const Vec3& w = in.angular_velocity;
  return (-p[kMu] * radius * in.normal_force / regularised(norm(w), p[kSmall])) * w;  // (1)
}

}  // namespace

extern const ResistanceLaw resistance_law_modia3d{
    .name = "modia3d",
    .doc = "Modia3D's resistance against any relative rotation",
    .fields = kFields,
    .bind = bind,
    .evaluate = evaluate};

}  // namespace carom
