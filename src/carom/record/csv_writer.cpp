#include "carom/record/csv_writer.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>

#include "carom/record/event_text.h"
#include "carom/record/line_file.h"

namespace carom {
namespace {

void append_number(std::string& line, double value) {
  if (std::isnan(value)) {
    line += "nan";  // to_chars would print the sign of a NaN, which readers refuse
    return;
  }
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  line.append(digits, end.ptr);
}

}  // namespace

std::string csv_field(std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(field);
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

struct CsvWriter::Files {
  using Clock = std::chrono::steady_clock;

  Files(const std::string& rows_path, const std::string& events_path, double flush_seconds,
        const std::atomic<bool>* interrupt)
      : rows(rows_path, interrupt), events(events_path, interrupt), period(flush_seconds) {}

  void write_out() {
    rows.write_out();
    events.write_out();
    last_write = Clock::now();
  }

  void write_out_if_due() {
    constexpr std::size_t kFull = 1 << 20;
    const bool due = Clock::now() - last_write >= period;
    if (due || rows.text.size() >= kFull || events.text.size() >= kFull) write_out();
  }

  LineFile rows;
  LineFile events;
  std::chrono::duration<double> period;
  Clock::time_point last_write = Clock::now();
};

CsvWriter::CsvWriter(std::string path, double flush_seconds)
    : path_(std::move(path)), flush_seconds_(flush_seconds) {}

CsvWriter::~CsvWriter() {
  if (!files_) return;
  try {
    files_->write_out();
  } catch (const std::exception&) {
    // Nobody is left to tell; finish() is the place where errors are reported.
  }
}

std::string CsvWriter::events_path(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".events.csv").string();
}

void CsvWriter::do_open() {
  files_ = std::make_unique<Files>(path_, events_path(path_), flush_seconds_, interrupt());
  std::string& rows = files_->rows.text;
  rows = "time [s]";
  for (const Channel& c : channels()) {
    for (int i = 0; i < c.width; ++i) {
      rows += ',' + csv_field(column_header(column_name(c, i), c.unit));
    }
  }
  rows += meta().peaks ? ",on_grid\n" : "\n";
  std::string& events = files_->events.text;
  events = "time [s],kind,subject,partner";
  for (const EventColumn& c : event_columns()) {
    events += ',' + csv_field(column_header(c.name, c.unit));
  }
  events += ",other\n";
  files_->write_out();
}

void CsvWriter::write_row(double time, std::span<const double> row, bool on_grid) {
  std::string& text = files_->rows.text;
  append_number(text, time);
  for (const double value : row) {
    text += ',';
    append_number(text, value);
  }
  if (meta().peaks) text += on_grid ? ",1" : ",0";
  text += '\n';
  files_->write_out_if_due();
}

void CsvWriter::do_publish() {
  files_->rows.publish();
  files_->events.publish();
}

void CsvWriter::do_append(double time, std::span<const double> row) {
  write_peaks();
  write_row(time, row, true);
}

void CsvWriter::do_append_peak(const PeakRecord& peak) {
  if (!meta().peaks) return;
  // Objects that share an instant share its row.
  if (peak.time != waiting_time_) write_peaks();
  waiting_time_ = peak.time;
  waiting_.resize(width(), std::numeric_limits<double>::quiet_NaN());
  const std::size_t room = waiting_.size() - std::min(waiting_.size(), peak.first_column);
  for (std::size_t i = 0; i < std::min(room, peak.columns.size()); ++i) {
    waiting_[peak.first_column + i] = peak.columns[i];
  }
}

void CsvWriter::write_peaks() {
  if (waiting_.empty()) return;
  write_row(waiting_time_, waiting_, false);
  waiting_.clear();
}

void CsvWriter::do_append_event(const EventRecord& event) {
  std::string& text = files_->events.text;
  append_number(text, event.time);
  text +=
      ',' + csv_field(event.kind) + ',' + csv_field(event.subject) + ',' + csv_field(event.partner);
  for (const double value : event_columns_of(event, event_columns())) {
    text += ',';
    if (!std::isnan(value)) append_number(text, value);  // an absent value is an empty field
  }
  text += ',' + csv_field(other_values_text(event, event_columns())) + '\n';
  files_->write_out_if_due();
}

void CsvWriter::do_flush() { files_->write_out(); }

void CsvWriter::do_finish(RunStatus, std::string_view, const RunEnding&) {
  write_peaks();
  const std::unique_ptr<Files> files = std::move(files_);
  files->rows.close();
  files->events.close();
}

}  // namespace carom
