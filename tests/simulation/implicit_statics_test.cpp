// Implicit contact steps of a millisecond where everything comes to rest: as error control has it.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "contact_runs.h"

namespace carom {
namespace {

using namespace testing;

const std::string kErrorControl = "run.integrator=auto",
                  kImplicit = "run.integrator=implicit_contact";

/// The speed over v_small at which regularised friction is this share of the full one.
double creep_at(double share) {
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double x = 0.5 * (low + high);
    (x / (x * x * (1.0 - x / 3.0) + 1.0 / 3.0) < share ? low : high) = x;
  }
  return low;
}

/// Pulled by 0.82 of what friction bears, a block creeps as the regularised law says.
TEST(ImplicitStatics, BlockCreepsAtTheSpeedOfTheLaw) {
  const std::string text = R"(
carom: 1
name: creep
gravity: [4, 0, -9.81]
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  block: {material: steel, shapes: [{box: {size: [0.1, 0.1, 0.05]}}], position: [0, 0, 0.025]}
contact: {friction: coulomb, mu_k: 0.5, v_small: 0.01, resistance: none, k_red: 1e-3}
run: {until: 0.5, integrator: implicit_contact}
)";
  const double speed = 0.01 * creep_at(4.0 / (0.5 * 9.81));
  for (const char* step : {"run.step=1e-3", "run.step=5e-3"}) {
    EXPECT_NEAR(body(run_text(text, {step}), "block").velocity.x, speed, 1e-6 * speed) << step;
  }
}

/// So does a ball that is all but held by what resists its rolling.
TEST(ImplicitStatics, BallRollsAtTheSpeedOfTheLaw) {
  const std::string text = R"(
carom: 1
name: roll
gravity: [0.1, 0, -9.81]
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.05]}
contact: {friction: coulomb, mu_k: 0.5, resistance: {coulomb: {rolling: 6e-4, w_small: 0.1}},
          w_small: 0.1}
run: {until: 0.5, integrator: implicit_contact, step: 1e-3}
)";
  const double speed = 0.1 * creep_at(0.1 * 0.05 / (9.81 * 6e-4));
  // The arm is the radius less the depth, 4e-5 of it.
  EXPECT_NEAR(body(run_text(text, {}), "ball").angular_velocity.y, speed, 1e-3 * speed);
}

/// A cube between two plates that are pushed together: its weight is a fifth of what friction
/// bears.
TEST(ImplicitStatics, GrippedCubeHangsAsUnderErrorControl) {
  const std::string text = R"(
carom: 1
name: gripped
bodies:
  cube: {mass: 1, inertia: [1.7e-3, 1.7e-3, 1.7e-3], material: steel, shapes: [{box: {size: 0.1}}]}
  left: {mass: 1, material: steel, shapes: [{box: {size: [0.02, 0.2, 0.2]}}],
         joint: {prismatic: {axis: x, at: [-0.06, 0, 0]}, drive: {force: 50}}}
  right: {mass: 1, material: steel, shapes: [{box: {size: [0.02, 0.2, 0.2]}}],
          joint: {prismatic: {axis: x, at: [0.06, 0, 0]}, drive: {force: -50}}}
contact: {law: exact, restitution: 0.3, friction: lugre, mu_k: 0.5, resistance: none, k_red: 1e-3}
run: {until: 5, tolerance: 1e-8}
)";
  const RunResult exact = run_text(text, {kErrorControl});
  const RunResult stepped = run_text(text, {kImplicit, "run.step=1e-3"});
  EXPECT_LT(norm(body(stepped, "cube").position - body(exact, "cube").position), 1e-6);
  EXPECT_LT(body(exact, "cube").position.z,
            -1e-6);  // bristles have bent: there is something to see
}

/// Ten cubes, each 15 mm farther out than the one below: three quarters of what topples them.
TEST(ImplicitStatics, LeaningStackStandsAsUnderErrorControl) {
  std::string text =
      "carom: 1\nname: leaning\nbodies:\n"
      "  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n";
  for (int i = 0; i < 10; ++i) {
    text += "  c" + std::to_string(i) +
            ": {mass: 10, material: steel, shapes: [{box: {size: 0.2}}], " + "position: [" +
            std::to_string(0.015 * i) + ", 0, " + std::to_string(0.1 + 0.2 * i) + "]}\n";
  }
  text +=
      "contact: {law: exact, restitution: 0.3, friction: lugre, mu_k: 0.5, resistance: none}\n"
      "run: {until: 4, tolerance: 1e-6}\n";
  const RunResult exact = run_text(text, {kErrorControl});
  const RunResult stepped = run_text(text, {kImplicit, "run.step=1e-3"});
  for (int i = 0; i < 10; ++i) {
    const std::string name = "c" + std::to_string(i);
    // Friction acts once per face and not at each of its points: the top leans by a micrometre
    // more.
    EXPECT_LT(norm(body(stepped, name).position - body(exact, name).position), 1.1e-6) << name;
  }
  EXPECT_EQ(stepped.statistics.counts.unconverged_steps, 0);
  EXPECT_EQ(stepped.statistics.counts.bank_actions, 0);
}

/// Bodies that are thrown together by a cord which no step of 10 ms resolves: it may swallow what
/// is stored there, and must not add to it.
TEST(ImplicitStatics, CordThatIsTooStiffForTheStepGainsNothing) {
  const auto model = model_of(R"(
carom: 1
name: cord
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  a: {material: rubber, shapes: [{box: {size: [0.05, 0.08, 0.02]}}], position: [-0.15, 0.25, 0.3],
      velocity: [0, 4, 1]}
  b: {material: steel, shapes: [{sphere: {radius: 0.03}}], position: [0.05, 0.25, 0.1],
      velocity: [0, -4, 0]}
  c: {material: steel, shapes: [{box: {size: 0.06}}], position: [-0.05, 0.25, 0.031]}
forces:
  cord: {spring: {from: a, to: b, length: 0.1, stiffness: 2e5, damping: 0.02}}
run: {until: 0.6, integrator: implicit_contact, step: 0.01}
)");
  Simulation simulation(model);
  double last = simulation.ledger().stored();
  const double start = last;
  for (int k = 1; k <= 60; ++k) {
    ASSERT_EQ(simulation.advance(0.01 * k), AdvanceStatus::reached) << simulation.failure();
    const double now = simulation.ledger().stored();
    EXPECT_LE(now, last + 1e-9 * start) << k;
    last = now;
  }
}

}  // namespace
}  // namespace carom
