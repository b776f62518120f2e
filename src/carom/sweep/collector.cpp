#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "carom/math/formula.h"
#include "carom/sweep/record_plan.h"

namespace carom::sweep {
namespace {

using What = Quantity::What;
using When = Quantity::When;
using Fold = Quantity::Fold;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double statistic(const std::string& name, const RunResult& r) {
  const RunStatistics& s = r.statistics;
  const std::map<std::string, double> values = {
      {"statistics.steps", static_cast<double>(s.counts.steps)},
      {"statistics.rejected_steps", static_cast<double>(s.counts.rejected_steps)},
      {"statistics.rhs_evaluations", static_cast<double>(s.counts.rhs_evaluations)},
      {"statistics.jacobian_evaluations", static_cast<double>(s.counts.jacobian_evaluations)},
      {"statistics.restarts", static_cast<double>(s.counts.restarts)},
      {"statistics.events", static_cast<double>(s.events)},
      {"statistics.constraint_error", s.constraint_error},
      {"statistics.redundant_constraints", static_cast<double>(s.redundant_constraints)},
      {"energy.largest_residual", r.largest_residual},
      {"energy.turned_over", r.energy_scale},
      {"warnings", static_cast<double>(r.warnings.size())}};
  const auto found = values.find(name);
  return found == values.end() ? kNaN : found->second;
}

}  // namespace

/// A quantity while the run goes on.
struct Collector::Running {
  const RecordPlan::Item* item = nullptr;
  ColumnIndex::Range source;       ///< of the channel in a row; width 0: the run has none
  ColumnIndex::Range of;           ///< of the column whose extreme is meant
  double best = kNaN;              ///< that extreme so far
  int seen = 0;                    ///< events so far
  std::vector<double> last, sums;  ///< of mean and rms
};

Collector::Collector(const RecordPlan& plan) : plan_(plan), values_(plan.columns().size(), kNaN) {
  for (const RecordPlan::Item& item : plan.items()) {
    running_.push_back({&item, {}, {}, kNaN, 0, {}, {}});
    running_.back().last.resize(item.width);
    running_.back().sums.resize(item.width, 0.0);
  }
}

Collector::~Collector() = default;

void Collector::do_open() {
  const ColumnIndex index(channels());
  const auto find = [&](const std::string& name) -> ColumnIndex::Range {
    try {
      return index.channel(name);
    } catch (const std::runtime_error&) {
      return {};  // a point whose scene has no such channel: not a number
    }
  };
  for (Running& r : running_) {
    const Quantity& q = r.item->quantity;
    if (q.what == What::channel) r.source = find(q.channel);
    if (r.source.width != r.item->width) r.source.width = 0;
    if (!q.of.empty()) r.of = find(q.of);
  }
}

/// Takes what the quantity is at this instant.
void Collector::keep(Running& r, double time, std::span<const double> row) {
  double* out = &values_[r.item->first];
  if (r.item->quantity.what == What::time) {
    *out = time;
  } else if (r.source.width > 0) {
    std::copy_n(&row[r.source.first], r.source.width, out);
  }
}

/// Extremes, at a row or an event.
void Collector::see(Running& r, double time, std::span<const double> row) {
  const Quantity& q = r.item->quantity;
  if (q.fold == Fold::max || q.fold == Fold::min || q.fold == Fold::absmax) {
    for (std::size_t i = 0; i < r.source.width; ++i) {
      double& best = values_[r.item->first + i];
      const double x =
          q.fold == Fold::absmax ? std::abs(row[r.source.first + i]) : row[r.source.first + i];
      if (std::isnan(best) || (q.fold == Fold::min ? x < best : x > best)) best = x;
    }
  } else if (r.of.width == 1) {
    const double x = row[r.of.first];
    if (std::isnan(x)) return;
    if (!std::isnan(r.best) && !(q.when == When::max ? x > r.best : x < r.best)) return;
    r.best = x;
    keep(r, time, row);
  }
}

void Collector::integrate(Running& r, double time, std::span<const double> row) {
  const bool square = r.item->quantity.fold == Fold::rms;
  for (std::size_t i = 0; i < r.source.width; ++i) {
    const double value = row[r.source.first + i];
    const double x = square ? value * value : value;
    if (any_row_) r.sums[i] += 0.5 * (time - last_time_) * (x + r.last[i]);
    r.last[i] = x;
  }
}

void Collector::do_append(double time, std::span<const double> row) {
  for (Running& r : running_) {
    const Quantity& q = r.item->quantity;
    if (q.fold == Fold::mean || q.fold == Fold::rms) {
      integrate(r, time, row);
    } else if (q.fold != Fold::none || !q.of.empty()) {
      see(r, time, row);
    } else if (q.when == When::end || (q.when == When::start && !any_row_)) {
      keep(r, time, row);
    }
  }
  if (!any_row_) first_time_ = time;
  last_time_ = time;
  any_row_ = true;
}

/// A maximum of a force between two rows, as the run found it: told are the columns of its object.
void Collector::do_append_peak(const PeakRecord& peak) {
  const auto tells = [&](const ColumnIndex::Range& range) {
    return range.width == 0 ||
           (range.first >= peak.first_column &&
            range.first + range.width <= peak.first_column + peak.columns.size());
  };
  std::vector<double> row(width(), std::nan(""));
  std::copy(peak.columns.begin(), peak.columns.end(),
            row.begin() + static_cast<std::ptrdiff_t>(peak.first_column));
  for (Running& r : running_) {
    if (tells(r.source) && tells(r.of)) see(r, peak.time, row);
  }
}

void Collector::on_event(const EngineEvent& event, std::span<const double> row) {
  for (Running& r : running_) {
    const Quantity& q = r.item->quantity;
    if (q.fold != Fold::none || !q.of.empty()) see(r, event.time, row);
    if (q.when != When::event || !matches(q.event, event)) continue;
    ++r.seen;
    if (q.event.number != 0 && q.event.number != r.seen) continue;
    double* out = &values_[r.item->first];
    if (q.what == What::event_value) {
      *out = event.value;
    } else if (q.what == What::event_impulse) {
      *out = event.impulse;
    } else {
      keep(r, event.time, row);
    }
  }
}

void Collector::fill_formulas(std::span<const double> factors) {
  std::vector<FormulaVariable> variables;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (!plan_.factor_names()[i].empty()) {
      variables.push_back({plan_.factor_names()[i], &factors[i]});
    }
  }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    variables.push_back({plan_.columns()[i].name, &values_[i]});
  }
  for (const RecordPlan::Item& item : plan_.items()) {
    if (item.quantity.what != What::formula) continue;
    Formula formula;
    if (formula.compile(item.quantity.text, variables).empty()) values_[item.first] = formula();
  }
}

std::vector<double> Collector::finish_columns(const RunResult& result,
                                              std::span<const double> factors) {
  const double span = last_time_ - first_time_;
  bool formulas = false;
  for (Running& r : running_) {
    const Quantity& q = r.item->quantity;
    double* out = &values_[r.item->first];
    formulas |= q.what == What::formula;
    if (q.what == What::statistic) *out = statistic(q.text, result);
    if (q.what == What::time && q.when == When::end && q.of.empty()) *out = result.time;
    if (q.what == What::count) {
      *out = static_cast<double>(
          std::count_if(result.events.begin(), result.events.end(),
                        [&](const EngineEvent& e) { return matches(q.event, e); }));
    }
    if (q.fold != Fold::mean && q.fold != Fold::rms) continue;
    for (std::size_t i = 0; i < r.source.width && span > 0.0; ++i) {
      const double mean = r.sums[i] / span;
      out[i] = q.fold == Fold::rms ? std::sqrt(mean) : mean;
    }
  }
  if (formulas) fill_formulas(factors);
  return values_;
}

}  // namespace carom::sweep
