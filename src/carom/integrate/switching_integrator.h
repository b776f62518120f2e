// Explicit where it can be, implicit where it must be.
//
// The Runge-Kutta method of order 8 measures at the end of every step how far h |lambda| is
// from the border of its stability (Hairer & Wanner, "Solving Ordinary Differential
// Equations II" (1996), IV.2). Where accuracy would allow longer steps than stability does,
// for 15 steps, BDF takes over. It gives back where the system says that it is not stiff, or
// where a step is suggested: then something fast is about to happen that must be resolved.
#pragma once

#include <memory>

#include "carom/integrate/integrator.h"

namespace carom {

std::unique_ptr<Integrator> make_switching_integrator(System& system,
                                                      const IntegratorSettings& settings);

}  // namespace carom
