// A run at the pace of the clock, with signals set by lines on stdin and by pages that watch it.
//
//   u 0.5        a signal and its new value
//   u = 0.5      the same
//
// Lines are read where a period begins, without waiting for them, and hold from there on: from the
// line to the force it is at most the rest of one period and the next. A period that ends after
// its time is a missed deadline; the run catches up as fast as it can, and where it is later than
// a tenth of a second the clock is set anew, so that it does not race afterwards.
#pragma once

#include <chrono>
#include <string>

#include "carom/engine/model.h"
#include "carom/simulation/live_inputs.h"
#include "viewer/driven_run.h"

namespace carom::cli {

class RealTime final : public LiveInputs {
 public:
  /// Reads lines from `input`, a file descriptor; < 0: none. `pages` may be null; otherwise the
  /// clock starts with the first of them.
  RealTime(const Model& model, int input, viewer::DrivenRun* pages = nullptr);

  double period(double step) const override;
  void take(double t, std::vector<LiveInput>& out) override;
  std::optional<DeadlineReport> deadlines() const override;

 private:
  using Clock = std::chrono::steady_clock;
  void wait_for(double t);
  void read_lines(std::vector<LiveInput>& out);
  void read_line(std::string_view line, std::vector<LiveInput>& out);

  const Model& model_;
  int input_;
  viewer::DrivenRun* pages_;
  std::string text_;  ///< read, of a line that is not whole yet
  long line_ = 0;
  int complaints_ = 0;  ///< about lines, of which only the first are told
  mutable double period_ = 0.0;
  bool is_started_ = false;
  double start_ = 0.0;  ///< simulated, at `origin_` [s]
  Clock::time_point origin_{}, began_{};
  DeadlineReport report_;
  std::vector<float> took_;  ///< the periods, waiting left out [s]
};

}  // namespace carom::cli
