#include "carom/verify/coverage.h"

#include <algorithm>

#include "carom/contact/friction_law.h"
#include "carom/contact/normal_law.h"
#include "carom/contact/resistance_law.h"
#include "carom/geometry/shape.h"
#include "carom/integrate/integrator.h"
#include "carom/multibody/force_kind.h"
#include "carom/multibody/joint_kind.h"
#include "carom/proximity/pair_kernel.h"
#include "carom/proximity/smooth/surface.h"

namespace carom::verify {
namespace {

template <class Rows>
void add_rows(const std::string& catalogue, const Rows& rows, std::vector<CoverageRow>& out) {
  for (const auto* row : rows) out.push_back({catalogue, row->name, {}});
}

}  // namespace

std::vector<CoverageRow> coverage(std::span<const Case> cases) {
  std::vector<CoverageRow> rows;
  add_rows("shapes", shape_catalogue(), rows);
  add_rows("joints", joint_catalogue(), rows);
  add_rows("forces", force_catalogue(), rows);
  add_rows("normal", normal_law_catalogue(), rows);
  add_rows("friction", friction_law_catalogue(), rows);
  add_rows("resistance", resistance_law_catalogue(), rows);
  add_rows("pairs", pair_catalogue(), rows);
  add_rows("surfaces", surface_catalogue(), rows);
  add_rows("integrators", method_catalogue(), rows);
  for (CoverageRow& row : rows) {
    for (const Case& c : cases) {
      const auto found = c.covers.find(row.catalogue);
      if (found == c.covers.end()) continue;
      const std::vector<std::string>& names = found->second;
      if (std::find(names.begin(), names.end(), row.row) != names.end()) {
        row.cases.push_back(c.name);
      }
    }
  }
  return rows;
}

std::string coverage_markdown(std::span<const CoverageRow> rows) {
  std::string text = "| catalogue | row | cases |\n|---|---|---|\n";
  for (const CoverageRow& row : rows) {
    text += "| " + row.catalogue + " | `" + row.row + "` | ";
    for (const std::string& name : row.cases) {
      if (&name != &row.cases.front()) text += ", ";
      text += "`" + name + "`";
    }
    text += row.cases.empty() ? "**none** |\n" : " |\n";
  }
  return text;
}

}  // namespace carom::verify
