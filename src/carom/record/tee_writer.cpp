#include "carom/record/tee_writer.h"

#include <stdexcept>

namespace carom {

const std::string& TeeWriter::error() const {
  for (const auto& recorder : recorders_) {
    if (!recorder->ok()) return recorder->error();
  }
  return Recorder::error();
}

void TeeWriter::do_open() {
  // None replaces an older file before all could be made.
  for (auto& recorder : recorders_) {
    recorder->hold_back();
    recorder->interrupt_with(interrupt());
    recorder->open(meta(), channels(), event_columns());
  }
}

void TeeWriter::do_publish() {
  for (auto& recorder : recorders_) recorder->publish();
}

void TeeWriter::do_append(double time, std::span<const double> row) {
  for (auto& recorder : recorders_) recorder->append(time, row);
}

void TeeWriter::do_append_event(const EventRecord& event) {
  for (auto& recorder : recorders_) recorder->append_event(event);
}

void TeeWriter::do_append_peak(const PeakRecord& peak) {
  for (auto& recorder : recorders_) recorder->append_peak(peak);
}

void TeeWriter::do_append_map(const MapRecord& map) {
  for (auto& recorder : recorders_) recorder->append_map(map);
}

void TeeWriter::do_flush() {
  for (auto& recorder : recorders_) recorder->flush();
}

void TeeWriter::do_finish(RunStatus status, std::string_view reason, const RunEnding& ending) {
  std::string first_error;
  for (auto& recorder : recorders_) {
    try {
      recorder->finish(status, reason, ending);
    } catch (const std::exception& e) {
      if (first_error.empty()) first_error = e.what();
    }
  }
  if (!first_error.empty()) throw std::runtime_error(first_error);
}

}  // namespace carom
