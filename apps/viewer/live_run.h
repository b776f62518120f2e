// A run that is watched while it goes: paced, paused, stepped, restarted with other values.
//
// The run has a thread of its own. It hands each recorded row over under a lock that is
// held for a copy only, and waits where it is ahead of the wall clock or paused; readers
// never hold it up.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "viewer/page.h"

namespace carom::viewer {

class LiveRun {
 public:
  using Values = std::map<std::string, double>;
  /// Makes the model with some of the scene's values changed; may throw.
  using Load = std::function<std::shared_ptr<const Model>(const Values&)>;

  /// `pace`: simulated seconds per second of wall clock; 0: as fast as it goes.
  LiveRun(Load load, double pace);
  ~LiveRun();
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  void pause(bool paused);
  void step();     ///< one row, then pause
  void restart();  ///< from the start, with the present values
  /// Changes a value of the scene and restarts; false if the scene has none of this name.
  bool set(const std::string& name, double value);

  /// The page of the scene as it is now, without rows.
  PageRun page();
  /// What the page needs besides: values with ranges, the run's end.
  std::string config();
  /// State, and rows from `from` on if `generation` is the present one; at most a part.
  std::string rows_since(long generation, std::size_t from);

 private:
  class Rows;
  void work();
  void run_once();

  Load load_;
  double pace_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<const Model> model_;
  Values values_;
  std::vector<Channel> channels_;
  std::vector<double> rows_;  ///< time and all columns, row by row
  std::vector<EventRecord> events_;
  std::string status_ = "running", reason_;
  long generation_ = 0;
  long steps_allowed_ = 0;  ///< rows to let through while paused
  bool paused_ = false, quit_ = false, again_ = false;
  std::atomic<bool> interrupt_{false};
  std::thread thread_;
};

}  // namespace carom::viewer
