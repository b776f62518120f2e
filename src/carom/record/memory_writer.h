// Keeps a run in memory, rows in one contiguous block (rows x width, row by
// row), so that a numpy array or a plot can look at it without a copy.
#pragma once

#include "carom/record/recorder.h"

namespace carom {

class MemoryWriter final : public Recorder {
 public:
  /// Room for `expected_rows` is set aside at open(); more are taken as needed.
  explicit MemoryWriter(std::size_t expected_rows = 0) : expected_rows_(expected_rows) {}

  /// What was recorded so far. Its addresses hold from finish() on.
  const Recording& recording() const { return recording_; }
  Recording take() { return std::move(recording_); }

 private:
  void do_open() override;
  void do_append(double time, std::span<const double> row) override;
  void do_append_event(const EventRecord& event) override;
  void do_append_peak(const PeakRecord& peak) override;
  void do_append_map(const MapRecord& map) override;
  void do_finish(RunStatus status, std::string_view reason, const RunEnding& ending) override;

  std::size_t expected_rows_;
  Recording recording_;
};

}  // namespace carom
