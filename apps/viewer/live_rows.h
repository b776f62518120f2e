// The rows and events of a run for those who watch it: kept under a lock that is held for a copy
// only, so that readers never hold the run up.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "carom/base/json.h"
#include "carom/record/recorder.h"

namespace carom::viewer {

/// Kept of a run; the page lists no more.
inline constexpr std::size_t kLiveEvents = 1000;

class LiveRows {
 public:
  void open(std::vector<Channel> channels);
  void append(double time, std::span<const double> row);
  void append_event(const EventRecord& event);
  /// Nothing is kept of what was; viewers see that by the generation.
  void begin_anew();
  void set_status(std::string status, std::string reason);

  long generation() const;
  /// JSON: state, rows and events that the asking page does not have yet, at most a part; and what
  /// `more` holds.
  std::string since(long generation, std::size_t from, std::size_t events, const JsonObject& more);
  /// Whether somebody was told of the end and has all rows.
  bool all_told() const;

 private:
  std::size_t count() const;

  mutable std::mutex mutex_;
  std::vector<Channel> channels_;
  std::vector<double> rows_;  ///< time and all columns, row by row
  std::vector<EventRecord> events_;
  std::string status_ = "running", reason_;
  long generation_ = 1;
  bool all_told_ = false;
};

}  // namespace carom::viewer
