// Joints, drives, stops, friction, loops and springs in implicit contact steps: closed forms, error
// control as the referee, and energy that never rises.
#include <gtest/gtest.h>

#include <cmath>

#include "contact_runs.h"

namespace carom {
namespace {

using namespace testing;

const std::string kRod =
    "{mass: 1, com: [0, 0, -0.25], inertia: [0.02, 0.02, 0.001], markers: {end: [0, 0, -0.5]}";

/// Two rods in a chain; `upper` and `lower` are what their joints have beside.
std::string chain(const std::string& upper, const std::string& lower) {
  return "carom: 1\nname: chain\nbodies:\n"
         "  a: " +
         kRod + ", joint: {revolute: {axis: y}, name: first, q: 1.5" + upper +
         "}}\n"
         "  b: " +
         kRod + ", joint: {revolute: {parent: a.end, axis: y}, name: second, q: 0.4" + lower +
         "}}\nrun: {until: 0.4, integrator: implicit_contact, step: 1e-3}\n";
}

const std::string kFourBar = R"(
carom: 1
name: linkage
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: 0.2, inertia: [2e-4, 2e-4, 3e-4], com: [0.05, 0, 0], markers: {end: [0.1, 0, 0]}, joint: {revolute: {}, name: pivot, q: 1}}
  coupler: {mass: 0.5, inertia: [2e-3, 2e-3, 4e-3], com: [0.15, 0, 0], markers: {end: [0.3, 0, 0]}, joint: {revolute: {parent: crank.end}, name: mid, q: -0.414}}
  rocker: {mass: 0.4, inertia: [2e-3, 2e-3, 3e-3], com: [0.125, 0, 0], markers: {end: [0.25, 0, 0]}, joint: {revolute: {at: [0.3, 0, 0]}, name: far, q: 1.555}}
joints:
  closing: {revolute: {parent: coupler.end, child: rocker.end}, loop: true}
initial: {assemble: {keep: [pivot]}}
run: {until: 0.4, integrator: implicit_contact, step: 1e-3}
)";

/// Observed order of a joint's coordinate at the end, against error control.
double order_of(const std::string& text, const char* name) {
  const auto q = [&](std::vector<std::string> words) {
    return joint(run_text(text, std::move(words)), name).q[0];
  };
  const double exact = q({"run.integrator=erk8", "run.tolerance=1e-12"});
  const double coarse = std::abs(q({"run.step=2e-3"}) - exact);
  const double fine = std::abs(q({"run.step=1e-3"}) - exact);
  return std::log2(coarse / fine);
}

TEST(ImplicitJoints, FreeMotionAndSoftElementsAreOfOrderTwo) {
  EXPECT_NEAR(order_of(chain("", ""), "second"), 2.0, 0.2);
  EXPECT_NEAR(order_of(chain(", spring: {stiffness: 20}, damping: 0.1", ""), "second"), 2.0, 0.2);
  EXPECT_NEAR(order_of(chain(", drive: {position: {sine: {amplitude: 0.5, frequency: 1}}, "
                             "stiffness: 30, damping: 1}",
                             ", damping: 0.05"),
                       "second"),
              2.0, 0.2);
  EXPECT_NEAR(order_of(kFourBar, "pivot"), 2.0, 0.2);
}

TEST(ImplicitJoints, StiffElementsAreOfOrderOne) {
  const std::string stiff = chain(
      ", drive: {position: {sine: {amplitude: 0.5, frequency: 1, offset: 1.5}}, "
      "stiffness: 3e4, damping: 300}",
      ", damping: 0.05");
  EXPECT_NEAR(order_of(stiff, "second"), 1.0, 0.1);
}

TEST(ImplicitJoints, FreeMotionKeepsItsEnergy) {
  for (const std::string& text : {chain("", ""), kFourBar}) {
    for (const double step : {1e-3, 1e-2}) {
      const RunResult r = run_text(text, {set("run.step", step), "run.until=10"});
      // At long steps there may be too little motion at a turning point to make up for a loss.
      const double most = step < 2e-3 ? 1e-11 : 5e-3;
      EXPECT_LT(r.energy.dissipated_step, most * r.energy_scale) << step;
      EXPECT_GT(r.energy.dissipated_step, -1e-11 * r.energy_scale) << step;
      EXPECT_LT(std::abs(r.energy.residual), 1e-11 * r.energy_scale) << step;
    }
  }
}

TEST(ImplicitJoints, ADriveOfAnyStiffnessHoldsItsPlace) {
  for (const char* gains : {"stiffness: 1e4, damping: 1e2", "stiffness: 1e9, damping: 1e6",
                            "stiffness: 1e15, damping: 1"}) {
    const std::string text =
        chain(std::string(", drive: {position: 1.5, ") + gains + "}", ", damping: 0.5");
    const RunResult r = run_text(text, {"run.step=5e-3", "run.until=5"});
    // Both rods have come to rest: the drive bends by the torque of gravity over its stiffness.
    const double torque = 9.81 * (0.25 + 0.5) * std::sin(1.5);
    EXPECT_NEAR(joint(r, "first").q[0], 1.5, 2e-2 + torque / 1e4) << gains;
    EXPECT_NEAR(joint(r, "first").v[0], 0.0, 2e-3) << gains;
    EXPECT_GE(r.energy.dissipated_step, -1e-12 * r.energy_scale);
  }
}

/// The same controller by gains and by formulas, one of which reads another.
TEST(ImplicitJoints, ADriveByAFormulaIsAsImplicitAsOneByItsGains) {
  const auto run = [](const char* drive, const char* signals, const char* step) {
    return run_text(std::string("carom: 1\nname: rail\ngravity: [0, 0, 0]\nbodies:\n"
                                "  cart: {mass: 0.01, inertia: [1, 1, 1], joint: {prismatic: "
                                "{axis: x}, name: rail, v: 2, drive: ") +
                        drive + "}}\n" + signals +
                        "run: {until: 0.5, integrator: implicit_contact}\n",
                    {std::string("run.step=") + step});
  };
  for (const char* step : {"1e-4", "5e-3"}) {
    const RunResult gains = run("{position: 0.3, stiffness: 1e4, damping: 20}", "", step);
    const RunResult formula =
        run("{force: \"=1e4*(0.3 - rail.q) - drag\"}", "signals: {drag: \"=20*rail.v\"}\n", step);
    EXPECT_NEAR(joint(formula, "rail").q[0], joint(gains, "rail").q[0], 1e-12) << step;
    EXPECT_NEAR(joint(formula, "rail").q[0], 0.3, 1e-9) << step;
    EXPECT_NEAR(formula.energy.drive_work, gains.energy.drive_work, 1e-12) << step;
  }
}

TEST(ImplicitJoints, ALimitedDriveGivesNoMoreThanItsLimit) {
  // A block pushed along a rail by less than its limit's worth of force accelerates by limit/m.
  const RunResult r = run_text(
      "carom: 1\nname: rail\ngravity: [0, 0, 0]\nbodies:\n"
      "  cart: {mass: 2, inertia: [1, 1, 1], joint: {prismatic: {axis: x}, name: rail, drive: "
      "{position: 100, stiffness: 1e8, damping: 1e3, limit: 3}}}\n"
      "run: {until: 1, integrator: implicit_contact, step: 5e-3}\n");
  EXPECT_NEAR(joint(r, "rail").v[0], 1.5, 1e-12);
  EXPECT_NEAR(r.energy.drive_work, 0.5 * 2 * 1.5 * 1.5, 0.02);
}

TEST(ImplicitJoints, FrictionHoldsBelowStictionAndSlidesAbove) {
  const auto cart = [](double force) {
    return run_text(
        "carom: 1\nname: rail\ngravity: [0, 0, 0]\nbodies:\n"
        "  cart: {mass: 2, inertia: [1, 1, 1], joint: {prismatic: {axis: x}, name: "
        "rail, friction: {coulomb: 3, static: 4}, drive: {force: {ramp: {before: 0, after: " +
        std::to_string(force) +
        ", start: 0, duration: 0.1}}}}}\nrun: {until: 1, integrator: implicit_contact, step: "
        "1e-3}\n");
  };
  EXPECT_LT(std::abs(joint(cart(3.999), "rail").q[0]), 2e-9);
  const RunResult sliding = cart(4.001);
  EXPECT_NEAR(joint(sliding, "rail").v[0], 0.9 * (4.001 - 3.0) / 2.0, 2e-3);
  EXPECT_EQ(events_of(sliding, "slip").size(), 1u);
  EXPECT_NEAR(sliding.energy.dissipated_friction, 3.0 * joint(sliding, "rail").q[0], 1e-9);
}

TEST(ImplicitJoints, AStopHoldsByItsStiffnessAndItsEventsAreTold) {
  const std::string text =
      "carom: 1\nname: stop\nbodies:\n  arm: " + kRod +
      ", joint: {revolute: {axis: y}, name: hinge, q: 1.5, limits: {lower: 0.5, upper: 3, "
      "stiffness: 1e5, damping: 200}}}\n"
      "run: {until: 4, integrator: implicit_contact, step: 5e-3}\n";
  const RunResult r = run_text(text);
  EXPECT_NEAR(joint(r, "hinge").q[0], 0.5 - 9.81 * 0.25 * std::sin(0.5) / 1e5, 1e-7);
  EXPECT_GE(events_of(r, "stop_begin").size(), 1u);
  EXPECT_LT(std::abs(r.energy.residual), 1e-11 * r.energy_scale);
}

const std::string kPress = R"(
carom: 1
name: press
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  arm: {mass: 1, inertia: [0.01, 0.02, 0.02], com: [0.2, 0, 0], joint: {revolute: {axis: y, at: [0, 0, 0.1]}, name: hinge, drive: {position: 0.3, stiffness: 200, damping: 20}}}
  tip: {mass: 0.5, material: steel, shapes: [{sphere: {radius: 0.05}}], joint: {prismatic: {parent: arm, at: [0.4, 0, 0], axis: x}, name: slide, spring: {stiffness: 1e3}, damping: 20}}
contact: {law: exact, restitution: 0.3, friction: lugre}
run: {until: 3, integrator: implicit_contact, step: 2e-3}
)";

TEST(ImplicitJoints, AnArmPressesOnTheFloorAsUnderErrorControl) {
  const RunResult r = run_text(kPress);
  const RunResult exact = run_text(kPress, {"run.integrator=auto"});
  for (const char* name : {"hinge", "slide"}) {
    EXPECT_NEAR(joint(r, name).q[0], joint(exact, name).q[0], 2e-5) << name;
  }
  EXPECT_EQ(r.statistics.counts.unconverged_steps, 0);
  EXPECT_LT(std::abs(r.energy.residual), 1e-11 * r.energy_scale);
}

TEST(ImplicitJoints, EnergyLessWorkNeverRises) {
  Simulation simulation(model_of(kPress, {"run.step=1e-2", "run.until=1"}));
  double last = 0.0, rise = 0.0, turned = 0.0;
  for (int k = 0; k <= 100; ++k) {
    ASSERT_EQ(simulation.advance(0.01 * k), AdvanceStatus::reached);
    const Ledger l = simulation.ledger();
    const double kept = l.stored() - l.drive_work;
    if (k > 0) rise = std::max(rise, kept - last);
    last = kept;
    turned = std::max(turned, l.kinetic + std::abs(l.drive_work));
  }
  EXPECT_LE(rise, 1e-12 * turned);
}

TEST(ImplicitJoints, ASpringBetweenBodiesVibratesAndKeepsItsEnergy) {
  const auto run_spring = [](const char* stiffness) {
    return run_text(std::string("carom: 1\nname: spring\ngravity: [0, 0, 0]\nbodies:\n"
                                "  a: {mass: 1, inertia: [1, 1, 1]}\n"
                                "  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], velocity: "
                                "[0.1, 0, 0]}\nforces:\n"
                                "  link: {spring: {from: a, to: b, length: 1, stiffness: ") +
                    stiffness + "}}\nrun: {until: 1, integrator: implicit_contact, step: 1e-3}\n");
  };
  // Resolved: as the closed form, to the second order of the step.
  const RunResult soft = run_spring("50");
  const double w = std::sqrt(2.0 * 50.0), x = 0.1 / w * std::sin(w);
  EXPECT_NEAR(body(soft, "b").position.x - body(soft, "a").position.x, 1.0 + x, 1e-5);
  EXPECT_LT(std::abs(soft.energy.dissipated_step), 1e-10 * soft.energy_scale);
  // Not resolved: held together, the rest is lost, momentum is not.
  const RunResult stiff = run_spring("1e12");
  EXPECT_NEAR(body(stiff, "b").position.x - body(stiff, "a").position.x, 1.0, 1e-6);
  EXPECT_NEAR(body(stiff, "a").velocity.x + body(stiff, "b").velocity.x, 0.1, 1e-9);
}

TEST(ImplicitJoints, PrescribedCranksDoTheWorkOfTheirLinkage) {
  const RunResult r = run_text(kFourBar, {"bodies.crank.joint.motion==1 + 2*t", "run.until=2"});
  // All of it is moved from outside: what it has came by the motion.
  EXPECT_NEAR(joint(r, "pivot").q[0], 5.0, 1e-12);
  EXPECT_LT(std::abs(r.energy.residual), 1e-11 * r.energy_scale);
  const RunResult exact = run_text(kFourBar, {"bodies.crank.joint.motion==1 + 2*t", "run.until=2",
                                              "run.integrator=auto", "run.tolerance=1e-9"});
  EXPECT_NEAR(joint(r, "far").q[0], joint(exact, "far").q[0], 1e-7);
  EXPECT_NEAR(r.energy.drive_work, exact.energy.drive_work, 1e-3);
}

}  // namespace
}  // namespace carom
