// The user's own states, events, and controls.
#include <algorithm>
#include <tuple>

#include "carom/base/text.h"
#include "carom/scene/read/read_parts.h"

namespace carom {

void read_states(Reader& reader, Scene& scene) {
  for_each_named(reader, reader.document.root.find("states"), "states",
                 [&](const NodeEntry& entry) {
                   MapReader map(reader, entry.value, "state", "states." + entry.key);
                   StateSpec state;
                   state.name = entry.key;
                   state.where = reader.at(entry.where);
                   state.initial = map.number("initial");
                   const Node* rate = map.find("rate");
                   if (rate) state.rate = read_signal(reader, *rate, map.path("rate"));
                   scene.states.push_back(std::move(state));
                 });
}

namespace {

/// Parameters an event may change, such as "joints.pivot.damping". Whether the last
/// part is a parameter is the engine's affair.
void check_target(Reader& reader, const NodeEntry& entry, const std::string& path) {
  const std::size_t dot = entry.key.find('.');
  const std::string group = entry.key.substr(0, dot);
  const std::string rest = dot == std::string::npos ? "" : entry.key.substr(dot + 1);
  const std::string name = rest.substr(0, rest.find('.'));
  const SceneNames& names = reader.names;
  const std::vector<std::string>* known = group == "joints"    ? &names.joints
                                          : group == "forces"  ? &names.forces
                                          : group == "signals" ? &names.signals
                                                               : nullptr;
  if (group == "gravity") return;
  if (!known) {
    reader.error(entry.where, path + ": '" + entry.key + "' cannot be set by an event",
                 "begin with joints., forces., signals. or gravity.");
  } else if (!std::binary_search(known->begin(), known->end(), name)) {
    reader.error(entry.where, path + ": there is no '" + group + "." + name + "'",
                 suggest(name, *known));
  }
}

void read_action(MapReader& map, EventSpec& event) {
  const Node* action = map.find("do");
  if (!action) return;
  if (!action->is_map()) {
    const auto word = map.reader.word(*action, map.field("do"), map.path("do"));
    if (word == "stop") event.action = EventSpec::Action::stop;
    return;
  }
  MapReader fields(map.reader, *action, "action", map.path("do"));
  event.action = EventSpec::Action::set;
  const Field any;
  for_each_named(map.reader, fields.find("set"), fields.path("set"), [&](const NodeEntry& entry) {
    check_target(map.reader, entry, fields.path("set"));
    const auto value = map.reader.number(entry.value, any, fields.path("set") + "." + entry.key);
    event.assignments.emplace_back(entry.key, value.value_or(0.0));
  });
}

}  // namespace

void read_events(Reader& reader, Scene& scene) {
  for_each_named(reader, reader.document.root.find("events"), "events",
                 [&](const NodeEntry& entry) {
                   MapReader map(reader, entry.value, "event", "events." + entry.key);
                   EventSpec event;
                   event.name = entry.key;
                   event.where = reader.at(entry.where);
                   if (const Node* when = map.find("when")) {
                     event.when.kind = SignalSpec::Kind::formula;
                     event.when.formula = read_formula(reader, *when, map.path("when"));
                     event.when.where = reader.at(when->where);
                   }
                   const std::string word = map.word("direction");
                   using Direction = EventSpec::Direction;
                   event.direction = word == "rising"    ? Direction::rising
                                     : word == "falling" ? Direction::falling
                                                         : Direction::both;
                   read_action(map, event);
                   scene.events.push_back(std::move(event));
                 });
}

void read_controls(Reader& reader, Scene& scene) {
  for_each_named(reader, reader.document.root.find("controls"), "controls",
                 [&](const NodeEntry& entry) {
                   MapReader map(reader, entry.value, "control", "controls." + entry.key);
                   ControlSpec control;
                   control.signal = entry.key;
                   control.where = reader.at(entry.where);
                   if (const Node* keys = map.find("keys")) {
                     const auto names = read_name_pair(reader, *keys, map.path("keys"));
                     if (names) std::tie(control.key_less, control.key_more) = *names;
                   }
                   control.axis = static_cast<int>(map.integer("axis"));
                   control.least = map.number("least");
                   control.most = map.number("most");
                   scene.controls.push_back(std::move(control));
                 });
}

}  // namespace carom
