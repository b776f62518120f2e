// Elasto-plastic bristles (Dupont, Hayward, Armstrong and Altpeter 2002), load-scaled and
// isotropic. Below break-away a bristle is elastic, and nothing creeps:
//
//   z' = v - a(u) s0 (n.v)+ z / g(v),   n = z/|z|,   u = s0 |z| / g(v)             (1)
//   a = 0 for u <= u_b,  (1 + sin(pi (u - (1+u_b)/2) / (1-u_b))) / 2 to u = 1,  then 1  (2)
//
// Along a line this is Dupont's law: (n.v)+ is |v| where bristle and slip agree in sign, and
// a bristle that is released recovers elastically. In the plane it is a yield circle: only the
// part of the slip that stretches the bristle makes it yield. Force, g and s1 as in bristle.h.
#include <algorithm>
#include <numbers>

#include "carom/contact/bristle.h"

namespace carom {
namespace {

enum { kBreakAway = Bristle::kFieldCount };
constexpr auto kFields = [] {
  std::array<ParamField, kBreakAway + 1> fields{};
  std::ranges::copy(Bristle::kFields, fields.begin());
  fields[kBreakAway] = {"break_away",
                        "-",
                        "share of the greatest deflection up to which bristles are elastic",
                        0.8,
                        0.0,
                        1.0,
                        ParamType::number,
                        true};
  return fields;
}();

double yielding(double u, double u_b) {
  if (u <= u_b) return 0.0;
  if (u >= 1.0) return 1.0;
  const double phase = (u - 0.5 * (1.0 + u_b)) / (1.0 - u_b);
  return 0.5 * (1.0 + std::sin(std::numbers::pi * phase));  // (2)
}

void evaluate(const FrictionInput& in, std::span<const double> p, FrictionOutput& out) {
  const Slip v = slip_of(in), z = bristle_of(in);
  const double speed = norm(v), g = Bristle::steady_coefficient(p, speed);
  const double length = norm(z), stretch = dot(z, v);
  double relaxation = 0.0;
  if (g > 0.0 && length > 0.0 && stretch > 0.0) {
    const double s0 = p[Bristle::kStiffness];
    const double a = yielding(s0 * length / g, p[kBreakAway]);
    relaxation = a * s0 * (stretch / length) / g;  // (1)
  }
  Bristle::finish(in, p, speed, g, relaxation, out);
}

}  // namespace

extern const FrictionLaw friction_law_elasto_plastic{
    .name = "elasto_plastic",
    .doc = "bristle friction that is elastic below break-away: holds vibrating loads",
    .fields = kFields,
    .has_bristle = true,
    .has_elastic_border = true,
    .bind = Bristle::bind,
    .evaluate = evaluate};

}  // namespace carom
