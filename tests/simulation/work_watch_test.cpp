// Where `auto` leaves error control: what decides, and a heap that it brings to an end.
#include "carom/simulation/work_watch.h"

#include <random>
#include <set>

#include "scene_runs.h"

namespace carom {
namespace {

using testing::run_text;

TEST(WorkWatch, LetsARunGoOnThatEndsSoon) {
  WorkWatch watch(100);
  watch.start(0.0, {});
  // 30,000 evaluations took half of the run: as many are left.
  EXPECT_FALSE(watch.step_instead(0.5, 1.0, {30000, 10}, 1e-3));
  EXPECT_NEAR(watch.projected(), 30500.0, 1.0);
}

TEST(WorkWatch, SaysTheStepWhereFixedStepsEndMuchSooner) {
  WorkWatch watch(100);
  watch.start(0.0, {});
  EXPECT_FALSE(watch.step_instead(1e-4, 1.0, {30000, 10}, 1e-3)) << "may be a burst that passes";
  const std::optional<double> step = watch.step_instead(2e-4, 1.0, {60000, 20}, 1e-3);
  ASSERT_TRUE(step);
  EXPECT_NEAR(*step, 1e-3 / 25.0, 1e-12);
}

TEST(WorkWatch, DoesNotGoOverToStepsThatTakeAsLong) {
  WorkWatch watch(100);
  watch.start(0.0, {});
  EXPECT_FALSE(watch.step_instead(1e-4, 1.0, {30000, 10}, 1e-8));
  EXPECT_FALSE(watch.step_instead(2e-4, 1.0, {60000, 20}, 1e-8));
  EXPECT_FALSE(watch.step_instead(3e-4, 1.0, {90000, 30}, kInf)) << "no contact was seen yet";
}

TEST(WorkWatch, DoesNotTakeOneImpactForTheWholeRun) {
  WorkWatch watch(5);
  watch.start(0.0, {});
  EXPECT_FALSE(watch.step_instead(1e-6, 10.0, {190000, 2}, 1e-3));
}

TEST(WorkWatch, WaitsAsLongAsItIsToldTo) {
  WorkWatch watch(100, 10.0);
  watch.start(0.0, {});
  EXPECT_FALSE(watch.step_instead(1e-4, 1.0, {24000, 0}, 1e-3)) << "the first window is open";
  EXPECT_FALSE(watch.step_instead(2e-4, 1.0, {26000, 0}, 1e-3));
  watch.weigh(1000);
  EXPECT_TRUE(watch.step_instead(3e-4, 1.0, {29000, 0}, 1e-3)) << "heavier: sooner";
}

/// Glass balls on a floor between walls, layer above layer.
std::string heap(int n, const std::string& run, const std::string& softness = "k_red: 1e-4, ") {
  std::mt19937 gen(1);
  std::uniform_real_distribution<double> shift(-0.001, 0.001);
  std::string text =
      "carom: 1\nbodies:\n  box: {fixed: true, material: glass, shapes: [{half_space: {}}, "
      "{box: {size: [0.02, 0.2, 1]}, at: [0.085, 0, 0.5]}, {box: {size: [0.02, 0.2, 1]}, at: "
      "[-0.085, 0, 0.5]}, {box: {size: [0.2, 0.02, 1]}, at: [0, 0.085, 0.5]}, {box: {size: [0.2, "
      "0.02, 1]}, at: [0, -0.085, 0.5]}]}\n";
  for (int k = 0; k < n; ++k) {
    char line[160];
    std::snprintf(line, sizeof line,
                  "  b%d: {material: glass, shapes: [{sphere: {radius: 0.01}}], position: [%.5f, "
                  "%.5f, %.5f]}\n",
                  k, (k % 6 - 2.5) * 0.025 + shift(gen), (k / 6 % 6 - 2.5) * 0.025 + shift(gen),
                  0.011 + 0.021 * (k / 36));
    text += line;
  }
  return text + "contact: {" + softness + "restitution: 0.3, mu_k: 0.4}\nrun: {" + run + "}\n";
}

/// So soft that explicit steps are the cheaper ones.
TEST(Auto, BringsAHeapToItsEndByFixedStepsAndSaysSo) {
  const RunResult r = run_text(heap(216, "until: 0.15, tolerance: 1e-4", "k_red: 1e-5, "));
  EXPECT_EQ(r.statistics.integrator, "semi_implicit_euler");
  const auto is_method = [](const EngineEvent& e) { return e.kind == "method"; };
  const auto event = std::find_if(r.events.begin(), r.events.end(), is_method);
  ASSERT_NE(event, r.events.end());
  EXPECT_GT(event->value, 1e-6);
  EXPECT_LT(event->value, 1e-3);
  const auto tells = [](const std::string& w) { return w.starts_with("method:"); };
  EXPECT_TRUE(std::any_of(r.warnings.begin(), r.warnings.end(), tells));
  EXPECT_LE(r.statistics.counts.rhs_evaluations, 200000);
  EXPECT_EQ(r.verdict.grade(), Grade::doubtful) << "the tolerance is not checked";
}

TEST(Auto, TakesImplicitStepsWhereGlassIsAsStiffAsItIs) {
  const RunResult r = run_text(heap(72, "until: 0.2, tolerance: 1e-4", ""));
  EXPECT_EQ(r.status, RunStatus::completed);
  EXPECT_EQ(r.statistics.integrator, "implicit_contact");
  const auto event = std::ranges::find(r.events, "method", &EngineEvent::kind);
  ASSERT_NE(event, r.events.end());
  EXPECT_GT(event->time, 0.0);
  EXPECT_GT(event->value, 1e-4) << "a contact takes 0.1 ms";
  EXPECT_EQ(r.verdict.grade(), Grade::doubtful);
  // Going over is no residual, and what lay on each other before is not told to begin anew.
  EXPECT_LT(r.largest_residual, 1e-4 * r.energy_scale);
  std::set<std::pair<std::string, std::string>> open;
  for (const EngineEvent& e : r.events) {
    if (e.kind == "contact_end") open.erase({e.subject, e.other});
    if (e.kind != "contact_begin" || e.subject == "box") continue;  // which has five shapes
    EXPECT_TRUE(open.insert({e.subject, e.other}).second) << e.time;
  }
}

TEST(Auto, KeepsErrorControlForAFewBodies) {
  const RunResult r = run_text(heap(6, "until: 0.3, tolerance: 1e-6"));
  EXPECT_EQ(r.statistics.integrator, "switching");
}

}  // namespace
}  // namespace carom
