#include "scene_run.h"

#include <atomic>

#include "carom/engine/evaluate.h"
#include "carom/scene/read/read.h"

namespace carom::bench {
namespace {

std::vector<BodyAt> calc_bodies(const Workspace& w) {
  std::vector<BodyAt> bodies;
  for (const BodyInfo& body : w.model->bodies) {
    const LinkState& L = w.tree.links[static_cast<std::size_t>(body.link)];
    const Vec3 r = L.R_WL * body.X_LB.p;
    bodies.push_back({L.p_WL + r, L.V.v + cross(L.V.w, r), L.V.w, L.R_WL * body.X_LB.R});
  }
  return bodies;
}

}  // namespace

SceneRun run_scene(const std::string& file, const std::string& setting,
                   const SceneOptions& options) {
  ReadOptions read;
  read.overrides = options.overrides;
  Diagnostics diagnostics;
  const auto model =
      compile(read_scene_file(
                  file.front() == '/' ? file : std::string(CAROM_BENCH_SCENES) + "/" + file, read),
              diagnostics);
  Simulation simulation(model);
  SceneRun run;
  std::atomic<bool> late = false;
  simulation.interrupt_with(&late);
  simulation.on_event([&](const EngineEvent& event) { run.events.push_back(event); });
  if (options.sample > 0.0) {
    simulation.on_sample(options.sample, [&](double t, std::span<const double> x) {
      run.times.push_back(t);
      run.states.emplace_back(x.begin(), x.end());
    });
  }
  Stopwatch clock;
  const double begin = thread_cpu_seconds();
  simulation.on_progress([&](double) { late = thread_cpu_seconds() - begin > options.cpu_limit; });
  clock.start();
  run.completed = simulation.advance(model->scene.run.until) == AdvanceStatus::reached;
  simulation.sample_now();
  clock.stop();
  run.failure = simulation.failure();

  const RunStatistics statistics = simulation.statistics();
  run.row.setting = setting.empty() ? statistics.integrator : statistics.integrator + " " + setting;
  run.row.cpu_seconds = clock.seconds();
  run.row.simulated = simulation.time();
  run.row.evaluations = static_cast<long>(statistics.counts.rhs_evaluations);
  Workspace w(model);
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    evaluate_kinematics(w, run.times[i], run.states[i]);
    run.bodies.push_back(calc_bodies(w));
  }
  return run;
}

}  // namespace carom::bench
