// The page of `carom verify`: a table of all cases, and plots of each.
#pragma once

#include <span>
#include <string>

#include "carom/verify/verify.h"

namespace carom::cli {

std::string verification_page(std::span<const verify::CaseResult> results);

}  // namespace carom::cli
