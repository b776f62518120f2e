// Implicit contact steps: the velocity at the end of a step minimises a convex function
// (math/step_problem.h), which its system sets up. Stable at any stiffness.
#include "carom/integrate/velocity_rule.h"

namespace carom {

extern const Method method_implicit_contact{
    .name = "implicit_contact",
    .doc =
        "implicit contact of order 1 (2 where a step resolves it), fixed step; any stiffness, "
        "never more energy",
    .error_controlled = false,
    .implicit = true,
    .handles_projection = true,
    .order = 1,
    .make = make_velocity_integrator};

}  // namespace carom
