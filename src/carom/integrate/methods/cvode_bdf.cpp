// Backward differentiation formulas of variable order: for stiff contact.
#include "carom/integrate/sundials/cvode_integrator.h"

namespace carom {

extern const Method method_cvode_bdf{
    .name = "cvode_bdf",
    .doc = "backward differentiation, variable order 1 to 5 (SUNDIALS CVODE); for stiff systems",
    .error_controlled = true,
    .implicit = true,
    .handles_projection = true,
    .order = 5,
    .make =
        [](System& system, const IntegratorSettings& settings) {
          return make_cvode_integrator(system, settings, Multistep::bdf);
        },
    .kink_factor = 3.0};

}  // namespace carom
