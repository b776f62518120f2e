// Forces that a step of Dormand and Prince meets on its way without noticing.
//
// The second to fifth stage have no weight in the new state nor in the estimate of its error: what
// they alone see (a body that passes the rim of a sheet in the first quarter of a long flight)
// leaves no trace there. The stages of the dense output come when the step is accepted, and what
// they alone see makes a curve of it that is wrong by any amount. Slopes of a smooth system change
// about as much in the stages that count, and so, group by group,
//
//   |k_i - k_0| > 10 max |k_j - k_0|,   j over the stages that count, and the end,          (1)
//
// tells of a force of that kind. It is nothing if it moves the state by less than a hundred
// tolerances within the step.
#pragma once

#include <cstddef>
#include <span>

#include "carom/integrate/group_norm.h"

namespace carom {

struct StageRange {
  std::size_t begin, end;
};

/// Whether (1) holds for one of the stages `looked_at`. Slopes of all stages lie one behind the
/// other, each of the size of `weights`; those that count are in `counting`.
bool sees_unseen_force(const GroupNorm& norm, std::span<const double> weights,
                       std::span<const double> slopes, double h, StageRange looked_at,
                       StageRange counting);

}  // namespace carom
