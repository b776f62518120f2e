#include "carom/simulation/peak_table.h"

#include <algorithm>

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
  open_.largest.resize(n, 0.0), open_.largest_times.resize(n, t);
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
  const bool same_sizes = open.largest.size() == open.largest_times.size();
  if (!fits(open.last_row) || !fits(open.largest) || !same_sizes) return;
  if (std::ranges::all_of(open.waiting, is_known)) open_ = open;
}

std::vector<PeakRecord> PeakTable::largest() const {
  std::vector<PeakRecord> out;
  for (std::size_t q = 0; q < open_.largest.size(); ++q) {
    out.push_back(record_of(q, open_.largest_times[q], open_.largest[q]));
  }
  return out;
}

}  // namespace carom
