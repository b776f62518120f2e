// The table of a study: the same for the same rows, whoever computed them.
#include "carom/base/version.h"
#include "carom/sweep/sweep.h"

namespace carom::sweep {
namespace {

/// Empty columns in the order of the table.
Table empty_table(const Plan& plan) {
  const Study& study = plan.study();
  const std::size_t n = plan.design().size();
  Table table;
  table.attributes = {{"carom_version", kVersion},
                      {"study", study.name.empty() ? study.scene : study.name},
                      {"design", std::string(to_string(study.design.kind))},
                      {"study_text", study.text},
                      {"scene_text", plan.document().text},
                      {"plan", plan.digest()}};
  const auto add = [&](std::string group, std::string name, std::string unit, bool text) {
    TableColumn& c = table.columns.emplace_back();
    c.group = std::move(group);
    c.name = std::move(name);
    c.unit = std::move(unit);
    c.is_text = text;
    text ? c.texts.resize(n) : c.numbers.resize(n);
  };
  add("", "point", "-", false);
  for (const Factor& f : study.factors) {
    add("vary", f.path, "-", f.distribution.is_choice() && f.distribution.numbers.empty());
  }
  for (const char* name : {"status", "verdict", "reason"}) add("", name, "-", true);
  add("", "time", "s", false);
  add("", "seed", "-", false);
  for (const RecordColumn& c : plan.records().columns()) add("record", c.name, c.unit, false);
  add("", "key", "-", true);
  return table;
}

}  // namespace

Table make_table(const Plan& plan, const std::function<const Row&(std::uint64_t)>& row_of) {
  const Study& study = plan.study();
  const std::size_t n = plan.design().size(), k = study.factors.size();
  Table table = empty_table(plan);
  std::vector<double> point(k);
  for (std::size_t i = 0; i < n; ++i) {
    const Row& row = row_of(i);
    plan.design().point(i, point);
    auto column = table.columns.begin();
    (column++)->numbers[i] = static_cast<double>(i);
    for (std::size_t f = 0; f < k; ++f, ++column) {
      const Distribution& d = study.factors[f].distribution;
      if (column->is_text) {
        column->texts[i] = value_text(d, point[f]);
      } else {
        column->numbers[i] =
            d.is_choice() ? d.numbers[static_cast<std::size_t>(point[f])] : point[f];
      }
    }
    (column++)->texts[i] = to_string(row.status);
    (column++)->texts[i] = row.verdict;
    (column++)->texts[i] = row.reason;
    (column++)->numbers[i] = row.time;
    (column++)->numbers[i] = static_cast<double>(study.design.seed);
    for (const double value : row.values) (column++)->numbers[i] = value;
    column->texts[i] = row.key.hex();
  }
  return table;
}

}  // namespace carom::sweep
