// What `carom check` says about the contacts of a scene: how fast they are.
#pragma once

#include "carom/base/json.h"
#include "carom/simulation/simulation.h"

namespace carom::cli {

/// Pairs of bodies that may touch, each with the frequency of its contact and the largest explicit
/// step; nothing if there are none.
void print_contact_steps(Simulation& start);

/// The value "contact_steps".
JsonObject contact_steps_json(Simulation& start);

}  // namespace carom::cli
