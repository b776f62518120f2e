// The coefficient of restitution over the approach speed.
//
// Power law: e falls as v^(-1/4) where metals yield (Johnson 1985, section 11.5).
// Regularised (Modia3D manual, "Damping coefficient"):
//   e = e1 + (e0 - e1) 0.01^(v / v_small),   e0 the least one,  e1 = max(e0, value)
#include <algorithm>
#include <cmath>

#include "carom/contact/impact_damping.h"
#include "carom/contact/pair_material.h"

namespace carom {
namespace {

double interpolate(const std::vector<std::pair<double, double>>& table, double v) {
  if (table.empty()) return 0.0;
  const auto above = std::upper_bound(table.begin(), table.end(), v,
                                      [](double x, const auto& row) { return x < row.first; });
  if (above == table.begin()) return table.front().second;
  if (above == table.end()) return table.back().second;
  const auto& [v0, e0] = *(above - 1);
  const auto& [v1, e1] = *above;
  return e0 + (e1 - e0) * (v - v0) / (v1 - v0);
}

}  // namespace

double regularised_restitution(double restitution, double speed, double least, double v_small) {
  const double limit = std::max(least, restitution);
  return limit + (least - limit) * std::exp(std::log(0.01) * std::abs(speed) / v_small);
}

double restitution_at(const PairMaterial& material, double v) {
  const Restitution& r = material.restitution;
  double e = r.value;
  switch (r.kind) {
    case Restitution::Kind::constant: break;
    case Restitution::Kind::table: e = interpolate(r.table, v); break;
    case Restitution::Kind::power:
      e = v > 0.0 ? r.value * std::pow(v / r.reference, -r.exponent) : 1.0;
      break;
    case Restitution::Kind::regularised:
      e = regularised_restitution(r.value, v, material.restitution_min, material.v_small);
      break;
  }
  return std::clamp(e, 0.0, 1.0);
}

}  // namespace carom
