// What became of every pair of shapes that touched: counts, sums and peaks over a run.
#pragma once

#include <span>
#include <vector>

#include "carom/engine/workspace.h"

namespace carom {

/// One contact that lasts until `t`.
PairHistory history_of(const ContactPair& pair, double t, double impulse, double energy_lost);

/// Adds what `more` tells to the entry of its pair, which is made where there is none.
void add_to_history(std::vector<PairHistory>& history, const PairHistory& more);

/// All pairs so far: contacts that have ended, and those that last at (t, x).
std::vector<PairHistory> contact_history(const Workspace& w, double t, std::span<const double> x);

}  // namespace carom
