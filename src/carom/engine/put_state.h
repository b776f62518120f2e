// A state set from outside: what lasts, ends and begins by it.
#pragma once

#include <string>

#include "carom/engine/events/events.h"

namespace carom {

/// Takes the workspace, last evaluated at (t, x), to (t_new, x_new), where the links are as in
/// `placed`. Contacts of links that have moved end, new ones begin settled, and what they store is
/// booked so that it is no work of the model. x grows by the states of what touches.
Status put_state(Workspace& w, double& t, std::vector<double>& x, double t_new,
                 std::span<const double> x_new, std::span<const LinkState> placed,
                 EventOutcome& outcome);

/// "bodies 'a' and 'b' overlap by 0.1 m where they were put, more than 5 % of the smaller one":
/// the first of those that overlap so deeply at the kinematics last evaluated that to go on would
/// be a burst of energy (N16); empty: none does.
std::string find_burst(const Workspace& w, const std::string& where);

}  // namespace carom
