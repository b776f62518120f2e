// Comma-separated values: one header line, one line per row, nothing else.
//
//   time [s],ball.position.x [m],ball.position.y [m],…,on_grid
//
// Where peaks are recorded, rows at their instants stand between the others, with the columns of
// the object that has its peak there; the others are nan. on_grid is 0 in these rows and 1 in
// those of the output grid.
//
// UTF-8, '\n', fields quoted where RFC 4180 asks for it, numbers as the shortest
// text that reads back as the same double (nan, inf, -inf where not finite).
// Events go to a file beside: run.csv -> run.events.csv.
#pragma once

#include "carom/record/recorder.h"

namespace carom {

/// `field` as RFC 4180 wants it: in quotes if it holds a comma, quote or line break.
std::string csv_field(std::string_view field);

class CsvWriter final : public Recorder {
 public:
  explicit CsvWriter(std::string path, double flush_seconds = kDefaultFlushSeconds);
  ~CsvWriter() override;

  /// "run.csv" -> "run.events.csv".
  static std::string events_path(const std::string& path);

 private:
  struct Files;

  void write_row(double time, std::span<const double> row, bool on_grid);
  void write_peaks();
  void do_open() override;
  void do_publish() override;
  void do_append(double time, std::span<const double> row) override;
  void do_append_event(const EventRecord& event) override;
  void do_append_peak(const PeakRecord& peak) override;
  void do_flush() override;
  void do_finish(RunStatus status, std::string_view reason, const RunEnding& ending) override;

  std::string path_;
  double flush_seconds_;
  std::vector<double> waiting_;  ///< a row of peaks; what is not of theirs is not a number
  double waiting_time_ = 0.0;
  std::unique_ptr<Files> files_;
};

}  // namespace carom
