// Explicit where it can be, implicit where it must be.
//
// The Runge-Kutta method of order 8 measures at the end of every step how far h |lambda| is
// from the border of its stability (Hairer & Wanner, "Solving Ordinary Differential
// Equations II" (1996), IV.2). Where accuracy would allow longer steps than stability does,
// for 15 steps, BDF takes over.
//
// Stiffness that this does not show (hardly damped vibrations, depths near rounding) is found by
// trial where the system says that it may vibrate: after 5000 evaluations, and 60 steps since the
// last restart, BDF of order 2 takes up to 420 steps, and stays as soon as it needs at most half of
// the evaluations; so does BDF of all orders, for 60 steps, where that of order 2 is in use. BDF of
// the orders 3 to 5 grows vibrations that are faster than its steps, up to the tolerance and never
// beyond: there it takes thousands of steps where order 2, which damps them, takes one. CVODE finds
// that out (Hindmarsh, "Avoiding BDF stability barriers in the MOL solution of advection-dominated
// problems", Appl. Numer. Math. 17 (1995) 311-318) and lowers the order, for a while; when it has
// done so three times, order 2 takes over.
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
