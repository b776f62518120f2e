// A run that is watched while it goes: paced, paused, stepped, restarted with other values.
//
// The run has a thread of its own. It hands each recorded row over (live_rows.h), and waits where
// it is ahead of the wall clock or paused.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <thread>

#include "viewer/live_rows.h"
#include "viewer/live_source.h"

namespace carom::viewer {

class LiveRun final : public LiveSource {
 public:
  using Values = std::map<std::string, double>;
  /// Makes the model with some of the scene's values changed; may throw.
  using Load = std::function<std::shared_ptr<const Model>(const Values&)>;

  /// `pace`: simulated seconds per second of wall clock; 0: as fast as it goes.
  LiveRun(Load load, double pace);
  ~LiveRun() override;

  void pause(bool paused);
  void step();     ///< one row, then pause
  void restart();  ///< from the start, with the present values
  /// Changes a value of the scene and restarts; false if the scene has none of this name.
  bool set(const std::string& name, double value);

  PageRun page() override;
  std::string config() override;  ///< values, and the run's end
  std::string rows_since(long generation, std::size_t from, std::size_t events) override;
  std::optional<std::string> command(const LiveCommand& command) override;

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
  LiveRows rows_;
  long steps_allowed_ = 0;  ///< rows to let through while paused
  bool paused_ = false, quit_ = false, again_ = false;
  std::atomic<bool> interrupt_{false};
  std::thread thread_;
};

}  // namespace carom::viewer
