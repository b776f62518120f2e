// Rigid bodies that meet where a run ends, and where none may meet.
#include <algorithm>
#include <cmath>

#include "carom/scene/expand/expand.h"
#include "carom/simulation/simulation.h"
#include "rigid_scenes.h"

namespace carom {
namespace {

using testing::body;
using testing::model_of;
using testing::scene_of;
using testing::text_of;
using testing::Thrown;
using testing::times_of;

/// A ball of radius 1/4 that falls from `height` above the plane.
Thrown falling_ball(double height, double until) {
  Thrown ball;
  ball.shape = "sphere: {radius: 0.25}", ball.inertia = {0.025, 0.025, 0.025};
  ball.position = {0, 0, 0.25 + height}, ball.mu = 0.0, ball.until = until;
  ball.gravity = {0, 0, -2};
  return ball;
}

/// In the state of one free body: after a quaternion, x and y.
constexpr std::size_t kHeight = 6;
const std::vector<std::string> kOff{"contact.rigid.impact=off"};

// Whether the impact at T = sqrt(h) is part of the run to T or of what follows, also from a saved
// state, it happens once, and nothing is lost: after T/4 more the ball that left with the speed T
// is T²/4 - T²/16 above the plane.
TEST(RigidApproach, AtTheEndOfARunIsMetOnce) {
  for (const double height : {1.0, 0.3, 0.7, 2.1}) {
    const auto model = model_of(scene_of(falling_ball(height, 4.0)));
    const double T = std::sqrt(height);
    for (int k = -6; k <= 6; ++k) {
      Simulation first(model), second(model);
      std::vector<double> impacts, later;
      first.on_event([&](const EngineEvent& e) {
        if (e.kind == "impact") impacts.push_back(e.time);
      });
      second.on_event([&](const EngineEvent& e) {
        if (e.kind == "impact") later.push_back(e.time);
      });
      ASSERT_EQ(first.advance(T + k * 0x1p-52), AdvanceStatus::reached);
      EXPECT_NEAR(first.state()[kHeight], 0.25, 1e-14) << k;
      later = impacts;
      second.restore(run_state_from_bytes(to_bytes(first.save())));
      ASSERT_EQ(first.advance(1.25 * T), AdvanceStatus::reached) << k;
      ASSERT_EQ(second.advance(1.25 * T), AdvanceStatus::reached) << k;
      ASSERT_EQ(impacts.size(), 1u) << height << " " << k;
      EXPECT_EQ(later, impacts) << height << " " << k;
      EXPECT_NEAR(impacts[0], T, 1e-14);
      EXPECT_NEAR(first.state()[kHeight], 0.25 + 0.1875 * height, 1e-13) << height << " " << k;
      EXPECT_TRUE(std::ranges::equal(first.state(), second.state())) << height << " " << k;
    }
  }
}

// Where impacts are off the run ends before the first, and tells which it would have been.
TEST(RigidApproach, EndsTheRunWhereImpactsAreOff) {
  const RunResult result = run(model_of(scene_of(falling_ball(1.0, 2.0)), kOff));
  EXPECT_EQ(result.status, RunStatus::failed);
  EXPECT_NEAR(result.time, 1.0, 1e-14);
  for (const char* part : {"impact at t = ", "'floor'", "'body'", "at 2 m/s", "impact is off"}) {
    EXPECT_NE(result.reason.find(part), std::string::npos) << part << ": " << result.reason;
  }
  EXPECT_TRUE(times_of(result, "impact").empty());
  EXPECT_NEAR(body(result, "body").velocity.z, -2.0, 1e-13);
  EXPECT_NEAR(body(result, "body").position.z, 0.25, 1e-14);
}

// It does not fall on through the plane when it is asked to go on.
TEST(RigidApproach, EndsTheRunAgainWhenItIsToGoOn) {
  Simulation simulation(model_of(scene_of(falling_ball(1.0, 2.0)), kOff));
  ASSERT_EQ(simulation.advance(1.5), AdvanceStatus::failed);
  EXPECT_EQ(simulation.advance(1.5), AdvanceStatus::failed);
  EXPECT_NEAR(simulation.time(), 1.0, 1e-12);
}

// What touches and approaches from the start on is met too.
TEST(RigidApproach, FromTheStartEndsTheRunWhereImpactsAreOff) {
  Thrown ball = falling_ball(0.0, 1.0);
  ball.velocity = {0, 0, -1};
  const RunResult result = run(model_of(scene_of(ball), kOff));
  EXPECT_EQ(result.status, RunStatus::failed);
  EXPECT_LT(result.time, 1e-12);
  EXPECT_NE(result.reason.find("approach each other at 1 m/s"), std::string::npos) << result.reason;
}

// An event of the scene at the same instant does not hide it.
TEST(RigidApproach, AtAnInstantOfTheSceneEndsTheRunWhereImpactsAreOff) {
  const std::string text = scene_of(falling_ball(1.0, 2.0)) +
                           "signals: {push: {step: {start: 1, after: 0.5}}}\n"
                           "forces: {side: {force: {body: body, value: [push, 0, 0]}}}\n";
  const RunResult result = run(model_of(text, kOff));
  EXPECT_EQ(result.status, RunStatus::failed);
  EXPECT_NEAR(result.time, 1.0, 1e-14);
}

// What slides, stops and stays approaches nothing: the stop is at v²/(2 mu g).
TEST(RigidApproach, IsNotSeenInABoxThatSlides) {
  Thrown box = testing::box_of({0.4, 0.4, 0.2});
  box.position = {0, 0, 0.1}, box.velocity = {1, 0, 0}, box.until = 2.0;
  const RunResult result = testing::run_text(scene_of(box), kOff);
  EXPECT_NEAR(body(result, "body").position.x, 0.5 / (0.3 * 9.81), 1e-11);
}

TEST(RigidApproach, OffIsWrittenOutAndRefusedInTimeSteps) {
  ReadOptions options;
  options.overrides = kOff;
  const std::string text = scene_of(falling_ball(1.0, 2.0));
  const std::string full = expand(read_scene_text(text, "test", options));
  EXPECT_NE(full.find("impact: off"), std::string::npos);
  EXPECT_EQ(expand(read_scene_text(full, "full", {})), full);
  try {
    model_of(text, {kOff[0], "run.integrator=time_stepping", "run.step=0.01"});
    FAIL() << "nothing is found";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("do not tell an impact"), std::string::npos);
  }
}

// A run begins with the velocities that the scene gives, and its first impact is told like others.
TEST(RigidStart, WithAnImpactTellsIt) {
  Thrown ball = falling_ball(0.0, 0.1);
  ball.velocity = {0, 0, -1}, ball.gravity = {0, 0, -9.81};
  Thrown box = testing::box_of({0.4, 0.4, 0.2});
  box.position = {0, 0, 0.1}, box.velocity = {0, 0, -1}, box.until = 0.1;
  for (const Thrown& t : {ball, box}) {
    const RunResult result = testing::run_text(scene_of(t));
    ASSERT_FALSE(result.events.empty()) << t.shape;
    const EngineEvent& first = result.events.front();
    EXPECT_EQ(first.kind, "impact");
    EXPECT_LT(first.time, 1e-14);
    EXPECT_NEAR(first.value, 1.0, 1e-13);
    EXPECT_NEAR(first.impulse, 1.5, 1e-12);
    EXPECT_NEAR(body(result, "body").velocity.z, 0.5 - 9.81 * 0.1, 1e-12);
    EXPECT_NEAR(result.energy.dissipated_normal, 0.375, 1e-12);
  }
}

}  // namespace
}  // namespace carom
