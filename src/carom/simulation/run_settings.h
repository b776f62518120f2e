// What the command line or a program may change about a run without editing the scene.
#pragma once

#include <string>

#include "carom/engine/implicit/frozen.h"
#include "carom/engine/workspace.h"
#include "carom/integrate/integrator.h"
#include "carom/scene/scene.h"

namespace carom {

/// Statistics of a run, as reported in the summary.
struct RunStatistics {
  std::string integrator;
  IntegratorStatistics counts;
  std::int64_t events = 0;
  double cpu_seconds = 0.0;
  double real_time_factor = 0.0;  ///< simulated seconds per CPU second
  std::size_t redundant_constraints = 0;
  std::int64_t surface_tests = 0;    ///< of connected surfaces that were apart
  std::int64_t surface_skips = 0;    ///< of these: too far apart to look closer
  std::int64_t mesh_detections = 0;  ///< of patches of two triangle surfaces
  std::int64_t held_steps = 0;       ///< of contacts whose elastic force the guard held back
  FrozenCount frozen;                ///< where the run stands
  double constraint_error = 0.0;     ///< largest violation at steps and samples (m, rad)
};

/// The method that "auto" stands for in this model: implicit where damping is much
/// faster than motion, otherwise explicit of high order.
std::string choose_method(Workspace& w, double t, std::span<const double> x);

/// What 'auto' is with a given step: implicit where shapes may touch and such steps can take the
/// scene, otherwise rk4.
std::string method_of_given_step(const Model& model);
/// Whether the run of this model is by time steps with impulses.
bool takes_time_steps(const Model& model);

}  // namespace carom
