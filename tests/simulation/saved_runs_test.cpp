// Saving, seen from runs: it costs no accuracy though methods begin anew, and what a simulation
// remembers besides its state (search trees, warm starts, the last iterates) decides nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "carom/integrate/integrator.h"
#include "carom/simulation/simulation.h"
#include "simulation/example_scenes.h"
#include "simulation/scene_runs.h"

namespace carom {
namespace {

constexpr const char* kPendulum = R"(
carom: 1
name: Double pendulum
bodies:
  upper: {mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.01], joint: {revolute: {axis: y}, name: shoulder, q: 1.5}}
  lower: {mass: 1, com: [0, 0, -0.4], inertia: [0.1, 0.1, 0.01], joint: {revolute: {parent: upper, axis: y, at: [0, 0, -1]}, name: elbow, q: 0.5}}
run: {until: 1}
)";

std::vector<double> end_of_run(const char* method, double tolerance, int saves) {
  char words[40];
  std::snprintf(words, sizeof words, "run.tolerance=%g", tolerance);
  Simulation run(testing::model_of(kPendulum, {std::string("run.integrator=") + method, words}));
  for (int i = 1; i <= saves; ++i) {
    run.advance(1.0 * i / (saves + 1));
    run.save();
  }
  EXPECT_EQ(run.advance(1.0), AdvanceStatus::reached) << run.failure();
  return {run.state().begin(), run.state().end()};
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// The error at one tolerance is that of one sequence of steps, half luck: judged is the mean over
/// five, as that of their logarithms. BDF that begins with order 1 at the full tolerance would err
/// by 1.8 times as much.
TEST(SavedRuns, ErrNoMoreThanRunsThatAreNeverSaved) {
  const std::vector<double> exact = end_of_run("erk8", 1e-13, 0);
  for (const Method* method : method_catalogue()) {
    if (!method->error_controlled) continue;
    SCOPED_TRACE(method->name);
    double never = 0.0, often = 0.0;
    for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
      never += std::log(distance(end_of_run(method->name, tolerance, 0), exact)) / 5;
      often += std::log(distance(end_of_run(method->name, tolerance, 9), exact)) / 5;
    }
    RecordProperty(std::string(method->name) + "_ratio", std::to_string(std::exp(often - never)));
    EXPECT_LT(std::exp(often - never), 1.2);
  }
}

/// One has just run into this state and the other has seen nothing else of the scene. What was left
/// over would show in heaps, whose solver starts from its last forces.
TEST(SavedRuns, GoOnAsRestoredInEveryDemo) {
  int compared = 0;
  for (const std::string& name : testing::example_names()) {
    SCOPED_TRACE(name);
    const auto model = testing::example_model(name);
    const RunSpec& plan = model->scene.run;
    const double saved_at = plan.start + std::min(0.3, 0.2 * (plan.until - plan.start));
    Simulation run(model), restored(model);
    if (run.advance(saved_at) != AdvanceStatus::reached) continue;  // demos of what cannot go on
    restored.restore(run.save());
    EXPECT_EQ(run.advance(saved_at + 0.01), restored.advance(saved_at + 0.01));
    EXPECT_EQ(to_bytes(run.save()), to_bytes(restored.save()));
    ++compared;
  }
  EXPECT_GT(compared, 40);
}

}  // namespace
}  // namespace carom
