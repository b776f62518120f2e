// The rule of all methods that step by velocities (math/velocity_step.h). They differ in what their
// system sets up, not in how a step is taken.
#pragma once

#include "carom/integrate/fixed_step.h"

namespace carom {

/// An integrator of such steps; a system that has none is integrated by semi-implicit Euler.
std::unique_ptr<Integrator> make_velocity_integrator(System& system,
                                                     const IntegratorSettings& settings);

}  // namespace carom
