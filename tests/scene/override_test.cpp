#include "carom/scene/overrides.h"

#include <gtest/gtest.h>

#include "scene/scene_helpers.h"

namespace carom {
namespace {

constexpr const char* kScene = R"yaml(carom: 1
values: {r: 0.05, d: "=2*r"}
bodies:
  ball: {mass: 1, shapes: [{sphere: {radius: $r}}, {box: {size: [1, 2, 3]}}]}
  arm: {mass: 1, joint: {revolute: {parent: world}, name: pivot}}
  leg: {mass: 1, joint: {revolute: {parent: arm}}}
joints:
  slide: {prismatic: {parent: leg, child: foot}, damping: 2}
forces:
  s: {spring: {to: ball, stiffness: 10}}
)yaml";

std::string scene_text() { return std::string(kScene) + "run: {until: 2}\n"; }

std::optional<Scene> read_with(std::vector<std::string> overrides, std::string* findings) {
  ReadOptions options;
  options.overrides = std::move(overrides);
  Diagnostics out;
  std::string text = scene_text();
  text.replace(text.find("joints:"), 0, "  foot: {mass: 1}\n");
  auto scene = read_scene_text(text, "test.yaml", options, out);
  *findings = all_findings(out);
  return scene;
}

TEST(Override, ChangesWhatTheFileStates) {
  std::string findings;
  const auto scene =
      read_with({"values.r=0.1", "run.until=7", "joints.slide.damping=3",
                 "bodies.ball.shapes.1.box.size=[4, 5, 6]", "bodies.ball.shapes.1.box.size.2=9",
                 "forces.s.spring.stiffness==5*r"},
                &findings);
  ASSERT_TRUE(scene) << findings;
  EXPECT_EQ(scene->run.until, 7.0);
  EXPECT_EQ(scene->bodies[0].shapes[0].shape.params[0], 0.1);
  EXPECT_EQ(scene->bodies[0].shapes[1].shape.params, (std::vector<double>{4, 5, 9}));
  EXPECT_EQ(scene->forces[0].params[0], 0.5);
  EXPECT_EQ(scene->values[1].second, 0.2);
}

TEST(Override, AddsWhatTheTablesKnow) {
  std::string findings;
  const auto scene =
      read_with({"bodies.ball.velocity=[1, 0, 0]", "run.output.step=0.5", "gravity.point.mu=3",
                 "forces.push={force: {body: ball, value: [1, 0, 0]}}"},
                &findings);
  ASSERT_TRUE(scene) << findings;
  EXPECT_EQ(scene->bodies[0].velocity, (Vec3{1, 0, 0}));
  EXPECT_EQ(scene->run.output.step, 0.5);
  EXPECT_EQ(scene->gravity.mu, 3.0);
  EXPECT_EQ(scene->forces.size(), 2u);
}

TEST(Override, ReachesJointsThatAreWrittenInBodies) {
  std::string findings;
  const auto scene = read_with({"joints.pivot.damping=0.7", "joints.leg_joint.q=0.2"}, &findings);
  ASSERT_TRUE(scene) << findings;
  EXPECT_EQ(scene->joints[0].name, "pivot");
  EXPECT_EQ(scene->joints[0].dofs.at(0).damping, 0.7);
  EXPECT_EQ(scene->joints[1].q, std::vector<double>{0.2});
}

TEST(Override, ReportsItsOwnPlaceAndWhatWasMeant) {
  std::string findings;
  EXPECT_FALSE(read_with({"run.until=1", "bodies.bal.mass=2"}, &findings));
  EXPECT_EQ(findings,
            "--set:2:8: error: 'bal' is not known in bodies\n"
            "  remedy: did you mean 'ball'?\n");
  read_with({"bodies.ball.velocty=[1, 0, 0]"}, &findings);
  EXPECT_NE(findings.find("--set:1:13: error: 'velocty'"), std::string::npos) << findings;
  EXPECT_NE(findings.find("did you mean 'velocity'?"), std::string::npos);
  read_with({"joints.pivto.damping=1"}, &findings);
  EXPECT_NE(findings.find("did you mean 'pivot'?"), std::string::npos) << findings;
  read_with({"bodies.ball.mass=-3"}, &findings);
  EXPECT_NE(findings.find("--set:1:18: error: bodies.ball.mass is -3"), std::string::npos)
      << findings;
  read_with({"values.q=1"}, &findings);
  EXPECT_NE(findings.find("'q' is not known in values"), std::string::npos) << findings;
}

TEST(Override, RefusesWhatIsNoPathOrNoValue) {
  for (const char* text :
       {"", "=3", "run.until", "run.until.x=3", "bodies.ball.shapes.7.at=[1,2,3]",
        "bodies.ball.shapes.x=1", "run.until=[1", "run.=3", ".=3", "a..b=3"}) {
    std::string findings;
    EXPECT_FALSE(read_with({text}, &findings)) << text;
    EXPECT_EQ(findings.rfind("--set:1:", 0), 0u) << text << ": " << findings;
  }
}

}  // namespace
}  // namespace carom
