#include "carom/integrate/switching_integrator.h"

namespace carom {

extern const Method method_switching{
    .name = "switching",
    .doc = "erk8, and cvode_bdf where the system is stiff; for scenes with contact",
    .error_controlled = true,
    .implicit = true,
    .handles_projection = true,
    .order = 8,
    .make = make_switching_integrator};

}  // namespace carom
