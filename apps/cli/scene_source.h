// The options by which every command takes a scene: a file or a demo, and overrides.
#pragma once

#include <memory>
#include <optional>

#include "carom/engine/model.h"
#include "carom/scene/read/read.h"
#include "commands.h"

namespace carom::cli {

struct SceneOptions {
  std::string file;  ///< empty: `demo` is meant
  std::string demo;
  std::vector<std::string> set;
  std::optional<double> until, tolerance, step, output_step, checkpoint, max_cpu;
  std::optional<std::string> integrator;
  std::vector<std::string> channels;
  bool allow_outside = false;
};

/// --set, --until, --tolerance, … for `command`.
void add_scene_options(CLI::App& command, SceneOptions& options);

/// Reads; prints warnings to stderr; throws InputError.
Scene load_scene(const SceneOptions& options);

/// Reads and compiles; prints warnings to stderr; throws InputError.
std::shared_ptr<const Model> load_model(const SceneOptions& options);

}  // namespace carom::cli
