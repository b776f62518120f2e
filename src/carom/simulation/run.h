// A whole run: scene in, trajectory, energy balance and summary out.
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/engine/results/result_lines.h"
#include "carom/record/recorder.h"
#include "carom/simulation/error_estimate.h"
#include "carom/simulation/live_inputs.h"
#include "carom/simulation/simulation.h"

namespace carom {

struct RunOptions {
  Recorder* recorder = nullptr;  ///< may be null
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(double t)> progress;
  /// Called with every event and the values of the recorder's channels at its instant.
  std::function<void(const EngineEvent&, std::span<const double> row)> on_event;
  /// The same where events are about to switch modes and may change the state, as it was before
  /// them.
  std::function<void(double t, std::span<const double> row)> before_events;
  /// Kept in the result; all are recorded. For runs that nobody knows the end of.
  std::size_t most_events = std::numeric_limits<std::size_t>::max();

  /// Signals that are set while the run goes on; may be null.
  LiveInputs* live = nullptr;

  /// Called when the simulation stands, before any file is made.
  std::function<void()> on_ready;
  /// Called when the files of the run have taken the place of older ones.
  std::function<void()> on_start;

  /// Called at every instant that run.checkpoint names, after what was recorded is on disk.
  std::function<void(const Checkpoint&)> on_checkpoint;
  /// Begins with these numbers instead of the model's own; may be null.
  const ModelStart* start = nullptr;
  /// Goes on from here instead of the start; may be null.
  const Checkpoint* resume = nullptr;
  /// What was recorded up to there, to be recorded again first; may be null.
  const Recording* recorded = nullptr;
};

struct BodyState {
  std::string name;
  Vec3 position;
  Quat orientation;
  Vec3 velocity, angular_velocity;
};

struct JointState {
  std::string name;
  std::vector<double> q, v;
};

struct RunResult {
  RunStatus status = RunStatus::completed;
  std::string reason;
  double time = 0.0;
  std::vector<BodyState> bodies;
  std::vector<JointState> joints;
  std::vector<EngineEvent> events;
  std::vector<ContactLine> contacts;          ///< at the end
  std::vector<ContactSummary> contact_pairs;  ///< every pair that touched
  std::vector<PeakRecord> peaks;              ///< the largest of each watched quantity
  Ledger energy;
  double largest_residual = 0.0, energy_scale = 0.0;
  RunStatistics statistics;
  std::optional<ErrorEstimate> error;       ///< where it was asked for
  std::optional<DeadlineReport> deadlines;  ///< of a run that went by the clock
  std::vector<std::string> warnings;        ///< the words of its reasons and notes
  Verdict verdict;
  double turned_over = 0.0;  ///< at the start and put in since [J]
};

/// Runs the scene of the model to its end. Numerical failure and interruption are
/// results, not exceptions; wrong settings throw InputError, an unwritable file
/// std::runtime_error.
RunResult run(std::shared_ptr<const Model> model, const RunOptions& options = {});

/// The simulation that run() would begin with, so that what it would refuse is refused without
/// running. Throws InputError.
std::unique_ptr<Simulation> check_run(const std::shared_ptr<const Model>& model);

/// The machine-readable summary, one JSON document.
std::string summary_json(const RunResult& result);
/// Its verdict alone.
std::string verdict_json(const Verdict& verdict);

}  // namespace carom
