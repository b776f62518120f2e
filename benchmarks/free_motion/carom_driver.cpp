// Carom at several tolerances. Samples are dense output: they do not end steps, so the
// whole run is timed, with the states kept at sample times and measured afterwards.
#include <string>
#include <vector>

#include "carom/base/text.h"
#include "carom/base/version.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/simulation.h"
#include "scenes.h"

namespace carom::bench {
namespace {

const char* kFreeTop = R"yaml(
carom: 1
gravity: off
bodies: {top: {mass: 1, inertia: [1, 2, 3], angular_velocity: [0.5, 3, 0.2]}}
run: {until: 100}
)yaml";

const char* kDoublePendulum = R"yaml(
carom: 1
values: {along: 4.1666666666666669e-4, across: 0.083541666666666667}
bodies:
  upper: {mass: 1, com: [0.5, 0, 0], inertia: [$along, $across, $across], joint: {revolute: {axis: y}, name: shoulder}}
  lower: {mass: 1, com: [0.5, 0, 0], inertia: [$along, $across, $across], joint: {revolute: {parent: upper, axis: y, at: [1, 0, 0]}, name: elbow}}
run: {until: 100}
)yaml";

struct Samples {
  std::vector<double> times;
  std::vector<std::vector<double>> states;
};

template <class Measure>
void run_scene(const char* scene, const char* text, double tolerance, Measure measure) {
  ReadOptions options;
  options.overrides = {"run.tolerance=" + number_text(tolerance)};
  Diagnostics diagnostics;
  const auto model = compile(read_scene_text(text, scene, options), diagnostics);
  Simulation simulation(model);
  Samples samples;
  simulation.on_sample(kSampleTime, [&](double t, std::span<const double> x) {
    samples.times.push_back(t);
    samples.states.emplace_back(x.begin(), x.end());
  });
  Stopwatch watch;
  watch.start();
  simulation.advance(kDuration);
  watch.stop();
  Drift drift;
  Workspace w(model);
  apply_modes(w);
  for (std::size_t i = 0; i < samples.times.size(); ++i) {
    evaluate(w, samples.times[i], samples.states[i]);
    measure(w, drift);
  }
  const RunStatistics statistics = simulation.statistics();
  print_drift(scene, std::string("Carom ") + kVersion,
              statistics.integrator + " tolerance " + number_text(tolerance), watch,
              statistics.counts.rhs_evaluations, drift);
}

void measure_top(Workspace& w, Drift& drift) {
  const LinkState& L = w.tree.links[1];
  const Vec3 body_w = transpose_times(L.R_WL, L.V.w);
  const Vec3 momentum = L.I * L.V.w;
  drift.sample(FreeTop::energy_error(&body_w.x), FreeTop::momentum_error(&momentum.x));
}

void measure_pendulum(Workspace& w, Drift& drift) {
  const Energies e = calc_energies(w);  // starts at rest and at height zero
  drift.sample((e.kinetic + e.potential) / DoublePendulum::energy_range, 0.0);
}

}  // namespace
}  // namespace carom::bench

int main() {
  using namespace carom::bench;
  for (const double tolerance : {1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
    run_scene("free_top", kFreeTop, tolerance, measure_top);
  }
  for (const double tolerance : {1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
    run_scene("double_pendulum", kDoublePendulum, tolerance, measure_pendulum);
  }
}
