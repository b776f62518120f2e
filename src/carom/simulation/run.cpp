#include "carom/simulation/run.h"

#include <cmath>

#include "carom/base/version.h"

namespace carom {
namespace {

std::vector<Channel> record_channels(std::span<const OutputChannel> channels) {
  std::vector<Channel> out;
  for (const OutputChannel& c : channels)
    out.push_back({c.name, c.unit, c.doc, c.width, c.components});
  return out;
}

double output_step(const RunSpec& run) {
  return run.output.step > 0.0 ? run.output.step : (run.until - run.start) / 500.0;
}

void fill_final_state(Simulation& simulation, RunResult& result) {
  const Model& model = simulation.model();
  Workspace& w = simulation.workspace();
  evaluate(w, simulation.time(), simulation.state());
  result.contacts = list_contacts(w);
  for (const BodyInfo& body : model.bodies) {
    const LinkState& L = w.tree.links[static_cast<std::size_t>(body.link)];
    const Vec3 r = L.R_WL * body.X_LB.p;
    result.bodies.push_back(
        {body.name, L.p_WL + r, to_quat(L.R_WL * body.X_LB.R), L.V.v + cross(L.V.w, r), L.V.w});
  }
  for (const JointInfo& joint : model.joints) {
    if (joint.name.empty()) continue;
    const auto q = w.q.begin() + joint.q0;
    const auto v = w.v.begin() + joint.v0;
    result.joints.push_back({joint.name, {q, q + joint.kind->nq}, {v, v + joint.kind->nv}});
  }
}

RunStatus status_of(AdvanceStatus status) {
  switch (status) {
    case AdvanceStatus::failed: return RunStatus::failed;
    case AdvanceStatus::interrupted: return RunStatus::interrupted;
    default: return RunStatus::completed;
  }
}

}  // namespace

RunResult run(std::shared_ptr<const Model> model, const RunOptions& options) {
  const RunSpec& spec = model->scene.run;
  Diagnostics diagnostics;
  const std::vector<OutputChannel> channels =
      select_channels(*model, spec.output.channels, spec.output.channels_where, diagnostics);
  if (diagnostics.has_errors()) throw InputError(std::move(diagnostics));

  Simulation simulation(model);
  RunResult result;
  simulation.interrupt_with(options.interrupt);
  if (options.progress) simulation.on_progress(options.progress);

  // Its own workspace: recording must not disturb what the integrator sees.
  Workspace observer(model);
  std::vector<double> row;
  for (const OutputChannel& c : channels)
    row.resize(row.size() + static_cast<std::size_t>(c.width));
  if (options.recorder) {
    options.recorder->open({kVersion, model->scene.name, model->scene.source, {}},
                           record_channels(channels), {{"value", "-"}, {"impulse", "N.s"}});
  }
  simulation.on_sample(output_step(spec), [&](double t, std::span<const double> x) {
    if (!options.recorder) return;
    observer.parameters = simulation.workspace().parameters;
    observer.modes = simulation.workspace().modes;
    apply_modes(observer);
    calc_outputs(observer, t, x, channels, simulation.energy_reference(), row);
    options.recorder->append(t, row);
  });
  simulation.on_event([&](const EngineEvent& event) {
    result.events.push_back(event);
    if (options.recorder) {
      options.recorder->append_event(
          {event.time,
           event.kind,
           event.other.empty() ? event.subject : event.subject + ", " + event.other,
           {{"value", event.value}, {"impulse", event.impulse}}});
    }
  });

  const AdvanceStatus status = simulation.advance(spec.until);
  simulation.sample_now();
  result.status = status_of(status);
  if (status == AdvanceStatus::failed) result.reason = simulation.failure();
  if (status == AdvanceStatus::interrupted) result.reason = "interrupted";
  if (status == AdvanceStatus::stopped)
    result.reason = "stopped by event '" + result.events.back().subject + "'";
  result.time = simulation.time();
  result.energy = simulation.ledger();
  result.largest_residual =
      std::max(simulation.largest_residual(), std::abs(result.energy.residual));
  result.energy_scale = simulation.energy_scale();
  result.statistics = simulation.statistics();
  result.warnings = simulation.warnings();
  fill_final_state(simulation, result);
  if (options.recorder) {
    options.recorder->finish(result.status, result.reason, summary_json(result));
  }
  return result;
}

}  // namespace carom
