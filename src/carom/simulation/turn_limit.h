// How far joints of closed loops may turn in one step.
//
// Error control looks at the end of a step. A linkage that runs evenly would let it take
// several turns in one, across singular positions, and its dense output would mean nothing
// in between. A radian a step is more than a mechanism's curvature allows anyway.
#pragma once

#include <span>
#include <vector>

#include "carom/engine/model.h"

namespace carom {

class TurnLimit {
 public:
  TurnLimit() = default;  ///< none
  explicit TurnLimit(const Model& model);
  /// The longest step from state x [s]; infinite without turning joints in loops.
  double longest_step(std::span<const double> x) const;

 private:
  std::vector<std::size_t> turns_;  ///< their velocities, as places in x
};

}  // namespace carom
