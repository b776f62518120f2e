// Dormand, Prince & Hairer's method of order 8: the choice for smooth motion.
//
// Not ARKODE's Fehlberg pair of orders 7 and 8: that converged with order 7, and its error
// estimate does not see a force that depends on time alone.
#include "carom/integrate/dop853.h"

namespace carom {

extern const Method method_erk8{
    .name = "erk8",
    .doc = "explicit Runge-Kutta of order 8 with dense output of order 7 (DOP853)",
    .error_controlled = true,
    .implicit = false,
    .handles_projection = true,
    .order = 8,
    .make = make_dop853_integrator,
    .kink_factor = 5.0};

}  // namespace carom
