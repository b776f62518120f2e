// One scene file run through the library, as the command runs it, kept for measuring.
#pragma once

#include <string>
#include <vector>

#include "../common/report.h"
#include "carom/engine/events/events.h"
#include "carom/simulation/simulation.h"

namespace carom::bench {

/// Where a body is at a sample.
struct BodyAt {
  Vec3 position, velocity, angular_velocity;
  Mat3 rotation;
};

struct SceneRun {
  Row row;  ///< setting, CPU time, evaluations; figures are the scene's to add
  std::vector<EngineEvent> events;
  std::vector<double> times;                ///< of the samples, the start and the end included
  std::vector<std::vector<double>> states;  ///< one per sample
  std::vector<std::vector<BodyAt>> bodies;  ///< per sample, free and fixed ones in file order
  bool completed = false;
  std::string failure;
};

struct SceneOptions {
  std::vector<std::string> overrides;  ///< as of --set
  double sample = 0.0;                 ///< [s]; 0: none
  double cpu_limit = 1e9;              ///< ends the run after this much CPU time [s]
};

/// Reads, compiles and runs `file` (below the folder of scenes, or absolute). Reading and compiling
/// are not timed. Throws InputError where the scene is wrong.
SceneRun run_scene(const std::string& file, const std::string& setting,
                   const SceneOptions& options);

}  // namespace carom::bench
