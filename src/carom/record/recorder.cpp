#include "carom/record/recorder.h"

#include <chrono>
#include <ctime>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <unordered_set>

#include "carom/record/csv_writer.h"
#include "carom/record/hdf5_writer.h"

namespace carom {
namespace {

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// '=' and ';' separate the values that have no column of their own.
bool is_value_name(std::string_view name) {
  return !name.empty() && name.find_first_of("=;") == std::string_view::npos;
}

void check_event_columns(std::span<const EventColumn> columns) {
  std::unordered_set<std::string> seen{"time", "kind", "subject", "partner", "other"};
  for (const EventColumn& column : columns) {
    if (!is_value_name(column.name)) {
      throw std::runtime_error("event value '" + column.name +
                               "' needs a name without '=' and ';'");
    }
    if (!seen.insert(column.name).second) {
      throw std::runtime_error("the event column '" + column.name + "' exists already");
    }
  }
}

}  // namespace

void Recorder::open(RunMeta meta, std::vector<Channel> channels,
                    std::vector<EventColumn> event_columns) {
  if (phase_ != Phase::fresh) throw std::runtime_error("a recorder can be opened only once");
  check_channels(channels);
  check_event_columns(event_columns);
  meta_ = std::move(meta);
  if (meta_.created.empty()) meta_.created = utc_now();
  channels_ = std::move(channels);
  event_columns_ = std::move(event_columns);
  width_ = total_width(channels_);
  do_open();
  if (!held_back_) publish();
  phase_ = Phase::open;
}

void Recorder::publish() {
  if (published_) return;
  do_publish();
  published_ = true;
}

void Recorder::fail(const char* text) noexcept {
  if (!error_.empty()) return;
  try {
    error_ = text;
  } catch (...) {
    error_ = "no memory";  // fits the string's own buffer, so it cannot throw again
  }
}

template <class Action>
void Recorder::guarded(Action&& action) noexcept {
  if (!error_.empty()) return;
  try {
    if (phase_ != Phase::open) throw std::runtime_error("the recorder is not open");
    action();
  } catch (const std::exception& e) {
    fail(e.what());
  }
}

void Recorder::append(double time, std::span<const double> row) noexcept {
  guarded([&] {
    if (row.size() != width_) {
      throw std::runtime_error("a row of " + std::to_string(row.size()) + " values was given, " +
                               std::to_string(width_) + " are recorded");
    }
    do_append(time, row);
  });
}

void Recorder::append_event(const EventRecord& event) noexcept {
  guarded([&] {
    for (const NamedValue& value : event.values) {
      if (!is_value_name(value.name)) {
        throw std::runtime_error("event value '" + value.name +
                                 "' needs a name without '=' and ';'");
      }
    }
    do_append_event(event);
  });
}

void Recorder::append_peak(const PeakRecord& peak) noexcept {
  guarded([&] {
    const std::size_t columns = peak.columns.size();
    if (columns > width_ || peak.first_column > width_ - columns) {
      throw std::runtime_error("a peak does not fit the channels");
    }
    do_append_peak(peak);
  });
}

void Recorder::append_map(const MapRecord& map) noexcept {
  guarded([&] {
    if (map.points.size() % kMapNumbers != 0) {
      throw std::runtime_error("a map of a contact has points that are not whole");
    }
    do_append_map(map);
  });
}

void Recorder::flush() noexcept {
  guarded([&] { do_flush(); });
}

void Recorder::finish(RunStatus status, std::string_view reason, const RunEnding& ending) {
  if (phase_ != Phase::open) throw std::runtime_error("finish() needs an open recorder");
  phase_ = Phase::finished;
  // A recorder that lost rows still closes its file as well as it can; the first
  // error is the one worth reporting.
  try {
    publish();
    do_finish(status, reason, ending);
  } catch (const std::exception& e) {
    fail(e.what());
  }
  if (!error_.empty()) throw std::runtime_error(error_);
}

namespace {

enum class Format { none, hdf5, csv };

Format format_of(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".h5" || extension == ".hdf5") return Format::hdf5;
  return extension == ".csv" ? Format::csv : Format::none;
}

}  // namespace

bool names_result_format(const std::string& path) { return format_of(path) != Format::none; }

std::unique_ptr<Recorder> make_file_recorder(const std::string& path) {
  switch (format_of(path)) {
    case Format::hdf5: return std::make_unique<Hdf5Writer>(path);
    case Format::csv: return std::make_unique<CsvWriter>(path);
    case Format::none: break;
  }
  throw std::runtime_error("cannot tell the format of '" + path +
                           "': a result file ends in .h5, .hdf5 or .csv");
}

}  // namespace carom
