// Zonneveld's pair of orders 4 and 3.
//
// Zonneveld, "Automatic integration of ordinary differential equations", Mathematisch
// Centrum R743 (1963). Dense output of degree 4 matches its local error h^5.
#include <arkode/arkode_erkstep.h>

#include "carom/integrate/sundials/arkode_integrator.h"

namespace carom {

extern const Method method_erk4{
    .name = "erk4",
    .doc = "explicit Runge-Kutta of order 4 (Zonneveld, SUNDIALS ARKODE)",
    .error_controlled = true,
    .implicit = false,
    .handles_projection = true,
    .order = 4,
    .make = [](System& system, const IntegratorSettings& settings) {
      return make_arkode_integrator(system, settings,
                                    {false, ARKODE_ZONNEVELD_5_3_4, ARK_ADAPT_PI, 4, true});
    }};

}  // namespace carom
