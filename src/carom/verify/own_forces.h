// Recorded contact forces against the motion, and against each other. Internal to verify;
// own_contacts.h states the equations (4) and (5).
#pragma once

#include "carom/verify/own_contacts.h"

namespace carom::verify {

void compare_forces(const Model& model, const Recording& rows, std::span<const EngineEvent> events,
                    std::vector<Recomputed>& out);

}  // namespace carom::verify
