// Pairs that strike at the same instant: symmetric scenes have symmetric answers, each pair one
// entry in the table of impacts, by both resolutions. Closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scene_runs.h"

namespace carom {
namespace {

using testing::model_of;

struct Struck {
  RunResult result;
  std::vector<EngineEvent> impacts;

  const EngineEvent* of(const std::string& a, const std::string& b) const {
    const auto is_it = [&](const EngineEvent& e) {
      return (e.subject == a && e.other == b) || (e.subject == b && e.other == a);
    };
    EXPECT_EQ(std::ranges::count_if(impacts, is_it), 1) << a << ", " << b;
    const auto found = std::ranges::find_if(impacts, is_it);
    return found == impacts.end() ? nullptr : &*found;
  }
  const BodyState& body(const std::string& name) const {
    return *std::ranges::find(result.bodies, name, &BodyState::name);
  }
};

class RigidSymmetry : public ::testing::TestWithParam<const char*> {
 protected:
  static Struck strike(const std::string& bodies, const std::string& contact, double until) {
    const std::string text =
        "carom: 1\nbodies:\n" + bodies + "contact: {method: rigid, " + contact +
        ", rigid: {impact: {resolution: " + GetParam() +
        "}}}\nrun: {integrator: erk8, tolerance: 1e-11, until: " + std::to_string(until) + "}\n";
    Struck struck{run(model_of(text)), {}};
    EXPECT_EQ(struck.result.status, RunStatus::completed) << struck.result.reason;
    for (const EngineEvent& e : struck.result.events) {
      if (e.kind == "impact") struck.impacts.push_back(e);
    }
    return struck;
  }
};

constexpr double kG = 9.81, kNear = 1e-11;

TEST_P(RigidSymmetry, ABoxThatFallsFlatOnTwoBlocksBouncesWithoutTurning) {
  const Struck s = strike(
      "  l: {fixed: true, shapes: [{box: {size: [0.1, 0.2, 0.1]}}], position: [-0.2, 0, 0.05]}\n"
      "  r: {fixed: true, shapes: [{box: {size: [0.1, 0.2, 0.1]}}], position: [0.2, 0, 0.05]}\n"
      "  box: {mass: 2, shapes: [{box: {size: [0.6, 0.1, 0.1]}}], position: [0, 0, 0.25]}\n",
      "restitution: 0.5, mu_k: 0.3", 0.2);
  const double t = std::sqrt(2 * 0.1 / kG), v = kG * t;
  ASSERT_EQ(s.impacts.size(), 2U);
  for (const char* block : {"l", "r"}) {
    const EngineEvent* e = s.of(block, "box");
    ASSERT_TRUE(e);
    EXPECT_NEAR(e->time, t, kNear);
    EXPECT_NEAR(e->value, v, kNear);
    EXPECT_NEAR(e->impulse, 0.5 * 2.0 * 1.5 * v, 10 * kNear);
    EXPECT_NEAR(e->energy_lost, 0.5 * (0.5 * 2.0 * v * v * 0.75), 10 * kNear);
  }
  const BodyState& box = s.body("box");
  EXPECT_NEAR(box.velocity.z, 0.5 * v - kG * (0.2 - t), kNear);
  EXPECT_NEAR(norm(box.angular_velocity), 0.0, kNear);
}

TEST_P(RigidSymmetry, TwoBallsThatHitTwoOthersDoNotKnowOfEachOther) {
  std::string bodies;
  for (const auto& [name, y] : {std::pair{"1", 0.2}, std::pair{"2", -0.2}}) {
    const std::string ball = ": {mass: 1, shapes: [{sphere: {radius: 0.05}}], position: [";
    bodies += "  a" + std::string(name) + ball + "-0.3, " + std::to_string(y) +
              ", 0], velocity: [1, 0, 0]}\n  b" + name + ball + "0, " + std::to_string(y) +
              ", 0]}\n";
  }
  const Struck s = strike(bodies, "restitution: 0.5, mu_k: 0.3", 0.201);
  ASSERT_EQ(s.impacts.size(), 2U);
  for (const char* k : {"1", "2"}) {
    const EngineEvent* e = s.of(std::string("a") + k, std::string("b") + k);
    ASSERT_TRUE(e);
    EXPECT_NEAR(e->time, 0.2, kNear);
    EXPECT_NEAR(e->points, 1.0, 0.0);
    EXPECT_NEAR(s.body(std::string("a") + k).velocity.x, 0.25, kNear);
    EXPECT_NEAR(s.body(std::string("b") + k).velocity.x, 0.75, kNear);
  }
}

TEST_P(RigidSymmetry, JawsThatCloseOnAPartLeaveItWhereItIs) {
  const Struck s = strike(
      "  l: {mass: 2, shapes: [{box: {size: [0.02, 0.1, 0.1]}}], joint: {prismatic: {axis: x}, "
      "name: jl, q: -0.2, v: 1}}\n"
      "  r: {mass: 2, shapes: [{box: {size: [0.02, 0.1, 0.1]}}], joint: {prismatic: {axis: x}, "
      "name: jr, q: 0.2, v: -1}}\n"
      "  part: {mass: 1, shapes: [{box: {size: [0.1, 0.06, 0.06]}}], joint: {prismatic: {axis: x}, "
      "name: jp}}\n",
      "restitution: 0.5, mu_k: 0.5", 0.141);
  ASSERT_EQ(s.impacts.size(), 2U);
  for (const auto& [jaw, sign] : {std::pair{"l", 1.0}, std::pair{"r", -1.0}}) {
    const EngineEvent* e = s.of(jaw, "part");
    ASSERT_TRUE(e);
    EXPECT_NEAR(e->time, 0.14, kNear);
    EXPECT_NEAR(e->impulse, 2.0 * 1.5, kNear);
    EXPECT_NEAR(s.body(jaw).velocity.x, -0.5 * sign, kNear);
  }
  EXPECT_NEAR(s.body("part").velocity.x, 0.0, kNear);
}

/// u_n of both after the impact is e times that before: P (1 + 2 c²) = m (1 + e) v c, c the cosine
/// of the angle between the way and the line of centres.
TEST_P(RigidSymmetry, ABallThatHitsTwoInTheMiddleComesBackAlongItsWay) {
  for (const double y : {0.05, 0.07}) {  // they touch each other, or not
    const std::string ball = "{mass: 1, shapes: [{sphere: {radius: 0.05}}], position: [";
    const Struck s = strike("  s: " + ball + "-0.3, 0, 0], velocity: [1, 0, 0]}\n  b1: " + ball +
                                "0, " + std::to_string(y) + ", 0]}\n  b2: " + ball + "0, " +
                                std::to_string(-y) + ", 0]}\n",
                            "restitution: 0.8, mu_k: 0", 0.24);
    const double c = std::sqrt(0.01 - y * y) / 0.1, P = 1.8 * c / (1.0 + 2.0 * c * c);
    ASSERT_EQ(s.impacts.size(), 2U);
    for (const char* b : {"b1", "b2"}) {
      const EngineEvent* e = s.of("s", b);
      ASSERT_TRUE(e);
      EXPECT_NEAR(e->time, 0.3 - 0.1 * c, kNear);
      EXPECT_NEAR(e->impulse, P, 1e-10);
      EXPECT_NEAR(s.body(b).velocity.x, P * c, 1e-10);
    }
    EXPECT_NEAR(s.body("s").velocity.x, 1.0 - 2.0 * P * c, 1e-10);
    EXPECT_NEAR(s.body("s").velocity.y, 0.0, 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Both, RigidSymmetry, ::testing::Values("simultaneous", "sequential"));

}  // namespace
}  // namespace carom
