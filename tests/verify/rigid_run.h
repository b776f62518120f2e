// A run with rigid contacts as verify sees it, to be judged as it is and falsified.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "carom/record/memory_writer.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/run.h"
#include "carom/verify/own_rigid.h"

namespace carom::verify {

struct RigidRun {
  std::shared_ptr<const Model> model;
  Recording rows;
  EventRows at_events;
  std::vector<EngineEvent> events;
};

inline RigidRun make_run(const std::string& text) {
  Diagnostics diagnostics;
  const auto scene = read_scene_text(text, "thrown.yaml", {}, diagnostics);
  RigidRun made;
  made.model = compile(scene.value(), diagnostics);
  MemoryWriter memory;
  RunOptions options;
  options.recorder = &memory;
  options.on_event = [&](const EngineEvent& event, std::span<const double> row) {
    EventRows::append(event.time, row, made.at_events.after);
  };
  options.before_events = [&](double t, std::span<const double> row) {
    EventRows::append(t, row, made.at_events.before);
  };
  made.events = run(made.model, options).events;
  made.rows = memory.take();
  made.at_events.before.channels = made.at_events.after.channels = made.rows.channels;
  return made;
}

/// What of the record is contradicted; of what, how many values were compared.
struct Judged {
  std::vector<std::string> wrong;
  std::map<std::string, std::size_t> values;
  bool blames(const std::string& part) const {
    return std::ranges::any_of(
        wrong, [&](const std::string& w) { return w.find(part) != std::string::npos; });
  }
};

inline Judged judge(const RigidRun& r) {
  std::vector<Recomputed> all;
  compare_rigid(*r.model, r.rows, r.events, r.at_events, all);
  Judged out;
  for (const Recomputed& c : all) {
    out.values[c.kind] += c.values;
    if (!(c.difference <= c.tolerance)) out.wrong.push_back(c.what);
  }
  return out;
}

inline void change_column(Recording& rows, const std::string& column,
                          const std::function<double(double)>& how, std::size_t from = 0) {
  const std::vector<std::string> names = column_names(rows.channels);
  const auto at =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin());
  ASSERT_LT(at, names.size()) << column;
  for (std::size_t i = at + from * names.size(); i < rows.values.size(); i += names.size()) {
    rows.values[i] = how(rows.values[i]);
  }
}

}  // namespace carom::verify
