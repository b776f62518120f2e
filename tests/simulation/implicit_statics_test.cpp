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
