// An L-stable, stiffly accurate implicit Runge-Kutta pair of orders 3 and 2.
//
// ESDIRK3(2)4L[2]SA of Kennedy & Carpenter, "Diagonally implicit Runge-Kutta methods for
// stiff ODEs", Appl. Numer. Math. 146 (2019) 221-244. Dense output is cubic: slopes at
// interpolated states would magnify their error by h times the stiffness.
#include <arkode/arkode_arkstep.h>

#include "carom/integrate/sundials/arkode_integrator.h"

namespace carom {

extern const Method method_dirk3{
    .name = "dirk3",
    .doc = "implicit Runge-Kutta of order 3, L-stable (ESDIRK, SUNDIALS ARKODE)",
    .error_controlled = true,
    .implicit = true,
    .handles_projection = true,
    .order = 3,
    .make = [](System& system, const IntegratorSettings& settings) {
      return make_arkode_integrator(system, settings,
                                    {true, ARKODE_ESDIRK324L2SA_4_2_3, ARK_ADAPT_PID, 3, true});
    }};

}  // namespace carom
