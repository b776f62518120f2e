// Progress of a run on the terminal: one line, rewritten a few times a second.
//
//   t = 1.2 s of 3 s  [########------------]  40 %  0.83 x real time  18 events  about 3 s left
//
// Only where stderr is a terminal: pipes and files see nothing of it. Colours give way to
// NO_COLOR (https://no-color.org) and to dumb terminals.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "carom/record/recorder.h"

namespace carom::cli {

/// Whether stderr shows colours.
bool shows_colours();
/// `text`, in a colour of the terminal ("32" is green) where there are colours.
std::string paint(std::string_view text, std::string_view colour);

/// What the line says.
struct ProgressState {
  double start = 0.0, until = 0.0, time = 0.0;  ///< of the simulation [s]
  double wall = 0.0;                            ///< since the run began [s]
  std::size_t events = 0;
};

/// The line for a terminal of `columns` characters, without colours.
std::string progress_line(const ProgressState& state, std::size_t columns);

class Progress {
 public:
  Progress(double start, double until, bool enabled);

  /// A recorder that counts the events for this line and keeps nothing.
  std::unique_ptr<Recorder> event_counter();
  /// The run has come to time t.
  void operator()(double t);
  /// Takes the line away.
  void clear() const;

 private:
  using Clock = std::chrono::steady_clock;
  ProgressState state_;
  std::shared_ptr<std::size_t> events_ = std::make_shared<std::size_t>(0);
  bool enabled_, shown_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

}  // namespace carom::cli
