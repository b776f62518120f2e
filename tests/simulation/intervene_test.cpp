// States, joints and bodies set from outside: contacts of what stays go on, loops close around
// what is set, the ledger does not take it for an error, and what cannot be is refused.
#include <functional>

#include "loop_scenes.h"
#include "scene_runs.h"

namespace carom {
namespace {

/// A block at rest by stiction on a slope, and another far from it.
const char* kSlope = R"yaml(
carom: 1
bodies:
  slope: {fixed: true, material: steel, shapes: [{box: {size: [2, 2, 0.1]}, at: [0, 0, -0.05]}], rotation: [0.15, 0, 0]}
  block: {material: steel, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0, -0.0075, 0.0494], rotation: [0.15, 0, 0]}
  other: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0.5, 0, 0.5]}
contact: {friction: lugre, restitution: 0.2}
run: {until: 4}
)yaml";

Vec3 vector(Simulation& s, const std::string& name) {
  const std::vector<double> v = s.value(name);
  return {v[0], v[1], v[2]};
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Intervention, PuttingBackWhatIsThereChangesNothing) {
  const auto model = testing::model_of(kSlope);
  Simulation put_back(model), never(model);
  put_back.advance(0.25);
  const Vec3 force = vector(put_back, "block.contact_force");
  const Ledger before = put_back.ledger();
  put_back.set_state(put_back.time(), put_back.state());
  EXPECT_EQ(vector(put_back, "block.contact_force"), force);
  EXPECT_EQ(put_back.ledger().model_work, before.model_work);
  EXPECT_EQ(put_back.ledger().residual, before.residual);
  put_back.advance(0.5);
  never.advance(0.5);
  EXPECT_LE(norm(vector(put_back, "block.position") - vector(never, "block.position")), 1e-9);
}

TEST(Intervention, WhatStaysKeepsItsContact) {
  Simulation s(testing::model_of(kSlope));
  s.advance(0.25);
  const Vec3 force = vector(s, "block.contact_force");
  // Friction holds the block on the slope: its state would be lost if the contact began anew.
  EXPECT_GT(force.z, 70.0);
  s.set_body("other", {.position = Vec3{-0.5, 0.2, 0.6}});
  EXPECT_EQ(vector(s, "block.contact_force"), force);
  EXPECT_EQ(vector(s, "other.position"), (Vec3{-0.5, 0.2, 0.6}));
}

TEST(Intervention, LiftingABodyEndsItsContactAndIsNoResidual) {
  Simulation s(testing::model_of(kSlope));
  std::vector<EngineEvent> events;
  s.advance(0.25);
  s.on_event([&](const EngineEvent& e) { events.push_back(e); });
  const double residual = s.ledger().residual;
  s.set_body("block", {.position = Vec3{0, 0, 0.5}, .velocity = Vec3{0, 0, 1}});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, "contact_end");
  EXPECT_NEAR(events[0].impulse, 7850 * 1e-3 * 9.81 * 0.25, 0.3);  // weight times time
  EXPECT_EQ(vector(s, "block.contact_force"), Vec3{});
  EXPECT_NEAR(s.ledger().residual, residual, 1e-12);
  // Thrown up by 1 m/s from rest at z = 0.5: a free fall.
  s.advance(0.35);
  EXPECT_NEAR(vector(s, "block.position").z, 0.5 + 0.1 - 0.5 * 9.81 * 0.01, 1e-9);
  EXPECT_NEAR(s.ledger().residual, residual, 1e-6);  // of 38 J, at a tolerance of 1e-8
}

TEST(Intervention, AJointOfALoopTakesTheOthersAlong) {
  const double a = 0.1, b = 0.3, c = 0.25, d = 0.3;
  for (const double crank : {-2.5, -0.4, 0.7, 1.5, 3.0, 5.5}) {
    Simulation s(testing::model_of(testing::kFourBar));
    s.advance(0.125);
    const double rocker_before = s.value("rocker_pivot.q")[0];
    s.set_joint("crank_pivot", {{crank}}, {{2.0}});
    const double coupler = s.value("crank_end.q")[0], rocker = s.value("rocker_pivot.q")[0];
    EXPECT_EQ(s.value("crank_pivot.q")[0], crank);
    EXPECT_LE(testing::four_bar_gap(a, b, c, d, crank, coupler, rocker), 1e-9);
    // The linkage stays in its branch: the rocker of this one never turns through.
    EXPECT_LT(std::abs(rocker - rocker_before), 1.0);
    // Velocities are those of the closed loop: by differences of neighbouring positions.
    const double h = 1e-5, rate = s.value("rocker_pivot.v")[0];
    double ends[2];
    for (int k = 0; k < 2; ++k) {
      s.set_joint("crank_pivot", {{crank + (k ? h : -h)}}, {});
      ends[k] = s.value("rocker_pivot.q")[0];
    }
    EXPECT_NEAR(rate, 2.0 * (ends[1] - ends[0]) / (2.0 * h), 1e-6);
    EXPECT_EQ(s.advance(0.25), AdvanceStatus::reached);
  }
}

// A parallelogram could as well be closed crosswise, where the rocker turns the other way.
TEST(Intervention, AParallelogramStaysOne) {
  for (const double crank : {0.2, 0.6, 1.9, 2.5, 2.9}) {
    Simulation s(testing::model_of(R"yaml(
carom: 1
gravity: off
bodies:
  crank: {mass: 0.3, com: [0.1, 0, 0], inertia: [1e-4, 1e-3, 1e-3], joint: {revolute: {}, name: crank_pivot, q: 1}}
  coupler: {mass: 0.2, com: [0.15, 0, 0], inertia: [1e-4, 1e-3, 1e-3], joint: {revolute: {parent: crank, at: [0.2, 0, 0]}, name: crank_end, q: -1}}
  rocker: {mass: 0.2, com: [0.1, 0, 0], inertia: [1e-4, 1e-3, 1e-3], joint: {revolute: {at: [0.3, 0, 0]}, name: rocker_pivot, q: 1}}
joints: {coupler_end: {revolute: {parent: coupler, at: [0.3, 0, 0], child: rocker, child_at: [0.2, 0, 0]}, loop: true}}
run: {until: 1, tolerance: 1e-8}
)yaml"));
    s.set_joint("crank_pivot", {{crank}}, {});
    EXPECT_NEAR(s.value("rocker_pivot.q")[0], crank, 1e-9);
    EXPECT_NEAR(s.value("crank_end.q")[0], -crank, 1e-9);
  }
}

TEST(Intervention, WhatALoopCannotReachIsRefusedAndChangesNothing) {
  Simulation s(testing::model_of(testing::kFourBar));
  s.advance(0.125);
  const std::string before = to_bytes(s.save());
  // The rocker swings by less than a right angle.
  const std::string text = refusal([&] { s.set_joint("rocker_pivot", {{-1.5}}, {}); });
  EXPECT_NE(text.find("loops cannot be closed"), std::string::npos) << text;
  EXPECT_TRUE(to_bytes(s.save()) == before);
}

const char* kMixed = R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.5]}
  driven: {mass: 1, inertia: [1, 1, 1], joint: {revolute: {at: [3, 0, 2]}, name: shaft, motion: "=t"}}
  sledge: {mass: 1, inertia: [1, 1, 1], joint: {prismatic: {at: [6, 0, 2], axis: x}, name: rail}}
  wheel: {mass: 1, inertia: [1, 1, 1], joint: {revolute: {at: [9, 0, 2]}, name: axle}}
couplings: {rack: {rack: {joints: [rail, axle], radius: 0.2}}}
run: {until: 1}
)yaml";

TEST(Intervention, CoupledJointsFollow) {
  Simulation s(testing::model_of(kMixed));
  s.set_joint("axle", {{1.5}}, {{4.0}});
  EXPECT_NEAR(s.value("rail.q")[0], 0.3, 1e-12);
  EXPECT_NEAR(s.value("rail.v")[0], 0.8, 1e-12);
  s.set_body("sledge", {.position = Vec3{6.5, 0, 2}});
  EXPECT_NEAR(s.value("axle.q")[0], 2.5, 1e-12);
}

TEST(Intervention, IsRefusedWithAReason) {
  Simulation s(testing::model_of(kMixed));
  const std::string before = to_bytes(s.save());
  const double nan = std::nan("");
  std::vector<double> x(s.state().begin(), s.state().end());
  x[2] = nan;
  const std::pair<std::string, std::function<void()>> cases[] = {
      {"finite", [&] { s.set_state(0.0, x); }},
      {"finite", [&] { s.set_state(nan, s.state()); }},
      {"numbers", [&] { s.set_state(0.0, std::vector<double>(3)); }},
      {"finite", [&] { s.set_joint("axle", {{nan}}, {}); }},
      {"finite", [&] { s.set_joint("axle", {}, {{kInf}}); }},
      {"1 coordinates",
       [&] {
         s.set_joint("axle", {{1.0, 2.0}}, {});
       }},
      {"'axle'", [&] { s.set_joint("axel", {{1.0}}, {}); }},
      {"prescribed", [&] { s.set_joint("shaft", {{1.0}}, {}); }},
      {"prescribed", [&] { s.set_body("driven", {.velocity = Vec3{}}); }},
      {"fixed", [&] { s.set_body("floor", {.position = Vec3{}}); }},
      {"'ball'", [&] { s.set_body("bal", {.position = Vec3{}}); }},
      {"finite",
       [&] {
         s.set_body("ball", {.position = Vec3{0, nan, 0}});
       }},
      {"zero",
       [&] {
         s.set_body("ball", {.orientation = Quat{0, 0, 0, 0}});
       }},
      {"cannot bring it",
       [&] {
         s.set_body("sledge", {.position = Vec3{6, 1, 2}});
       }},
      {"does not allow",
       [&] {
         s.set_body("sledge", {.velocity = Vec3{0, 1, 0}});
       }},
      {"not a number", [&] { s.set_parameter("gravity.2", nan); }},
  };
  for (const auto& [reason, call] : cases) {
    const std::string text = refusal(call);
    EXPECT_NE(text.find(reason), std::string::npos) << text;
  }
  EXPECT_TRUE(to_bytes(s.save()) == before);
}

TEST(Intervention, DeepOverlapIsNoBurstOfEnergyButAFailureThatCanBeMended) {
  Simulation s(testing::model_of(kMixed));
  s.advance(0.125);
  s.set_body("ball", {.position = Vec3{0, 0, 0.01}});
  EXPECT_EQ(s.advance(0.25), AdvanceStatus::failed);
  EXPECT_NE(s.failure().find("'floor' and 'ball' overlap"), std::string::npos) << s.failure();
  EXPECT_EQ(s.time(), 0.125);
  EXPECT_EQ(s.advance(0.25), AdvanceStatus::failed);
  const double residual = s.ledger().residual;
  s.set_body("ball", {.position = Vec3{0, 0, 0.3}});
  EXPECT_EQ(s.advance(0.25), AdvanceStatus::reached);
  EXPECT_NEAR(s.ledger().residual, residual, 1e-7);
}

TEST(Intervention, ReadsSeveralChannelsInOneList) {
  Simulation s(testing::model_of(kMixed));
  s.advance(0.125);
  const std::vector<std::string> names{"ball.position", "shaft.q", "ball.velocity.z"};
  const std::vector<double> values = s.read(names);
  ASSERT_EQ(values.size(), 5u);
  EXPECT_EQ(values[2], s.value("ball.position.z")[0]);
  EXPECT_EQ(values[3], s.value("shaft.q")[0]);
  EXPECT_EQ(values[4], s.value("ball.velocity")[2]);
  EXPECT_NE(refusal([&] { s.read({{"ball.positon"}}); }).find("ball.position"), std::string::npos);
}

TEST(Intervention, LinearizesWhereItIs) {
  // A pendulum at the angle q: the gradient of its torque is m g l cos(q).
  Simulation s(testing::model_of(R"yaml(
carom: 1
bodies: {rod: {mass: 2, com: [0, 0, -0.7], inertia: [0.05, 0.05, 0.05], joint: {revolute: {axis: y}, name: pivot, q: 0.3}}}
run: {until: 1}
)yaml"));
  for (const double angle : {0.0, 0.8, 2.0, 3.1}) {
    s.set_joint("pivot", {{angle}}, {{0.0}});
    const Linearization l = s.linearize({});
    EXPECT_NEAR(l.A[2], -2 * 9.81 * 0.7 * std::cos(angle) / (0.05 + 2 * 0.49), 1e-7) << angle;
    EXPECT_EQ(s.value("pivot.q")[0], angle);
  }
}

}  // namespace
}  // namespace carom
