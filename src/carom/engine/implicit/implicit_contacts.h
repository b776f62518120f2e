// Contacts between implicit steps: which scenes such steps can take, and what begins and ends.
#pragma once

#include "carom/engine/events/events.h"
#include "carom/engine/scene_step.h"

namespace carom {

StepObstacle find_implicit_obstacle(const Model& model);

/// Contacts that are loaded at the start have their energy from before.
void fill_banks(Workspace& w, double t, std::span<double> x);

/// What all contacts hold [J].
double banked_energy(const Workspace& w, std::span<const double> x);

/// After an accepted step: ends what has parted, reports what has come to press. True where x or
/// the slots have changed.
bool switch_implicit_contacts(Workspace& w, double t, std::span<double> x, EventOutcome& outcome);

/// Finds all pairs that a step of length h from (t, x) may bring together, and begins the contacts
/// of those that would meet in it. True where there are more of them.
bool expect_contacts(Workspace& w, double t, std::span<const double> x, double h);

}  // namespace carom
