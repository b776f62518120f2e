// Helpers of tests that run scenes with contact.
#pragma once

#include <string>
#include <vector>

#include "scene_runs.h"

namespace carom::testing {

/// An override of a named value, with all its digits.
inline std::string set(const std::string& path, double value) {
  char text[64];
  std::snprintf(text, sizeof text, "=%.17g", value);
  return path + text;
}

inline std::vector<EngineEvent> events_of(const RunResult& result, const std::string& kind) {
  std::vector<EngineEvent> found;
  for (const EngineEvent& event : result.events) {
    if (event.kind == kind) found.push_back(event);
  }
  return found;
}

/// One contact from its begin to its end.
struct Impact {
  double begin = 0.0, duration = 0.0, v_in = 0.0, v_out = 0.0, impulse = 0.0;
};

/// The i-th contact that has ended.
inline Impact impact(const RunResult& result, std::size_t i = 0) {
  const std::vector<EngineEvent> begins = events_of(result, "contact_begin"),
                                 ends = events_of(result, "contact_end");
  if (ends.size() <= i || begins.size() <= i) throw std::runtime_error("no such impact");
  return {begins[i].time, ends[i].time - begins[i].time, begins[i].value, ends[i].value,
          ends[i].impulse};
}

/// The only contact at the end of a run.
inline const ContactReading& only_contact(const RunResult& result) {
  if (result.contacts.size() != 1) throw std::runtime_error("not one contact");
  return result.contacts.front().reading;
}

/// What the ledger leaves unexplained, over the energy that was turned over.
inline double unexplained(const RunResult& result) {
  return result.largest_residual / result.energy_scale;
}

}  // namespace carom::testing
