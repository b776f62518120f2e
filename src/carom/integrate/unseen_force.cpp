#include "carom/integrate/unseen_force.h"

#include <algorithm>
#include <cmath>

namespace carom {

bool sees_unseen_force(const GroupNorm& norm, std::span<const double> weights,
                       std::span<const double> slopes, double h, StageRange looked_at,
                       StageRange counting) {
  constexpr double kMore = 10.0;       // of (1)
  constexpr double kHarmless = 100.0;  // tolerances
  for (std::size_t g = 0; g < norm.group_count(); ++g) {
    const std::span<const std::size_t> members = norm.members(g);
    const auto change2 = [&](StageRange stages) {
      double most = 0.0;
      for (std::size_t s = stages.begin; s < stages.end; ++s) {
        const double* k = slopes.data() + s * weights.size();
        double sum = 0.0;
        for (const std::size_t i : members) {
          const double change = weights[i] * (k[i] - slopes[i]);
          sum += change * change;
        }
        most = std::max(most, sum);
      }
      return most;
    };
    const double met = change2(looked_at);
    const auto n = static_cast<double>(members.size());
    if (h * std::sqrt(met / n) <= kHarmless) continue;
    if (met > kMore * kMore * change2(counting)) return true;
  }
  return false;
}

}  // namespace carom
