// Static equilibrium: the state at rest in which nothing accelerates.
#pragma once

#include <span>
#include <string>

#include "carom/engine/evaluate.h"

namespace carom {

struct EquilibriumResult {
  bool found = false;
  double residual = 0.0;  ///< largest acceleration that remains [rad/s², m/s²]
  int iterations = 0;
  std::string reason;  ///< why none was found
};

/// Moves x (velocities become zero) to the equilibrium reached by rolling downhill:
/// overdamped motion with growing steps, then Newton's method. So from a rough start it
/// ends in a stable equilibrium, if there is one nearby.
EquilibriumResult find_equilibrium(Workspace& w, double t, std::span<double> x);

}  // namespace carom
