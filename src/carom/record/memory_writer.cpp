#include "carom/record/memory_writer.h"

namespace carom {

void MemoryWriter::do_open() {
  recording_.meta = meta();
  recording_.channels = channels();
  recording_.event_columns = event_columns();
  recording_.time.reserve(expected_rows_);
  recording_.values.reserve(expected_rows_ * width());
}

void MemoryWriter::do_append(double time, std::span<const double> row) {
  // Values first: if memory ends here, no time stands without its row.
  recording_.values.insert(recording_.values.end(), row.begin(), row.end());
  try {
    recording_.time.push_back(time);
  } catch (...) {
    recording_.values.resize(recording_.time.size() * width());
    throw;
  }
}

void MemoryWriter::do_append_event(const EventRecord& event) { recording_.events.push_back(event); }

void MemoryWriter::do_append_peak(const PeakRecord& peak) { recording_.peaks.push_back(peak); }

void MemoryWriter::do_append_map(const MapRecord& map) { recording_.maps.push_back(map); }

void MemoryWriter::do_finish(RunStatus status, std::string_view reason, const RunEnding& ending) {
  recording_.status = status;
  recording_.reason = reason;
  recording_.summary = ending.summary;
  recording_.verdict = ending.verdict;
  recording_.contacts = ending.contacts;
}

}  // namespace carom
