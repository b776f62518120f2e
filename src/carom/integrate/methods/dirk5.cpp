// An L-stable, stiffly accurate implicit Runge-Kutta pair of orders 5 and 4.
//
// ESDIRK5(4)7L[2]SA2 of Kennedy & Carpenter, "Diagonally implicit Runge-Kutta methods for
// stiff ODEs", Appl. Numer. Math. 146 (2019) 221-244. Dense output is cubic (see dirk3),
// below the order of the method: events repeat the step.
#include <arkode/arkode_arkstep.h>

#include "carom/integrate/sundials/arkode_integrator.h"

namespace carom {

extern const Method method_dirk5{
    .name = "dirk5",
    .doc = "implicit Runge-Kutta of order 5, L-stable (ESDIRK, SUNDIALS ARKODE)",
    .error_controlled = true,
    .implicit = true,
    .handles_projection = true,
    .order = 5,
    .make =
        [](System& system, const IntegratorSettings& settings) {
          return make_arkode_integrator(
              system, settings, {true, ARKODE_ESDIRK547L2SA2_7_4_5, ARK_ADAPT_PID, 3, false});
        },
    .kink_factor = 5.0};

}  // namespace carom
