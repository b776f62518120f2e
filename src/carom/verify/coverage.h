// Which row of which catalogue has a verification case.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/verify/case.h"

namespace carom::verify {

struct CoverageRow {
  std::string catalogue, row;
  std::vector<std::string> cases;  ///< names of those that cover it
};

/// One row for every row of every catalogue: shapes, joints, forces, normal, friction,
/// resistance, pairs, surfaces, integrators.
std::vector<CoverageRow> coverage(std::span<const Case> cases);

/// The same as a table in Markdown.
std::string coverage_markdown(std::span<const CoverageRow> rows);

}  // namespace carom::verify
