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
  std::size_t opened = 0;
  try {
    for (; opened < recorders_.size(); ++opened) {
      recorders_[opened]->open(meta(), channels(), event_columns());
    }
  } catch (const std::exception& e) {
    // The ones opened before must not look like a run that is still going.
    for (std::size_t i = 0; i < opened; ++i) recorders_[i]->finish(RunStatus::failed, e.what());
    throw;
  }
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
