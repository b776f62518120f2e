#include "carom/simulation/peak_table.h"

#include <algorithm>

#include "carom/base/text.h"

namespace carom {

PeakRecord PeakTable::record_of(std::size_t quantity, double time, double value) const {
  const OutputChannel& c = watched_.quantities[quantity].channel;
  return {time, c.object, c.quantity, c.unit, value, 0, watched_.first_column[quantity], {}};
}

void PeakTable::see(std::size_t quantity, double time, double value) {
  if (!(value > open_.largest[quantity])) return;
  open_.largest[quantity] = value, open_.largest_times[quantity] = time;
}

std::vector<PeakRecord> PeakTable::close(double t, std::span<const double> row, std::size_t rows) {
  const std::size_t n = watched_.quantities.size();
  open_.last_row.resize(n, 0.0);
  open_.largest.resize(n, 0.0), open_.largest_times.resize(n, t), open_.largest_rows.resize(n, 0.0);
  std::vector<const LocatedPeak*> best(n, nullptr);
  for (const LocatedPeak& peak : open_.waiting) {
    const LocatedPeak*& so_far = best[peak.quantity];
    if (peak.time < t && (!so_far || peak.value > so_far->value)) so_far = &peak;
  }
  std::vector<PeakRecord> out;
  for (std::size_t q = 0; q < n; ++q) {
    const WatchedQuantity& quantity = watched_.quantities[q];
    const double here = magnitude(quantity.channel, row.subspan(watched_.channel_column[q]));
    const double beside = rows == 0 ? here : std::max(here, open_.last_row[q]);
    open_.last_row[q] = here;
    see(q, t, here);
    open_.largest_rows[q] = std::max(open_.largest_rows[q], here);
    if (!best[q] || !(best[q]->value > beside)) continue;
    see(q, best[q]->time, best[q]->value);
    out.push_back(record_of(q, best[q]->time, best[q]->value));
    out.back().row = rows, out.back().columns = best[q]->columns;
  }
  std::erase_if(open_.waiting, [&](const LocatedPeak& peak) { return peak.time < t; });
  std::stable_sort(out.begin(), out.end(),
                   [](const PeakRecord& a, const PeakRecord& b) { return a.time < b.time; });
  return out;
}

void PeakTable::restore(const OpenPeaks& open) {
  const std::size_t n = watched_.quantities.size();
  const auto fits = [&](const std::vector<double>& v) { return v.empty() || v.size() == n; };
  const auto is_known = [&](const LocatedPeak& peak) { return peak.quantity < n; };
  const bool same_sizes = open.largest.size() == open.largest_times.size() &&
                          open.largest.size() == open.largest_rows.size();
  if (!fits(open.last_row) || !fits(open.largest) || !same_sizes) return;
  if (std::ranges::all_of(open.waiting, is_known)) open_ = open;
}

std::vector<Finding> PeakTable::unresolved() const {
  constexpr double kAbove = 1.1;  // a tenth is what one sees in a plot
  std::vector<Finding> out;
  for (std::size_t q = 0; q < open_.largest.size(); ++q) {
    const OutputChannel& c = watched_.quantities[q].channel;
    const double peak = open_.largest[q], limit = kAbove * open_.largest_rows[q];
    if (!(peak > limit)) continue;
    out.push_back({"unresolved_force", c.name, peak, limit, Grade::doubtful,
                   c.name + ": rows show " + rounded_text(open_.largest_rows[q]) + " " + c.unit +
                       " at most, its peak at t = " + rounded_text(open_.largest_times[q]) +
                       " s is " + rounded_text(peak) + " " + c.unit +
                       "; record peaks, or rows closer together"});
  }
  return out;
}

std::vector<PeakRecord> PeakTable::largest() const {
  std::vector<PeakRecord> out;
  for (std::size_t q = 0; q < open_.largest.size(); ++q) {
    out.push_back(record_of(q, open_.largest_times[q], open_.largest[q]));
  }
  return out;
}

}  // namespace carom
