#include "carom/simulation/live_inputs.h"

#include <stdexcept>

namespace carom {
namespace {

double value_of(const EventRecord& event) {
  for (const auto& [name, value] : event.values) {
    if (name == "value") return value;
  }
  return 0.0;
}

}  // namespace

RecordedInputs::RecordedInputs(const std::vector<EventRecord>& events) {
  for (const EventRecord& event : events) {
    if (event.kind == kPeriodEvent) period_ = value_of(event);
    if (event.kind == kInputEvent) {
      inputs_.push_back({event.time, {event.subject, value_of(event)}});
    }
  }
  if (!(period_ > 0.0)) throw std::runtime_error("the run had no live inputs");
}

void RecordedInputs::take(double t, std::vector<LiveInput>& out) {
  for (; next_ < inputs_.size() && inputs_[next_].time <= t; ++next_) {
    out.push_back(inputs_[next_].input);
  }
}

}  // namespace carom
