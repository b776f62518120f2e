// What a driver measured, printed as one JSON object per line for run_scenes.py.
//
// A row is one setting of one engine in one scene: CPU time of the steps alone, time that
// was simulated, evaluations of the right-hand side (or steps), and the figures of merit
// of the scene by name. C++17, for the peers' headers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "clock.h"

namespace carom::bench {

struct Row {
  std::string setting;
  double cpu_seconds = 0.0, simulated = 0.0;
  long evaluations = 0;
  std::vector<std::pair<std::string, double>> figures;

  void add(const std::string& name, double value) { figures.emplace_back(name, value); }
};

/// Runs the same setting several times, each from a new model; the row with the median CPU
/// time stands for all. For scenes that take milliseconds, where the first run pays for
/// cold caches.
template <class Run>
Row median_of(int repeats, Run run) {
  std::vector<Row> rows;
  for (int i = 0; i < repeats; ++i) rows.push_back(run());
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return a.cpu_seconds < b.cpu_seconds; });
  return rows[rows.size() / 2];
}

/// JSON has no NaN or infinity: they become null.
inline std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", value);
  return text;
}

inline void print_row(const std::string& scene, const std::string& engine, const Row& row) {
  std::string figures;
  for (const auto& [name, value] : row.figures) {
    figures += (figures.empty() ? "\"" : ", \"") + name + "\": " + json_number(value);
  }
  std::printf(
      "{\"scene\": \"%s\", \"engine\": \"%s\", \"setting\": \"%s\", \"cpu_seconds\": %s, "
      "\"simulated\": %s, \"evaluations\": %ld, \"figures\": {%s}}\n",
      scene.c_str(), engine.c_str(), row.setting.c_str(), json_number(row.cpu_seconds).c_str(),
      json_number(row.simulated).c_str(), row.evaluations, figures.c_str());
  std::fflush(stdout);
}

/// "step 0.001 s" and the like, without trailing zeros.
inline std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

/// What a driver's main does: runs the scene that the first word names, if it is one of these.
inline int run_named(int count, char** words,
                     std::initializer_list<std::pair<const char*, void (*)()>> scenes) {
  const std::string wanted = count > 1 ? words[1] : "";
  for (const auto& [name, run] : scenes) {
    if (wanted == name) run();
  }
  return 0;
}

}  // namespace carom::bench
