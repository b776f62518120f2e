// Methods of fixed step: a rule for one step, on the grid start + k * fixed_step.
//
// A step is shorter where its limit lies before the next grid point, or where the
// right-hand side asks for it (it is then halved until it can be taken); the next step
// returns to the grid.
#pragma once

#include <functional>
#include <memory>

#include "carom/integrate/checked_rhs.h"
#include "carom/integrate/integrator.h"

namespace carom {

/// x_new at t + h from x at t.
using StepRule =
    std::function<Status(double t, double h, std::span<const double> x, std::span<double> x_new)>;

/// Makes the rule for a system of the size that it has now.
using MakeStepRule = StepRule (*)(CheckedRhs& rhs, IntegratorStatistics& statistics,
                                  const IntegratorSettings& settings);

struct FixedStepMethod {
  MakeStepRule make_rule;
  int dense_degree;  ///< of the dense output; at least the order of the rule
  bool is_explicit;
  /// Grid points are multiples of the step, wherever it starts: a start after a halved step would
  /// leave them for good.
  bool keeps_grid = false;
};

std::unique_ptr<Integrator> make_fixed_step_integrator(System& system,
                                                       const IntegratorSettings& settings,
                                                       const FixedStepMethod& method);

}  // namespace carom
