// A study as JSON: what its page shows, and `carom sweep --analyse --json` prints.
#pragma once

#include <string>

#include "carom/sweep/analysis.h"

namespace carom::sweep {

/// With every point's values (thinned to at most `max_points`, evenly) unless that is 0.
std::string report_json(const Plan& plan, const Table& table, const Analysis& analysis,
                        std::size_t max_points);

}  // namespace carom::sweep
