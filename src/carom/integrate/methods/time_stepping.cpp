// Time stepping with impulses: velocities at the end of a step are those that its impulses leave,
// whatever bodies meet within it. For rigid contact of many bodies.
#include "carom/integrate/velocity_rule.h"

namespace carom {

extern const Method method_time_stepping{
    .name = "time_stepping",
    .doc = "impulses of rigid contact, order 1, fixed step; heaps of hundreds of bodies",
    .error_controlled = false,
    .implicit = false,
    .handles_projection = true,
    .order = 1,
    .make = make_velocity_integrator};

}  // namespace carom
