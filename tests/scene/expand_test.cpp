#include "carom/scene/expand/expand.h"

#include <gtest/gtest.h>

#include "carom/scene/starter.h"
#include "scene/everything.h"
#include "scene/scene_difference.h"
#include "scene/scene_helpers.h"
#include "support/project_folder.h"

namespace carom {
namespace {

void expect_round_trip(const Scene& scene, const ReadOptions& options = {}) {
  const std::string text = expand(scene);
  Diagnostics findings;
  const auto again = read_scene_text(text, "expanded.yaml", options, findings);
  ASSERT_TRUE(again) << all_findings(findings) << text;
  EXPECT_EQ(first_difference(scene, *again), "") << text;
  EXPECT_EQ(expand(*again), text);
}

TEST(Expand, ReadsBackAsTheSameSceneForEveryExample) {
  ASSERT_FALSE(example_files().empty());
  for (const std::string& file : example_files()) {
    SCOPED_TRACE(file);
    ReadOptions options;
    options.folder = testing::project_folder() / "examples";
    expect_round_trip(read_scene_file(file), options);
  }
}

TEST(Expand, ReadsBackAsTheSameSceneForEveryPartOfTheGrammar) {
  Diagnostics findings;
  const auto scene = read_scene_text(kEverything, "everything.yaml", {}, findings);
  ASSERT_TRUE(scene) << all_findings(findings);
  EXPECT_TRUE(findings.all().empty()) << all_findings(findings);
  expect_round_trip(*scene);
}

TEST(Expand, KeepsPointGravityEquilibriumAndCascades) {
  expect_round_trip(read_scene_text(
      "carom: 1\ngravity: {point: {center: [1, 2, 3], mu: 4e14}}\ninitial: equilibrium\n"
      "bodies: {a: {mass: 1, joint: {revolute: {}, drive: {cascade: 1, ratio: 50, inner_gain: 3, "
      "gain: 2, time_constant: 0.1}}}}\n"));
  expect_round_trip(read_scene_text(
      "carom: 1\ngravity: off\ninitial: {equilibrium: {keep: [a_joint]}}\n"
      "bodies: {a: {mass: 1, joint: {prismatic: {}, q: 1}}}\nrun: {max_step: .inf}\n"));
}

TEST(Expand, FillsInDefaults) {
  const std::string text = expand(read_scene_text("carom: 1\nbodies: {p: {mass: 1}}\n"));
  for (const char* part : {"gravity: [0, 0, -9.81]", "until: 1\n", "tolerance: 1e-08",
                           "integrator: \"auto\"", "max_step: .inf", "initial: as_given"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

TEST(Starter, IsAValidSceneWithoutWarnings) {
  EXPECT_EQ(findings_of(starter_scene()), "");
  expect_round_trip(read_scene_text(starter_scene()));
}

}  // namespace
}  // namespace carom
