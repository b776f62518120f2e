// Joints, drives, stops, friction, loops, springs and prescribed motions in time steps with rigid
// contact: closed forms, error control as the referee, and energy that never rises.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/simulation/simulation.h"
#include "contact_runs.h"

namespace carom {
namespace {

using namespace testing;

std::string in_time_steps(const std::string& bodies, const std::string& contact, double until,
                          double step, const std::string& more = "") {
  char text[160];
  std::snprintf(text, sizeof text, "run: {until: %.17g, integrator: time_stepping, step: %.17g}\n",
                until, step);
  return "carom: 1\nname: stepped\n" + more + "bodies:\n" + bodies + "contact: {method: rigid, " +
         contact + "}\n" + text;
}

const std::string kNoGravity = "gravity: [0, 0, 0]\n";

TEST(SteppedJoints, AHingedRodIsStruckAsTheClosedFormSays) {
  // Angular momentum about the hinge: w = (1 + e) m v d / (I + m d²), at the centre of percussion
  // (2/3 of the length) and beside it.
  for (const double d : {2.0 / 3.0, 0.4}) {
    const double e = 0.6, inertia = 3.0 / 3.0, m = 0.5, v = 2.0;
    const std::string bodies =
        "  rod: {mass: 3, com: [0.5, 0, 0], inertia: [0.01, 0.25, 0.25], joint: {revolute: {axis: "
        "y}, name: hinge}, shapes: [{box: {size: [1, 0.02, 0.02]}, at: [0.5, 0, 0]}]}\n"
        "  ball: {mass: 0.5, shapes: [{sphere: {radius: 0.05}}], position: [" +
        std::to_string(d) + ", 0, 0.1], velocity: [0, 0, -2]}\n";
    const RunResult r =
        run_text(in_time_steps(bodies, "mu_k: 0, restitution: 0.6", 0.025, 1e-3, kNoGravity));
    const double place = std::stod(std::to_string(d));
    const double w = (1 + e) * m * v * place / (inertia + m * place * place);
    EXPECT_NEAR(joint(r, "hinge").v[0], w, 1e-9) << d;
    EXPECT_NEAR(body(r, "ball").velocity.z, -v + w * inertia / (m * place), 1e-9) << d;
    ASSERT_EQ(events_of(r, "impact").size(), 1u);
  }
}

TEST(SteppedJoints, AChainAtRestIsStruckAsItsMassMatrixSays) {
  // Two rods of 1 m and 3 kg in a line, hinged at the start of the first and between them, struck
  // with e = 0 at the far end by a ball: M dw = J p, p such that end and ball move together.
  const std::string rod =
      "{mass: 3, com: [0.5, 0, 0], inertia: [0.01, 0.25, 0.25], shapes: [{box: {size: [0.9, 0.02, "
      "0.02]}, at: [0.5, 0, 0]}]";
  const std::string bodies = "  first: " + rod +
                             ", joint: {revolute: {axis: y}, name: one}}\n  second: " + rod +
                             ", joint: {revolute: {parent: first, at: [1, 0, 0], axis: y}, name: "
                             "two}}\n  ball: {mass: 0.5, shapes: [{sphere: {radius: 0.05}}], "
                             "position: [1.9, 0, 0.1], velocity: [0, 0, -2]}\n";
  const RunResult r =
      run_text(in_time_steps(bodies, "mu_k: 0, restitution: 0", 0.025, 1e-3, kNoGravity));
  // Rates a of the first and b of the second rod, absolute: kinetic energy
  // 1/2 (1 + 3) a² + 1/2 a b (3) + 1/2 b² (1); the end moves by a + 0.9 b.
  const double m11 = 4.0, m12 = 1.5, m22 = 1.0, det = m11 * m22 - m12 * m12;
  const double x = (m22 * 1.0 - m12 * 0.9) / det, y = (m11 * 0.9 - m12 * 1.0) / det;
  const double give = x + 0.9 * y, p = 2.0 / (1.0 / 0.5 + give);
  EXPECT_NEAR(joint(r, "one").v[0], p * x, 2e-3);  // the rods turn on for some steps
  EXPECT_NEAR(joint(r, "one").v[0] + joint(r, "two").v[0], p * y, 2e-2);
  const std::vector<EngineEvent> impacts = events_of(r, "impact");
  ASSERT_GE(impacts.size(), 1u);
  EXPECT_NEAR(impacts[0].impulse, p, 1e-9);
}

const std::string kPress =
    "  floor: {fixed: true, shapes: [{half_space: {}}]}\n"
    "  arm: {mass: 1, inertia: [0.01, 0.02, 0.02], com: [0.2, 0, 0], joint: {revolute: {axis: y, "
    "at: [0, 0, 0.1]}, name: hinge, drive: {position: 0.3, stiffness: 200, damping: 20}}}\n"
    "  tip: {mass: 0.5, shapes: [{sphere: {radius: 0.05}}], joint: {prismatic: {parent: arm, at: "
    "[0.4, 0, 0], axis: x}, name: slide, spring: {stiffness: 1e3}, damping: 20}}\n";

TEST(SteppedJoints, AnArmPressesOnTheFloorAsUnderErrorControl) {
  const std::string text = in_time_steps(kPress, "mu_k: 0.3, restitution: 0.3", 3, 2e-3);
  const RunResult r = run_text(text);
  const RunResult exact = run_text(text, {"run.integrator=auto", "run.step=0"});
  for (const char* name : {"hinge", "slide"}) {
    EXPECT_NEAR(joint(r, name).q[0], joint(exact, name).q[0], 1e-3) << name;
    EXPECT_NEAR(joint(r, name).v[0], 0.0, 1e-6) << name;
  }
  // The tip stands on the floor where its sphere says.
  EXPECT_NEAR(body(r, "tip").position.z, 0.05, 1e-6);
  EXPECT_EQ(r.statistics.counts.unconverged_steps, 0);
  EXPECT_LT(std::abs(r.energy.residual), 1e-11 * r.energy_scale);
}

/// Largest rise of energy less work from outside from step to step, of what was turned over.
double rise_of(const std::string& text, double until, double step) {
  Simulation simulation(model_of(text));
  double last = 0.0, rise = 0.0, turned = 1e-300;
  for (long k = 0; k <= std::lround(until / step); ++k) {
    EXPECT_EQ(simulation.advance(static_cast<double>(k) * step), AdvanceStatus::reached)
        << simulation.failure();
    const Ledger l = simulation.ledger();
    const double kept = l.stored() - l.drive_work - l.model_work;
    if (k > 0) rise = std::max(rise, kept - last);
    last = kept;
    turned = std::max(turned, l.kinetic + std::abs(l.drive_work) + l.elastic);
    EXPECT_LE(std::abs(l.residual), 1e-11 * (turned + std::abs(l.potential)));
  }
  return rise / turned;
}

const std::string kFourBar =
    "  floor: {fixed: true, shapes: [{half_space: {}, at: [0, -0.3, 0], rotation: "
    "[-1.5707963267948966, 0, 0]}]}\n"
    "  crank: {mass: 0.2, inertia: [2e-4, 2e-4, 3e-4], com: [0.05, 0, 0], markers: {end: [0.1, 0, "
    "0]}, joint: {revolute: {}, name: pivot, q: 1}}\n"
    "  coupler: {mass: 0.5, inertia: [2e-3, 2e-3, 4e-3], com: [0.15, 0, 0], markers: {end: [0.3, "
    "0, 0]}, shapes: [{sphere: {radius: 0.03}, at: [0.15, 0, 0]}], joint: {revolute: {parent: "
    "crank.end}, name: mid, q: -0.414}}\n"
    "  rocker: {mass: 0.4, inertia: [2e-3, 2e-3, 3e-3], com: [0.125, 0, 0], markers: {end: [0.25, "
    "0, 0]}, joint: {revolute: {at: [0.3, 0, 0]}, name: far, q: 1.555}}\n"
    "  ball: {mass: 0.3, shapes: [{sphere: {radius: 0.03}}], position: [0.2, 0.45, 0], velocity: "
    "[0, -3, 0]}\n";
const std::string kClosing =
    "gravity: [0, -9.81, 0]\njoints:\n  closing: {revolute: {parent: coupler.end, child: "
    "rocker.end}, loop: true}\ninitial: {assemble: {keep: [pivot]}}\n";

TEST(SteppedJoints, EnergyLessWorkNeverRises) {
  for (const double step : {1e-3, 1e-2}) {
    EXPECT_LE(rise_of(in_time_steps(kPress, "mu_k: 0.3, restitution: 0.3", 1, step), 1, step),
              1e-12);
    EXPECT_LE(
        rise_of(in_time_steps(kFourBar, "mu_k: 0.4, restitution: 0.5", 1, step, kClosing), 1, step),
        1e-12)
        << step;
  }
}

TEST(SteppedJoints, AFourBarIsStruckAsUnderErrorControl) {
  // One impact on the coupler: instant within a step, speeds after it as the events have them.
  const std::string text =
      in_time_steps(kFourBar, "mu_k: 0.4, restitution: 0.5", 0.3, 1e-4, kClosing);
  const RunResult r = run_text(text);
  const RunResult exact = run_text(text, {"run.integrator=auto", "run.step=0"});
  const std::vector<EngineEvent> a = events_of(r, "impact"), b = events_of(exact, "impact");
  ASSERT_GE(a.size(), 1u);
  ASSERT_GE(b.size(), 1u);
  EXPECT_NEAR(a[0].time, b[0].time, 2e-4);
  EXPECT_NEAR(a[0].impulse, b[0].impulse, 5e-3 * b[0].impulse);
}

TEST(SteppedJoints, AGripHoldsItsPart) {
  // 50 N on either side, mu 0.5: a part of 1 kg needs 9.81 of 50 N.
  const auto plate = [](const char* name, double x, int force) {
    return std::string("  ") + name +
           ": {mass: 1, shapes: [{box: {size: [0.02, 0.1, 0.1]}}], joint: {prismatic: {axis: x, "
           "at: [" +
           std::to_string(x) + ", 0, 1]}, name: " + name +
           "_rail, drive: {force: " + std::to_string(force) + "}}}\n";
  };
  const std::string bodies =
      plate("left", -0.06, 50) + plate("right", 0.06, -50) +
      "  part: {mass: 1, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0, 0, 1]}\n";
  const RunResult r = run_text(in_time_steps(bodies, "mu_k: 0.5, restitution: 0", 2, 5e-3));
  EXPECT_NEAR(body(r, "part").position.z, 1.0, 1e-9);
  EXPECT_NEAR(body(r, "part").position.x, 0.0, 1e-9);
  EXPECT_LE(norm(body(r, "part").angular_velocity), 1e-9);
  for (const ContactLine& line : r.contacts) {
    EXPECT_NEAR(line.reading.normal_force, 50.0, 1e-6);
  }
}

TEST(SteppedJoints, APendulumSwingsAgainstItsStopAsUnderErrorControl) {
  const std::string bodies =
      "  wall: {fixed: true, shapes: [{half_space: {}, at: [0, 0, -5]}]}\n"
      "  arm: {mass: 1, com: [0, 0, -0.25], inertia: [0.02, 0.02, 0.001], shapes: [{sphere: "
      "{radius: 0.03}, at: [0, 0, -0.5]}], joint: {revolute: {axis: y}, name: hinge, q: 1.5, "
      "limits: {lower: -0.5, upper: 3, stiffness: 2000, damping: 0}}}\n";
  const std::string text = in_time_steps(bodies, "mu_k: 0", 1.5, 1e-3);
  const RunResult r = run_text(text), exact = run_text(text, {"run.integrator=auto", "run.step=0"});
  EXPECT_NEAR(joint(r, "hinge").q[0], joint(exact, "hinge").q[0], 2e-3);
  EXPECT_GE(events_of(r, "stop_begin").size(), 1u);
  EXPECT_LT(std::abs(r.energy.dissipated_step), 1e-3 * r.energy_scale);
}

TEST(SteppedJoints, ALiftRaisesABoxAndDoesItsWork) {
  const std::string bodies =
      "  lift: {mass: 2, shapes: [{box: {size: [1, 1, 0.1]}}], joint: {prismatic: {axis: z}, name: "
      "shaft, motion: =0.1*t*t}}\n"
      "  box: {mass: 3, shapes: [{box: {size: [0.2, 0.2, 0.2]}}], position: [0, 0, 0.15]}\n";
  const RunResult r = run_text(in_time_steps(bodies, "mu_k: 0.5, restitution: 0", 1, 1e-3));
  EXPECT_NEAR(body(r, "box").position.z, 0.25, 1e-9);
  EXPECT_NEAR(r.energy.drive_work, 5 * 9.81 * 0.1 + 0.5 * 5 * 0.04, 5e-3);
  EXPECT_LT(std::abs(r.energy.residual), 1e-11 * r.energy_scale);
}

TEST(SteppedJoints, FrictionOfAJointHoldsAPushedCart) {
  // A ball of 1 kg leans on a cart on a slope that only the friction of its rail holds.
  const auto run_cart = [](double coulomb) {
    const std::string bodies =
        "  cart: {mass: 1, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], joint: {prismatic: {axis: x}, "
        "name: rail, friction: {coulomb: " +
        std::to_string(coulomb) +
        "}}}\n  block: {mass: 1, shapes: [{sphere: {radius: 0.05}}], position: [-0.1, 0, 0]}\n";
    return run_text(in_time_steps(bodies, "mu_k: 0", 1, 2e-3, "gravity: [3, 0, 0]\n"));
  };
  EXPECT_LE(std::abs(joint(run_cart(6.01), "rail").q[0]), 1e-8);
  // a = (6 - 5) / 2, in steps: h² a n (n + 1) / 2.
  EXPECT_NEAR(joint(run_cart(5.0), "rail").q[0], 0.5 * 0.5 * 1.002, 1e-6);
}

TEST(SteppedJoints, GoesOnFromASavedStateToTheLastBit) {
  const auto model =
      model_of(in_time_steps(kFourBar, "mu_k: 0.4, restitution: 0.5", 1, 1.0 / 256, kClosing));
  Simulation saved(model), restored(model);
  ASSERT_EQ(saved.advance(0.5), AdvanceStatus::reached) << saved.failure();
  restored.restore(run_state_from_bytes(to_bytes(saved.save())));
  ASSERT_EQ(saved.advance(1.0), AdvanceStatus::reached);
  ASSERT_EQ(restored.advance(1.0), AdvanceStatus::reached);
  EXPECT_EQ(to_bytes(saved.save()), to_bytes(restored.save()));
}

}  // namespace
}  // namespace carom
