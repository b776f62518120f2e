// Explicit where it can be, implicit where it must be.
//
// The Runge-Kutta method of order 8 measures at the end of every step how far h |lambda| is
// from the border of its stability (Hairer & Wanner, "Solving Ordinary Differential
// Equations II" (1996), IV.2). Where accuracy would allow longer steps than stability does,
// for 15 steps, BDF takes over.
//
// Stiffness that this does not show (hardly damped vibrations, depths near rounding) is found by
// trial where the system says that it may vibrate: after 10000 evaluations without a restart BDF
// of order 2 takes 60 steps, and stays if it needs at most half of the evaluations; so does BDF of
// all orders where that of order 2 is in use.
//
// The explicit method returns where the system says that it is not stiff, or where a step is
// suggested: then something fast is about to happen that must be resolved.
#pragma once

#include <memory>

#include "carom/integrate/integrator.h"

namespace carom {

std::unique_ptr<Integrator> make_switching_integrator(System& system,
                                                      const IntegratorSettings& settings);

}  // namespace carom
