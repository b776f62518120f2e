#include "viewer/live_run.h"

#include <chrono>

#include "carom/base/json.h"
#include "carom/simulation/run.h"
#include "viewer/packing.h"

namespace carom::viewer {
namespace {

constexpr std::size_t kMostNumbers = 20'000'000;  // kept of a run: 160 MB
constexpr std::size_t kEventsKept = 1000;         // kept of a run; the page lists no more
constexpr std::size_t kNumbersAtOnce = 150'000;   // in one answer: 1.6 MB of text
using WallClock = std::chrono::steady_clock;

}  // namespace

/// Where the run's rows go: into LiveRun, at its pace.
class LiveRun::Rows final : public Recorder {
 public:
  explicit Rows(LiveRun& live) : live_(live) {}

 private:
  void do_open() override {
    const std::lock_guard lock(live_.mutex_);
    live_.channels_ = channels();
  }
  void do_append(double time, std::span<const double> row) override {
    std::unique_lock lock(live_.mutex_);
    if (live_.rows_.size() + row.size() < kMostNumbers) {
      live_.rows_.push_back(time);
      live_.rows_.insert(live_.rows_.end(), row.begin(), row.end());
    }
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
  void do_append_event(const EventRecord& event) override {
    const std::lock_guard lock(live_.mutex_);
    if (live_.events_.size() < kEventsKept) live_.events_.push_back(event);
  }
  void do_finish(RunStatus, std::string_view, const RunEnding&) override {}

  LiveRun& live_;
  bool first_ = true;
  double last_time_ = 0.0;
  WallClock::time_point last_wall_{};
};

LiveRun::LiveRun(Load load, double pace) : load_(std::move(load)), pace_(pace) {
  model_ = load_({});
  for (const auto& [name, value] : model_->scene.values) values_[name] = value;
  generation_ = 1;
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
    rows_.clear(), events_.clear();
    status_ = "running", reason_.clear();
    ++generation_;
    lock.unlock();
    try {
      std::shared_ptr<const Model> model = load_(values);
      lock.lock();
      model_ = std::move(model);
    } catch (const std::exception& error) {
      lock.lock();
      status_ = "failed", reason_ = error.what(), interrupt_ = true;
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
    options.most_events = kEventsKept;
    const RunResult result = run(model, options);
    status = to_string(result.status), reason = result.reason;
  } catch (const std::exception& error) {
    reason = error.what();
  }
  const std::lock_guard lock(mutex_);
  status_ = status, reason_ = reason;
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

PageRun LiveRun::page() {
  Thinned run;
  std::shared_ptr<const Model> model;
  {
    const std::lock_guard lock(mutex_);
    model = model_;
  }
  // The channels are those that the run records; it may not have begun yet.
  Diagnostics diagnostics;
  for (const OutputChannel& c :
       select_channels(*model, model->scene.run.output.channels, {}, diagnostics)) {
    run.recording.channels.push_back({c.name, c.unit, c.doc, c.width, c.components});
  }
  run.recording.meta.scene_name = model->scene.name;
  run.recording.meta.scene = model->scene.source;
  return make_page_run(run, model, model->scene.name);
}

std::string LiveRun::config() {
  const std::lock_guard lock(mutex_);
  const RunSpec& run = model_->scene.run;
  const auto value_json = [](const auto& v) {
    return compact_object().text("name", v.first).number("value", v.second).str();
  };
  JsonObject out = compact_object();
  out.number("start", run.start).number("until", run.until).count("generation", generation_);
  return out.put("values", json_list(values_, value_json, ",")).str();
}

std::string LiveRun::rows_since(long generation, std::size_t from) {
  const std::lock_guard lock(mutex_);
  const std::size_t width = 1 + total_width(channels_), rows = rows_.size() / width;
  std::string data;
  std::size_t count = 0;
  if (generation == generation_ && from < rows) {
    count = std::min(rows - from, std::max<std::size_t>(1, kNumbersAtOnce / width));
    const auto* first = reinterpret_cast<const std::uint8_t*>(rows_.data() + from * width);
    data = base64({first, count * width * sizeof(double)});
  }
  std::vector<std::string> events;
  std::size_t length = 0;
  for (const EventRecord& e : events_) {
    if (length > 100'000) break;
    JsonObject event = compact_object();
    event.number("time", e.time).text("kind", e.kind).text("subject", full_subject(e));
    events.push_back(event.put("values", "{}").str());
    length += events.back().size() + 1;
  }
  JsonObject out = compact_object();
  out.count("generation", generation_).text("status", status_).text("reason", reason_);
  out.flag("paused", paused_).count("rows", rows).count("first", from).count("count", count);
  out.put("events", json_list(
                        events, [](const std::string& json) { return json; }, ","));
  return out.text("data", data).str();
}

}  // namespace carom::viewer
