#include "viewer/live_run.h"

#include <chrono>

#include "carom/base/json.h"
#include "carom/simulation/run.h"

namespace carom::viewer {
namespace {

using WallClock = std::chrono::steady_clock;

}  // namespace

/// Where the run's rows go: into LiveRun, at its pace.
class LiveRun::Rows final : public Recorder {
 public:
  explicit Rows(LiveRun& live) : live_(live) {}

 private:
  void do_open() override { live_.rows_.open(channels()); }
  void do_append(double time, std::span<const double> row) override {
    live_.rows_.append(time, row);
    std::unique_lock lock(live_.mutex_);
    const auto stopped = [&] { return live_.interrupt_ || live_.quit_; };
    if (live_.pace_ > 0.0 && !first_) {
      const auto length = std::chrono::duration<double>((time - last_time_) / live_.pace_);
      const auto due = last_wall_ + std::chrono::duration_cast<WallClock::duration>(length);
      live_.changed_.wait_until(lock, due, stopped);
      last_wall_ = std::max(due, WallClock::now() - std::chrono::milliseconds(100));
    } else {
      last_wall_ = WallClock::now();
    }
    if (live_.paused_) {
      live_.changed_.wait(lock,
                          [&] { return stopped() || !live_.paused_ || live_.steps_allowed_ > 0; });
      if (live_.steps_allowed_ > 0) --live_.steps_allowed_;
      last_wall_ = WallClock::now();
    }
    last_time_ = time, first_ = false;
  }
  void do_append_event(const EventRecord& event) override { live_.rows_.append_event(event); }
  void do_finish(RunStatus, std::string_view, const RunEnding&) override {}

  LiveRun& live_;
  bool first_ = true;
  double last_time_ = 0.0;
  WallClock::time_point last_wall_{};
};

LiveRun::LiveRun(Load load, double pace) : load_(std::move(load)), pace_(pace) {
  model_ = load_({});
  for (const auto& [name, value] : model_->scene.values) values_[name] = value;
  thread_ = std::thread([this] { work(); });
}

LiveRun::~LiveRun() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true, interrupt_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void LiveRun::work() {
  for (;;) {
    run_once();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return quit_ || again_; });
    if (quit_) return;
    again_ = false, interrupt_ = false;
    const Values values = values_;
    rows_.begin_anew();
    lock.unlock();
    try {
      std::shared_ptr<const Model> model = load_(values);
      lock.lock();
      model_ = std::move(model);
    } catch (const std::exception& error) {
      rows_.set_status("failed", error.what());
      lock.lock();
      interrupt_ = true;
    }
  }
}

void LiveRun::run_once() {
  std::shared_ptr<const Model> model;
  {
    const std::lock_guard lock(mutex_);
    if (interrupt_) return;  // the scene could not be made
    model = model_;
  }
  std::string status = "failed", reason;
  try {
    Rows rows(*this);
    RunOptions options;
    options.recorder = &rows;
    options.interrupt = &interrupt_;
    options.most_events = kLiveEvents;
    const RunResult result = run(model, options);
    status = to_string(result.status), reason = result.reason;
  } catch (const std::exception& error) {
    reason = error.what();
  }
  rows_.set_status(status, reason);
}

void LiveRun::pause(bool paused) {
  const std::lock_guard lock(mutex_);
  paused_ = paused, steps_allowed_ = 0;
  changed_.notify_all();
}

void LiveRun::step() {
  const std::lock_guard lock(mutex_);
  paused_ = true, ++steps_allowed_;
  changed_.notify_all();
}

void LiveRun::restart() {
  const std::lock_guard lock(mutex_);
  again_ = true, interrupt_ = true;
  changed_.notify_all();
}

bool LiveRun::set(const std::string& name, double value) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = values_.find(name);
    if (found == values_.end()) return false;
    found->second = value;
  }
  restart();
  return true;
}

std::optional<std::string> LiveRun::command(const LiveCommand& command) {
  const std::string& what = command.what;
  if (what == "pause" || what == "resume") {
    pause(what == "pause");
  } else if (what == "step") {
    step();
  } else if (what == "restart") {
    restart();
  } else if (what != "set" || !set(command.name, command.value)) {
    return {};
  }
  return "{}";
}

PageRun LiveRun::page() {
  std::shared_ptr<const Model> model;
  {
    const std::lock_guard lock(mutex_);
    model = model_;
  }
  return make_empty_page(model);
}

std::string LiveRun::config() {
  const std::lock_guard lock(mutex_);
  const RunSpec& run = model_->scene.run;
  const auto value_json = [](const auto& v) {
    return compact_object().text("name", v.first).number("value", v.second).str();
  };
  JsonObject out = compact_object();
  out.number("start", run.start).number("until", run.until);
  out.count("generation", rows_.generation());
  return out.put("values", json_list(values_, value_json, ",")).str();
}

std::string LiveRun::rows_since(long generation, std::size_t from, std::size_t events) {
  JsonObject more = compact_object();
  {
    const std::lock_guard lock(mutex_);
    more.flag("paused", paused_);
  }
  return rows_.since(generation, from, events, more);
}

}  // namespace carom::viewer
