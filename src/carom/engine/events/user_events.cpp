// Events that a scene defines by signals, and instants at which signals jump.
#include <algorithm>

#include "carom/base/index.h"
#include "carom/engine/events/event_blocks.h"

namespace carom {
namespace {

std::size_t count_users(const Workspace& w) { return w.model->events.size(); }

/// Formulas are taken as exact: they are located to what time resolves.
void user_values(Workspace& w, double, std::span<const double>, std::span<double> g,
                 std::span<double> resolution) {
  for (std::size_t i = 0; i < g.size(); ++i) {
    g[i] = w.signals.values[at(w.model->events[i].signal)];
    resolution[i] = 0.0;
  }
}

EventTraits user_traits(const Workspace& w, std::size_t f) {
  const EventInfo& event = w.model->events[f];
  EventTraits traits;
  traits.direction = event.direction == EventSpec::Direction::both     ? 0
                     : event.direction == EventSpec::Direction::rising ? 1
                                                                       : -1;
  traits.interrupts = event.action != EventSpec::Action::record;
  return traits;
}

void handle_user(Workspace& w, double t, std::span<double>, std::size_t f, bool rising,
                 EventOutcome& outcome) {
  const EventInfo& event = w.model->events[f];
  outcome.events.push_back({t, "user", event.name, rising ? 1.0 : -1.0});
  if (event.action == EventSpec::Action::stop) outcome.stop = true;
  if (event.action != EventSpec::Action::set) return;
  for (const auto& [path, value] : event.assignments) {
    if (double* p = find_parameter(*w.model, w.parameters, path)) *p = value;
  }
  outcome.restart = true;
}

std::string user_name(const Workspace& w, std::size_t f) {
  return "event(" + w.model->events[f].name + ")";
}

double next_jump(const Workspace& w, double t) {
  double next = kInf;
  for (const Signal& s : w.signals.all) next = std::min(next, s.next_break(t));
  return next;
}

}  // namespace

extern const EventBlock user_events{.name = "events",
                                    .count = count_users,
                                    .values = user_values,
                                    .traits = user_traits,
                                    .handle = handle_user,
                                    .function_name = user_name,
                                    .next_instant = next_jump};

}  // namespace carom
