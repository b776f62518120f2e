// Dormand & Prince's pair of orders 5 and 4: the work horse of non-stiff problems.
//
// Dormand & Prince, "A family of embedded Runge-Kutta formulae", J. Comput. Appl. Math.
// 6 (1980) 19-26. Dense output of degree 5: its error h^6 is of the order of the
// method's own local error.
#include <arkode/arkode_erkstep.h>

#include "carom/integrate/sundials/arkode_integrator.h"

namespace carom {

extern const Method method_erk5{
    .name = "erk5",
    .doc = "explicit Runge-Kutta of order 5 (Dormand-Prince, SUNDIALS ARKODE)",
    .error_controlled = true,
    .implicit = false,
    .handles_projection = true,
    .order = 5,
    .make =
        [](System& system, const IntegratorSettings& settings) {
          return make_arkode_integrator(system, settings,
                                        {false, ARKODE_DORMAND_PRINCE_7_4_5, ARK_ADAPT_I, 5, true});
        },
    .kink_factor = 5.0};

}  // namespace carom
