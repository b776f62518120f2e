// All that decides how a run goes on: state, modes, parameters, and where its samples are.
//
// Integrators cannot save their history, so a run with checkpoints restarts its method at
// each of them; run() goes on from the checkpoint itself, in a new Simulation. A run that was
// cut off and restored therefore takes the same steps, to the last bit (N14).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carom/engine/events.h"
#include "carom/engine/workspace.h"
#include "carom/integrate/integrator.h"

namespace carom {

/// Where the grid of recorded samples stands.
struct SampleClock {
  double interval = 0.0, origin = 0.0;
  double next = 0.0, last = -kInf;  ///< [s]
  std::int64_t index = 0;
};

struct Checkpoint {
  std::uint64_t scene = 0;  ///< scene_fingerprint() of what runs
  std::string method;
  double time = 0.0;
  std::vector<double> state;
  Parameters parameters;
  Modes modes;
  SampleClock samples;
  double energy_reference = 0.0, largest_residual = 0.0, energy_scale = 0.0;
  double constraint_error = 0.0;
  std::int64_t event_count = 0;
  IntegratorStatistics counts;
  double cpu_seconds = 0.0;
  std::vector<std::string> warnings;

  std::vector<EngineEvent> events;  ///< so far
  std::uint64_t rows = 0;           ///< recorded so far
};

/// Of the scene with every default filled in: runs with the same one are the same.
std::uint64_t scene_fingerprint(const Scene& scene);

/// Writes beside and renames: what stands at `path` is always a whole checkpoint. Throws
/// std::runtime_error.
void save_checkpoint(const Checkpoint& checkpoint, const std::string& path);
/// Throws std::runtime_error if there is none, if it is damaged, or if another version of
/// Carom wrote it.
Checkpoint load_checkpoint(const std::string& path);

}  // namespace carom
