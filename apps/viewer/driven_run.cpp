#include "viewer/driven_run.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "carom/base/json.h"
#include "carom/base/patience.h"

namespace carom::viewer {
namespace {

constexpr std::chrono::seconds kGone{1};  // since the last question of any page
constexpr std::chrono::seconds kFarewell{2};
constexpr std::chrono::milliseconds kNap{10};
constexpr std::size_t kMostInputs = 1000;  // inputs between two periods

}  // namespace

class DrivenRun::Rows final : public Recorder {
 public:
  explicit Rows(LiveRows& rows) : rows_(rows) {}

 private:
  void do_open() override { rows_.open(channels()); }
  void do_append(double time, std::span<const double> row) override { rows_.append(time, row); }
  void do_append_event(const EventRecord& event) override { rows_.append_event(event); }
  void do_finish(RunStatus, std::string_view, const RunEnding&) override {}

  LiveRows& rows_;
};

DrivenRun::DrivenRun(std::shared_ptr<const Model> model) : model_(std::move(model)) {
  for (const NamedSignal& s : model_->scene.signals) {
    if (s.signal.kind != SignalSpec::Kind::constant) continue;
    const double rest = s.signal.value, reach = rest == 0.0 ? 1.0 : 2.0 * std::abs(rest);
    inputs_.push_back({s.name, rest, -reach, reach, nullptr, rest});
    for (const ControlSpec& c : model_->scene.controls) {
      if (c.signal != s.name) continue;
      inputs_.back().control = &c;
      inputs_.back().least = c.least, inputs_.back().most = c.most;
    }
  }
  waiting_.reserve(kMostInputs);
}

std::unique_ptr<Recorder> DrivenRun::recorder() { return std::make_unique<Rows>(rows_); }

bool DrivenRun::wait_for_page() {
  while (!Patience::is_over()) {
    {
      const std::lock_guard lock(mutex_);
      if (last_asked_) return true;
    }
    std::this_thread::sleep_for(kNap);
  }
  return false;
}

void DrivenRun::take(double t, std::vector<LiveInput>& out) {
  const std::lock_guard lock(mutex_);
  period_begin_ = t;
  out.insert(out.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
  if (!last_asked_ || WallClock::now() - *last_asked_ < kGone) return;
  for (Input& input : inputs_) {
    if (input.value == input.rest) continue;
    input.value = input.rest;
    out.push_back({input.name, input.rest});
  }
}

void DrivenRun::end(const std::string& status, const std::string& reason) {
  rows_.set_status(status, reason);
  const auto until = WallClock::now() + kFarewell;
  while (!rows_.all_told() && WallClock::now() < until) {
    {
      const std::lock_guard lock(mutex_);
      if (!last_asked_ || WallClock::now() - *last_asked_ > kGone) return;
    }
    std::this_thread::sleep_for(kNap);
  }
}

std::string DrivenRun::config() {
  const std::lock_guard lock(mutex_);
  const auto input_json = [](const Input& input) {
    JsonObject out = compact_object();
    out.text("name", input.name).number("rest", input.rest).number("value", input.value);
    out.number("least", input.least).number("most", input.most);
    if (!input.control) return out.str();
    std::vector<std::string> keys;
    if (!input.control->key_less.empty()) {
      keys = {input.control->key_less, input.control->key_more};
    }
    return out.put("keys", json_texts(keys, ",")).number("axis", input.control->axis).str();
  };
  const RunSpec& run = model_->scene.run;
  JsonObject out = compact_object();
  out.number("start", run.start).number("until", run.until).count("generation", 1);
  return out.put("values", "[]").put("inputs", json_list(inputs_, input_json, ",")).str();
}

std::string DrivenRun::rows_since(long generation, std::size_t from, std::size_t events) {
  JsonObject more = compact_object();
  {
    const std::lock_guard lock(mutex_);
    last_asked_ = WallClock::now();
    more.put("inputs",
             json_list(
                 inputs_, [](const Input& input) { return json_number(input.value); }, ","));
  }
  return rows_.since(generation, from, events, more);
}

std::optional<std::string> DrivenRun::command(const LiveCommand& command) {
  if (command.what != "input") return {};
  const std::lock_guard lock(mutex_);
  const auto input = std::ranges::find(inputs_, command.name, &Input::name);
  const bool is_good = input != inputs_.end() && std::isfinite(command.value) &&
                       command.value >= input->least && command.value <= input->most;
  if (!is_good || waiting_.size() >= kMostInputs) return {};
  if (input->value != command.value) waiting_.push_back({command.name, command.value});
  input->value = command.value;
  return compact_object().number("time", period_begin_).str();
}

}  // namespace carom::viewer
