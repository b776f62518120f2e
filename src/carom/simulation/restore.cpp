// A simulation taken to a checkpoint, and made from one.
#include "carom/engine/contact_search.h"
#include "carom/simulation/simulation.h"

namespace carom {

Simulation::Simulation(std::shared_ptr<const Model> model, const Checkpoint& from)
    : model_(std::move(model)),
      workspace_(model_),
      observer_(model_),
      system_(workspace_),
      method_(from.method),
      t_(from.time),
      x_(from.state),
      sample_(x_.size()),
      channels_(all_channels(*model_)),
      samples_(from.samples),
      energy_reference_(from.energy_reference),
      largest_residual_(from.largest_residual),
      energy_scale_(from.energy_scale),
      constraint_error_(from.constraint_error),
      event_count_(from.event_count),
      counts_before_(from.counts),
      cpu_seconds_(from.cpu_seconds),
      warnings_(from.warnings) {
  workspace_.parameters = from.parameters;
  workspace_.modes = from.modes;
  apply_modes(workspace_);
  find_near_pairs(workspace_, t_, x_);
  system_.refresh();
  make_integrator();
  refresh_observer();
}

Checkpoint Simulation::checkpoint() const {
  Checkpoint c;
  c.scene = scene_fingerprint(model_->scene);
  c.method = method_;
  c.time = t_, c.state = x_;
  c.parameters = workspace_.parameters, c.modes = workspace_.modes;
  c.samples = samples_;
  c.energy_reference = energy_reference_, c.largest_residual = largest_residual_;
  c.energy_scale = energy_scale_, c.constraint_error = constraint_error_;
  c.event_count = event_count_, c.counts = statistics().counts;
  c.cpu_seconds = cpu_seconds_, c.warnings = warnings_;
  return c;
}

}  // namespace carom
