// The page of `carom verify`: a table of all cases, and plots of each.
#pragma once

#include <span>
#include <string>

#include "carom/verify/verify.h"
#include "carom/verify/work_precision.h"

namespace carom::cli {

/// `work` may be empty.
std::string verification_page(std::span<const verify::CaseResult> results,
                              std::span<const verify::WorkDiagram> work);

}  // namespace carom::cli
