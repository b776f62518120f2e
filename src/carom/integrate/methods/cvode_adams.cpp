// Adams-Moulton formulas of variable order: few evaluations on smooth motion.
#include "carom/integrate/sundials/cvode_integrator.h"

namespace carom {

// CVODE projects the BDF family only; without projection a loop drifts open.
extern const Method method_cvode_adams{
    .name = "cvode_adams",
    .doc = "Adams-Moulton, variable order 1 to 12 (SUNDIALS CVODE); for smooth motion",
    .error_controlled = true,
    .implicit = false,
    .handles_projection = false,
    .order = 12,
    .make =
        [](System& system, const IntegratorSettings& settings) {
          return make_cvode_integrator(system, settings, Multistep::adams);
        },
    .kink_factor = 5.0};

}  // namespace carom
