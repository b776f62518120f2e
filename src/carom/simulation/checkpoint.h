// The state of a run and what the run has of its own: where its samples are, what it has counted.
//
// Integrators cannot save their history, so a run with checkpoints restarts its method at
// each of them. A run that was cut off and restored therefore takes the same steps, to the last
// bit (N14).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carom/engine/events/events.h"
#include "carom/engine/run_state.h"
#include "carom/integrate/integrator.h"
#include "carom/simulation/located_peak.h"

namespace carom {

/// Where the grid of recorded samples stands.
struct SampleClock {
  double interval = 0.0, origin = 0.0;
  double next = 0.0, last = -kInf;  ///< [s]
  std::int64_t index = 0;
};

struct Checkpoint {
  std::string scene;  ///< scene_fingerprint() of what runs
  std::string method;
  RunState state;
  SampleClock samples;
  double largest_residual = 0.0, energy_scale = 0.0;
  double constraint_error = 0.0;
  std::int64_t event_count = 0;
  IntegratorStatistics counts;
  double cpu_seconds = 0.0;

  std::vector<EngineEvent> events;  ///< so far
  std::uint64_t rows = 0;           ///< recorded so far
  OpenPeaks peaks;                  ///< since the last row
};

/// Writes beside and renames: what stands at `path` is always a whole checkpoint. Throws
/// std::runtime_error.
void save_checkpoint(const Checkpoint& checkpoint, const std::string& path);
/// Throws std::runtime_error if there is none, if it is damaged, or if another version of
/// Carom wrote it.
Checkpoint load_checkpoint(const std::string& path);

}  // namespace carom
