// Many runs on threads: the bits of a loop, one Model where the values allow it. Built with
// -DCAROM_SANITIZE=thread this is the test that threads share nothing that one of them writes.
#include <gtest/gtest.h>

#include "carom/sweep/point_runner.h"
#include "carom/sweep/shared_model.h"
#include "carom/sweep/sweep.h"
#include "sweep/studies.h"

namespace carom::sweep {
namespace {

const char* const kBall = R"yaml(carom: 1
values: {k: 3}
gravity: [0, 0, -9.81]
signals: {gust: {formula: "k*sin(5*t)"}}
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [4, 4, 0.2]}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.3], velocity: [1, 0, 0]}
forces: {wind: {force: {body: ball, value: [gust, 0, 0]}}}
contact: {restitution: 0.6}
run: {until: 0.3, tolerance: 1e-6, output: {step: 0.02}}
)yaml";

std::shared_ptr<const Plan> plan_of(const char* scene, const std::string& vary, int points,
                                    const std::string& record) {
  Diagnostics findings;
  const auto study = read_study_text("carom_study: 1\nscene: none\nvary: {" + vary +
                                         "}\ndesign: {random: " + std::to_string(points) +
                                         ", seed: 3}\nrecord: {" + record + "}\n",
                                     "study", "", findings);
  auto document = load_document_text(scene, "scene", {}, findings);
  auto plan = study && document ? Plan::make(*study, *std::move(document), findings) : nullptr;
  for (const Diagnostic& d : findings.all()) ADD_FAILURE() << to_string(d);
  return plan;
}

void expect_bits_of_a_loop(const std::shared_ptr<const Plan>& plan) {
  SweepOptions options;
  options.threads = 8;
  const std::optional<Table> table = run_in_memory(plan, options);
  ASSERT_TRUE(table);
  PointRunner runner(plan);
  for (std::uint64_t i = 0; i < plan->design().size(); ++i) {
    RunOptions alone;
    Collector collector(plan->records());
    alone.recorder = &collector;
    const RunResult result = run(runner.model(i, false), alone);
    std::vector<double> none(plan->design().width());
    const std::vector<double> expected = collector.finish_columns(result, none);
    for (std::size_t c = 0; c < expected.size(); ++c) {
      EXPECT_EQ(table->find(plan->records().columns()[c].name)->numbers[i], expected[c]) << i;
    }
  }
}

TEST(ManyRuns, ShareOneModelWhereOnlyTheStartAndParametersVary) {
  const auto plan = plan_of(kBall,
                            "bodies.ball.velocity.0: {uniform: [-1, 1]}, values.k: {uniform: [0, "
                            "9]}, gravity.2: {uniform: [-12, -8]}",
                            48, "at: ball.position@end, steps: statistics.steps");
  ASSERT_TRUE(plan);
  ASSERT_TRUE(plan->shared_model());
  expect_bits_of_a_loop(plan);
}

TEST(ManyRuns, CompileWhereTheTreeOrALawVaries) {
  const auto plan = plan_of(kPendulum, "values.l: {uniform: [0.5, 2]}", 48, "q: pivot.q@end");
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->shared_model()) << "the length is part of the tree";
  expect_bits_of_a_loop(plan);
  const auto friction =
      plan_of(kBall, "contact.restitution: {uniform: [0.2, 0.9]}", 8, "at: ball.position@end");
  ASSERT_TRUE(friction);
  EXPECT_FALSE(friction->shared_model());
  expect_bits_of_a_loop(friction);
}

TEST(ManyRuns, CompileThePointsThatTheSharedModelDeclines) {
  const auto plan =
      plan_of(kBall, "bodies.ball.position.2: [0.3, 0.1, 0.4]", 12, "z: ball.position.z@end");
  ASSERT_TRUE(plan);
  ASSERT_TRUE(plan->shared_model());
  SweepOptions options;
  const std::optional<Table> table = run_in_memory(plan, options);
  ASSERT_TRUE(table);
  for (std::size_t i = 0; i < table->rows(); ++i) {
    const bool sunken = table->find("bodies.ball.position.2")->numbers[i] == 0.1;
    EXPECT_EQ(table->find("status")->texts[i], sunken ? "invalid" : "completed");
  }
}

}  // namespace
}  // namespace carom::sweep
