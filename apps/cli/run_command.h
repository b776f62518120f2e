// What `run` and `demo` share.
#pragma once

#include "scene_source.h"

namespace carom::cli {

struct RunCommandOptions {
  SceneOptions scene;
  std::vector<std::string> output;
  bool json = false, quiet = false, no_output = false, error = false, page = false;
  bool resume = false;
  bool real_time = false;  ///< at the pace of the clock, with inputs from stdin
  bool view = false;       ///< watched and driven by pages on this machine
  int port = 0;            ///< for these; 0: any free one
  std::string replay;      ///< result file whose live inputs are given again
};

void add_run_options(CLI::App& command, RunCommandOptions& options);

/// Runs and reports; `default_output` is where results go without -o.
int run_and_report(const RunCommandOptions& options, const std::string& default_output);

}  // namespace carom::cli
