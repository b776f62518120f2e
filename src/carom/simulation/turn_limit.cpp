#include "carom/simulation/turn_limit.h"

#include <algorithm>
#include <cmath>

namespace carom {

TurnLimit::TurnLimit(const Model& model) {
  for (const ConstraintIsland& island : model.constraints.islands) {
    if (island.loops.empty()) continue;
    for (const int index : island.links) {
      const Link& link = model.tree.links[static_cast<std::size_t>(index)];
      for (int k = 0; k < link.joint->nv; ++k) {
        if (!link.joint->coordinates[static_cast<std::size_t>(k)].angular) continue;
        turns_.push_back(model.nq() + static_cast<std::size_t>(link.v0 + k));
      }
    }
  }
}

double TurnLimit::longest_step(std::span<const double> x) const {
  constexpr double kTurn = 1.0;  // [rad]
  double fastest = 0.0;
  for (const std::size_t i : turns_) fastest = std::max(fastest, std::abs(x[i]));
  return fastest > 0.0 ? kTurn / fastest : kInf;
}

}  // namespace carom
