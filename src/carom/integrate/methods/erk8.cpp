// Fehlberg's pair of orders 8 and 7.
//
// Fehlberg, "Classical fifth-, sixth-, seventh-, and eighth-order Runge-Kutta formulas
// with stepsize control", NASA TR R-287 (1968). Dense output of degree 7: its error h^8
// is one order short of the local error, so events repeat the step.
#include <arkode/arkode_erkstep.h>

#include "carom/integrate/sundials/arkode_integrator.h"

namespace carom {

extern const Method method_erk8{
    .name = "erk8",
    .doc = "explicit Runge-Kutta of order 8 (Fehlberg, SUNDIALS ARKODE)",
    .error_controlled = true,
    .implicit = false,
    .handles_projection = true,
    .order = 8,
    .make = [](System& system, const IntegratorSettings& settings) {
      return make_arkode_integrator(system, settings, {false, ARKODE_FEHLBERG_13_7_8, 7, false});
    }};

}  // namespace carom
