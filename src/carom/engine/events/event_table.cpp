#include "carom/engine/events/event_table.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr EventKind kKinds[] = {
    {"stick", "a joint or a rigid contact sticks", "zero", "-"},
    {"slip", "a stuck joint or rigid contact gives way", "what held the joint", "N or N.m"},
    {"stop_begin", "a joint reaches a stop", "its velocity", "m/s or rad/s"},
    {"stop_end", "a joint leaves a stop", "its velocity", "m/s or rad/s"},
    {"contact_begin", "two shapes meet", "speed of approach", "m/s", "approach_speed"},
    {"contact_end", "two shapes part", "speed of separation", "m/s"},
    {"contact_deep", "connected surfaces pass their layer", "speed of approach", "m/s"},
    {"contact_released", "connected surfaces let go beyond their layer", "speed of separation",
     "m/s"},
    {"impact", "rigid bodies strike each other", "speed of approach", "m/s", "approach_speed"},
    {"landing", "rigid bodies come to rest on each other",
     "instant at which the last of the bounces ends", "s"},
    {"lift_off", "rigid bodies part", "speed of separation", "m/s"},
    {"contact_moves", "rigid bodies that touch do so with other corners or edges",
     "points that press", "-"},
    {"paradox", "rigid bodies slide where friction pulls them in", "W_nn - mu W_nd", "1/kg"},
    {"freeze", "an island comes to rest and is left out of implicit steps; its first body",
     "bodies of it", "-"},
    {"wake", "a frozen island is disturbed", "bodies of it", "-"},
    {"loop_open", "a loop opens", "zero", "-"},
    {"loop_close", "a loop closes", "zero", "-"},
    {"user", "a user's function passes zero", "+1 rising, -1 falling", "-"},
    {"method", "the run goes over to fixed steps", "their length", "s"},
    {"stepping_on", "rigid contact goes over from events to time steps",
     "height of the bounces that are left out", "m"},
    {"stepping_off", "rigid contact goes back from time steps to events",
     "how long time steps were taken", "s"},
    {"period", "a run with live inputs begins", "time between two looks for them", "s"},
    {"input", "a signal is set from outside", "its new value", "-"},
};

constexpr EndColumn kEndColumns[] = {
    {"impulse", "N.s", &EngineEvent::impulse},
    {"peak_force", "N", &EngineEvent::peak_force},
    {"peak_depth", "m", &EngineEvent::peak_depth},
    {"duration", "s", &EngineEvent::duration},
    {"slip", "m", &EngineEvent::slip},
    {"energy_lost", "J", &EngineEvent::energy_lost},
};

constexpr EndColumn kImpactColumns[] = {
    {"separation_speed", "m/s", &EngineEvent::separation},
    {"lost_normal", "J", &EngineEvent::lost_normal},
    {"lost_friction", "J", &EngineEvent::lost_friction},
    {"share", "-", &EngineEvent::share},
    {"points", "-", &EngineEvent::points},
};

}  // namespace

std::span<const EventKind> event_kinds() { return kKinds; }

const EventKind* find_event_kind(std::string_view name) {
  const auto found = std::ranges::find(kKinds, name, &EventKind::name);
  return found == std::end(kKinds) ? nullptr : found;
}

std::span<const EndColumn> contact_end_columns() { return kEndColumns; }

std::span<const EndColumn> impact_columns() { return kImpactColumns; }

bool has_impact_columns(const EngineEvent& event) { return std::isfinite(event.separation); }

bool has_end_columns(const EngineEvent& event) { return std::isfinite(event.duration); }

}  // namespace carom
