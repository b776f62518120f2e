// What the commands about studies share.
#pragma once

#include <memory>
#include <string>

#include "carom/sweep/plan.h"

namespace carom::cli {

/// Reads and prepares a study; prints warnings to stderr; throws InputError.
std::shared_ptr<const sweep::Plan> load_plan(const std::string& file, bool allow_outside);

/// carom check of a study: runs, a guess of the time, the first points.
int check_study(const std::string& file, bool allow_outside, bool json);

}  // namespace carom::cli
