// A run of the command at the pace of the clock, watched and driven by pages: its rows for them,
// and the signals that they set.
//
// A page sets constant signals of the scene by keys, a gamepad or sliders. What it sends waits here
// until the run asks, where a period begins. A page that is gone has let go: when none has asked
// for a second, every signal that pages set goes back to its value in the scene.
#pragma once

#include <chrono>
#include <memory>

#include "carom/simulation/live_inputs.h"
#include "viewer/live_rows.h"
#include "viewer/live_source.h"

namespace carom::viewer {

class DrivenRun final : public LiveSource {
 public:
  explicit DrivenRun(std::shared_ptr<const Model> model);

  /// Takes rows and events; must not outlive this.
  std::unique_ptr<Recorder> recorder();
  /// Waits for the first page; false where Patience ended before.
  bool wait_for_page();
  /// What pages have set since, for the period that begins at `t`.
  void take(double t, std::vector<LiveInput>& out);
  /// Pages are told, for as long as they ask but no longer than two seconds.
  void end(const std::string& status, const std::string& reason);

  PageRun page() override { return make_empty_page(model_); }
  std::string config() override;
  std::string rows_since(long generation, std::size_t from, std::size_t events) override;
  std::optional<std::string> command(const LiveCommand& command) override;

 private:
  using WallClock = std::chrono::steady_clock;
  /// A signal that pages may set.
  struct Input {
    std::string name;
    double rest = 0.0;  ///< where nothing is pressed
    double least = 0.0, most = 0.0;
    const ControlSpec* control = nullptr;  ///< null: by a slider only
    double value = 0.0;                    ///< last set
  };
  class Rows;

  std::shared_ptr<const Model> model_;
  LiveRows rows_;
  mutable std::mutex mutex_;
  std::vector<Input> inputs_;
  std::vector<LiveInput> waiting_;
  double period_begin_ = 0.0;  ///< of the period that goes on [s]
  std::optional<WallClock::time_point> last_asked_;
};

}  // namespace carom::viewer
