// The demo scenes of examples/, as tests read them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scene_runs.h"
#include "support/project_folder.h"

namespace carom::testing {

inline std::filesystem::path examples_folder() { return project_folder() / "examples"; }

/// Names of all demos, in alphabetical order.
inline std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(examples_folder())) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline std::string example_text(const std::string& name) {
  const std::ifstream file(examples_folder() / (name + ".yaml"));
  if (!file) throw std::runtime_error("no example " + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::shared_ptr<const Model> example_model(const std::string& name,
                                                  std::vector<std::string> overrides = {}) {
  ReadOptions options;
  options.overrides = std::move(overrides);
  const Scene scene = read_scene_file((examples_folder() / (name + ".yaml")).string(), options);
  Diagnostics diagnostics;
  std::shared_ptr<const Model> model = compile(scene, diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  return model;
}

inline RunResult run_example(const std::string& name, std::vector<std::string> overrides = {}) {
  const RunResult result = run(example_model(name, std::move(overrides)));
  EXPECT_EQ(result.status, RunStatus::completed) << name << ": " << result.reason;
  return result;
}

}  // namespace carom::testing
