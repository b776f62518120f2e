#include "viewer/thinning.h"

#include <algorithm>
#include <functional>
#include <map>

#include "carom/base/contact_name.h"
#include "viewer/page_maps.h"

namespace carom::viewer {
namespace {

/// Rows [first, first + count) of the columns [column, column + width), row by row.
using ReadBlock = std::function<std::vector<double>(std::size_t first, std::size_t count,
                                                    std::size_t column, std::size_t width)>;

constexpr std::size_t kStripe = 512;          // rows that are in memory at once
constexpr std::size_t kWatchedColumns = 400;  // whose peaks are kept
constexpr std::size_t kKeptEvents = 200;

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() &&
         std::string_view(text).substr(text.size() - end.size()) == end;
}

bool comes_first(const Channel& c) {
  return ends_with(c.name, ".position") || ends_with(c.name, ".orientation") ||
         c.name.rfind("energy.", 0) == 0 || split_contact_name(c.name);
}

std::vector<bool> choose_channels(const std::vector<Channel>& channels, std::size_t columns) {
  std::vector<bool> chosen(channels.size(), false);
  std::size_t used = 0;
  for (const bool first : {true, false}) {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const auto width = static_cast<std::size_t>(channels[i].width);
      if (comes_first(channels[i]) != first || (!first && used + width > columns)) continue;
      chosen[i] = true, used += width;
    }
  }
  return chosen;
}

/// Rows around events, and rows at which a watched column has an extreme.
std::vector<std::size_t> notable_rows(const Recording& r, std::size_t width,
                                      const ReadBlock& read) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < std::min(r.events.size(), kKeptEvents); ++i) {
    const auto after = std::lower_bound(r.time.begin(), r.time.end(), r.events[i].time);
    const auto row = static_cast<std::size_t>(after - r.time.begin());
    if (row < r.time.size()) rows.push_back(row);
    if (row > 0) rows.push_back(row - 1);
  }
  const std::size_t columns = std::min(width, kWatchedColumns);
  struct Extreme {
    double low = 0, high = 0;
    std::size_t low_row = 0, high_row = 0;
  };
  std::vector<Extreme> extremes(columns);
  for (std::size_t first = 0; first < r.time.size(); first += kStripe) {
    const std::size_t count = std::min(kStripe, r.time.size() - first);
    const std::vector<double> block = read(first, count, 0, columns);
    for (std::size_t i = 0; i < block.size(); ++i) {
      Extreme& e = extremes[i % columns];
      const std::size_t row = first + i / columns;
      if (row == 0 || block[i] < e.low) e.low = block[i], e.low_row = row;
      if (row == 0 || block[i] > e.high) e.high = block[i], e.high_row = row;
    }
  }
  for (const Extreme& e : extremes) rows.push_back(e.low_row), rows.push_back(e.high_row);
  return rows;
}

std::vector<std::size_t> choose_rows(const Recording& r, std::size_t most, std::size_t width,
                                     const ReadBlock& read) {
  const std::size_t count = r.time.size();
  std::vector<std::size_t> rows;
  const std::size_t stride = most == 0 ? 1 : (count + most - 1) / most;
  if (stride > 1) rows = notable_rows(r, width, read);
  for (std::size_t i = 0; i < count; i += std::max<std::size_t>(stride, 1)) rows.push_back(i);
  if (count > 0) rows.push_back(count - 1);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

/// Peaks whose object is shown whole, in the columns that are left; of too many the largest,
/// each measured by the largest of its kind.
std::vector<PeakRecord> thin_peaks(std::vector<PeakRecord> peaks,
                                   const std::vector<std::size_t>& columns, std::size_t most) {
  std::map<std::pair<std::string, std::string>, double> largest;
  std::vector<PeakRecord> kept;
  std::size_t numbers = 0;
  for (PeakRecord& peak : peaks) {
    const auto at = std::lower_bound(columns.begin(), columns.end(), peak.first_column);
    const auto room = static_cast<std::size_t>(columns.end() - at);
    if (peak.columns.empty() || room < peak.columns.size() ||
        at[static_cast<std::ptrdiff_t>(peak.columns.size()) - 1] !=
            peak.first_column + peak.columns.size() - 1) {
      continue;
    }
    peak.first_column = static_cast<std::size_t>(at - columns.begin());
    numbers += peak.columns.size();
    double& top = largest[{peak.object, peak.quantity}];
    top = std::max(top, peak.value);
    kept.push_back(std::move(peak));
  }
  if (numbers <= most) return kept;
  const auto rank = [&](const PeakRecord& p) { return p.value / largest[{p.object, p.quantity}]; };
  std::stable_sort(kept.begin(), kept.end(),
                   [&](const PeakRecord& a, const PeakRecord& b) { return rank(a) > rank(b); });
  for (numbers = 0; const PeakRecord& peak : kept) {
    numbers += peak.columns.size();
    if (numbers <= most) continue;
    kept.resize(static_cast<std::size_t>(&peak - kept.data()));
    break;
  }
  std::stable_sort(kept.begin(), kept.end(),
                   [](const PeakRecord& a, const PeakRecord& b) { return a.time < b.time; });
  return kept;
}

/// `r` holds everything but the values, which `read` gives.
Thinned thin_by(Recording r, const ReadBlock& read, const PageBudget& budget) {
  Thinned out;
  const std::size_t rows = r.time.size(), width = total_width(r.channels);
  out.rows_before = rows;
  const std::size_t least = std::max<std::size_t>(1, std::min(rows, budget.least_rows));
  const std::vector<bool> chosen = choose_channels(r.channels, budget.values / least);
  std::vector<Channel> channels;
  std::vector<std::size_t> columns;
  std::size_t column = 0;
  for (std::size_t i = 0; i < r.channels.size(); ++i) {
    for (int k = 0; k < r.channels[i].width; ++k, ++column) {
      if (chosen[i]) columns.push_back(column);
    }
    chosen[i] ? channels.push_back(r.channels[i]) : out.left_out.push_back(r.channels[i].name);
  }
  const std::size_t most = budget.values / std::max<std::size_t>(1, columns.size());
  const std::vector<std::size_t> keep = choose_rows(r, std::max<std::size_t>(2, most), width, read);

  std::vector<double> time, values;
  values.reserve(keep.size() * columns.size());
  for (std::size_t k = 0; k < keep.size();) {
    const std::size_t first = keep[k];
    const std::vector<double> block = read(first, std::min(kStripe, rows - first), 0, width);
    for (; k < keep.size() && keep[k] < first + kStripe; ++k) {
      time.push_back(r.time[keep[k]]);
      const double* row = block.data() + (keep[k] - first) * width;
      for (const std::size_t c : columns) values.push_back(row[c]);
    }
  }
  const std::size_t peaks_before = r.peaks.size();
  r.peaks = thin_peaks(std::move(r.peaks), columns, budget.peak_values);
  out.peaks_left_out = peaks_before - r.peaks.size();
  out.map_stride = thin_maps(keep, budget.map_points, r.maps);
  r.time = std::move(time), r.values = std::move(values), r.channels = std::move(channels);
  out.recording = std::move(r);
  return out;
}

}  // namespace

Thinned thin(const ResultFile& file, const PageBudget& budget) {
  Recording r;
  r.meta = file.meta(), r.status = file.status(), r.reason = file.reason();
  r.summary = file.summary(), r.channels = file.channels();
  r.event_columns = file.event_columns(), r.time = file.time(), r.events = file.events();
  r.peaks = file.peaks(), r.contacts = file.contacts(), r.verdict = file.verdict();
  r.maps = file.maps();
  return thin_by(
      std::move(r),
      [&](std::size_t first, std::size_t count, std::size_t column, std::size_t width) {
        return file.block(first, count, column, width);
      },
      budget);
}

Thinned thin(Recording recording, const PageBudget& budget) {
  const std::vector<double> values = std::move(recording.values);
  const std::size_t row = total_width(recording.channels);
  return thin_by(
      std::move(recording),
      [&](std::size_t first, std::size_t count, std::size_t column, std::size_t width) {
        std::vector<double> out;
        for (std::size_t i = first; i < first + count; ++i) {
          const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * row + column);
          out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
        }
        return out;
      },
      budget);
}

}  // namespace carom::viewer
