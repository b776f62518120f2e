#include "carom/record/recording.h"

#include <algorithm>
#include <stdexcept>

namespace carom {

std::string_view to_string(RunStatus status) {
  switch (status) {
    case RunStatus::running: return "running";
    case RunStatus::completed: return "completed";
    case RunStatus::failed: return "failed";
    case RunStatus::interrupted: break;
  }
  return "interrupted";
}

RunStatus run_status_from(std::string_view word) {
  for (const RunStatus status :
       {RunStatus::running, RunStatus::completed, RunStatus::failed, RunStatus::interrupted}) {
    if (word == to_string(status)) return status;
  }
  throw std::runtime_error("unknown run status '" + std::string(word) + "'");
}

std::string full_subject(const EventRecord& event) {
  return event.partner.empty() ? event.subject : event.subject + ", " + event.partner;
}

void add_to(ContactSummary& sum, const ContactSummary& more) {
  sum.count += more.count;
  sum.duration += more.duration, sum.impulse += more.impulse;
  sum.slip += more.slip, sum.energy_lost += more.energy_lost;
  sum.peak_depth = std::max(sum.peak_depth, more.peak_depth);
  if (more.peak_force <= sum.peak_force) return;
  sum.peak_force = more.peak_force, sum.peak_time = more.peak_time;
}

MergedColumn merge_peaks(std::span<const double> time, std::span<const double> values,
                         std::span<const PeakRecord> peaks, std::size_t column) {
  MergedColumn out;
  const auto put = [&](double t, double value) {
    out.time.push_back(t), out.values.push_back(value);
  };
  std::size_t next = 0;
  const auto put_peaks_before = [&](double t) {
    for (; next < peaks.size() && peaks[next].time < t; ++next) {
      const PeakRecord& peak = peaks[next];
      if (column < peak.first_column || column >= peak.first_column + peak.columns.size()) continue;
      put(peak.time, peak.columns[column - peak.first_column]);
    }
  };
  for (std::size_t i = 0; i < time.size(); ++i) {
    put_peaks_before(time[i]);
    put(time[i], values[i]);
  }
  return out;
}

std::vector<double> Recording::column(std::string_view name) const {
  const std::size_t at = ColumnIndex(channels).column(name);
  const std::size_t stride = width();
  std::vector<double> out(rows());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = values[i * stride + at];
  return out;
}

}  // namespace carom
