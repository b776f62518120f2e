// Springs, stiction, stops, couplings, prescribed motion and events along joints,
// against closed forms.
#include <cmath>

#include "scene_runs.h"

namespace carom {
namespace {

using testing::body;
using testing::joint;
using testing::run_text;

// A block on a spring with Coulomb friction comes to rest after half swings of
// duration pi/w that each lose 2 F/k of amplitude, and then stays for ever.
const char* kFrictionBlock = R"yaml(
carom: 1
gravity: off
bodies: {block: {mass: 2, joint: {prismatic: {axis: x}, name: slide, q: 1.0, spring: {stiffness: 200}, friction: {coulomb: 15, static: 18}}}}
run: {until: 5, tolerance: 1e-10}
)yaml";

TEST(JointFriction, LosesTheSameAmplitudeEachHalfSwingAndThenSticks) {
  const RunResult r = run_text(kFrictionBlock);
  // Offset F/k = 0.075: turning points 1, -0.85, 0.7, -0.55, 0.4, -0.25, 0.1, then
  // |k q| = 20 > 18 slips once more to -(0.1 - 0.15) = 0.05, where 10 < 18 holds.
  EXPECT_NEAR(joint(r, "slide").q[0], 0.05, 1e-9);
  EXPECT_EQ(joint(r, "slide").v[0], 0.0);
  const double half = M_PI / std::sqrt(100.0);
  double last_stick = 0.0;
  for (const EngineEvent& e : r.events) {
    if (e.kind == "stick") last_stick = e.time;
  }
  EXPECT_NEAR(last_stick, 7 * half, 1e-9);
  EXPECT_LE(r.largest_residual, 1e-8 * r.energy_scale);
  EXPECT_NEAR(r.energy.dissipated_friction, 15 * (1.85 + 1.55 + 1.25 + 0.95 + 0.65 + 0.35 + 0.05),
              1e-7);
}

TEST(JointFriction, HoldsALoadBelowStictionWithoutCreep) {
  const RunResult r = run_text(R"yaml(
carom: 1
bodies: {block: {mass: 1, joint: {prismatic: {axis: z}, name: slide, friction: {coulomb: 9, static: 10}}}}
run: {until: 600}
)yaml");
  EXPECT_EQ(joint(r, "slide").q[0], 0.0);
  EXPECT_EQ(joint(r, "slide").v[0], 0.0);
}

TEST(JointFriction, SlidesAboveStictionWithTheKineticForce) {
  const RunResult r = run_text(R"yaml(
carom: 1
bodies: {block: {mass: 1, joint: {prismatic: {axis: z}, name: slide, friction: {coulomb: 5, static: 9}}}}
run: {until: 2}
)yaml");
  EXPECT_NEAR(joint(r, "slide").v[0], -(9.81 - 5) * 2, 1e-9);
}

TEST(JointStop, ThrowsBackAnUndampedBodyAtItsOwnSpeed) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: off
bodies: {cart: {mass: 1, joint: {prismatic: {axis: x}, name: slide, v: 2, limits: {lower: -1, upper: 1, stiffness: 1e6, damping: 0}}}}
run: {until: 1.0, tolerance: 1e-10}
)yaml");
  EXPECT_NEAR(joint(r, "slide").v[0], -2.0, 1e-7);
  // Half a period of the stop's spring, then free flight.
  const double contact = M_PI / 1e3;
  EXPECT_NEAR(joint(r, "slide").q[0], 1.0 - 2.0 * (1.0 - 0.5 - contact), 1e-7);
  ASSERT_EQ(r.events.size(), 2u);
  EXPECT_NEAR(r.events[0].time, 0.5, 1e-10);
  EXPECT_NEAR(r.events[1].time, 0.5 + contact, 1e-9);
}

// Closed form of the damped oscillator: the force k d + c d' of a stop reaches zero at
// w1 t = pi - 2 atan(w1 / D) … found here from d(t) = v0/w1 exp(-D t) sin(w1 t).
TEST(JointStop, WithDampingLetsGoWhereItsForceVanishesAndNeverPulls) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: off
bodies: {cart: {mass: 1, joint: {prismatic: {axis: x}, name: slide, v: 2, limits: {lower: -1, upper: 1, stiffness: 1e4, damping: 40}}}}
run: {until: 1.0, tolerance: 1e-11}
)yaml");
  const double D = 20.0, w1 = std::sqrt(1e4 - D * D), v0 = 2.0;
  // Acceleration -(k d + c d') = 0: tan(w1 t) = 2 D w1 / (2 D² - w0²), first positive root.
  const double t_end = (std::atan2(2 * D * w1, 2 * D * D - 1e4)) / w1;
  const double speed =
      v0 * std::exp(-D * t_end) * (std::cos(w1 * t_end) - D / w1 * std::sin(w1 * t_end));
  EXPECT_NEAR(joint(r, "slide").v[0], speed, 1e-9);
  const double depth = v0 / w1 * std::exp(-D * t_end) * std::sin(w1 * t_end);
  EXPECT_NEAR(joint(r, "slide").q[0], 1.0 + depth + speed * (1.0 - 0.5 - t_end), 1e-9);
  EXPECT_LE(r.largest_residual, 1e-9 * r.energy_scale);  // 100 x tolerance
}

// A joint that starts at its limit: pushed outward it settles where the spring balances the
// drive, pushed inward it leaves freely.
TEST(JointStop, HoldsABodyThatStartsExactlyAtItsLimit) {
  const std::string scene = R"yaml(
carom: 1
gravity: off
bodies: {cart: {mass: 1, joint: {prismatic: {axis: x}, name: slide, limits: {lower: -2, upper: 0, stiffness: 1e5, damping: 50}, drive: {force: FORCE}}}}
run: {until: 1.0, tolerance: 1e-10}
)yaml";
  const auto with_force = [&](const std::string& force) {
    std::string text = scene;
    return run_text(text.replace(text.find("FORCE"), 5, force).c_str());
  };
  // The oscillation about 5 / 1e5 decays by exp(-25); the tolerance allows 1e-10 m.
  EXPECT_NEAR(joint(with_force("5"), "slide").q[0], 5e-5, 1e-10);
  EXPECT_NEAR(joint(with_force("-2"), "slide").q[0], -1.0, 1e-9);
}

TEST(Coupling, GearsShareInertiaByTheSquareOfTheRatio) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: off
bodies:
  a: {mass: 1, inertia: [1, 1, 2], joint: {revolute: {}, name: ja, drive: {force: 3}}}
  b: {mass: 1, inertia: [1, 1, 0.5], joint: {revolute: {at: [1, 0, 0]}, name: jb}}
couplings: {mesh: {gear: {joints: [ja, jb], ratio: -0.25}}}
run: {until: 2}
)yaml");
  // q_a = -q_b/4: inertia at a is 2 + 16 * 0.5 = 10.
  EXPECT_NEAR(joint(r, "ja").q[0], 0.5 * 0.3 * 4, 1e-8);
  EXPECT_NEAR(joint(r, "jb").q[0], -4 * 0.5 * 0.3 * 4, 1e-8);
}

TEST(Coupling, RackMovesByTheRadiusTimesTheAngle) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: off
bodies:
  rack: {mass: 2, joint: {prismatic: {axis: x}, name: slide}}
  pinion: {mass: 1, inertia: [1, 1, 0.01], joint: {revolute: {}, name: turn, drive: {force: 1}}}
couplings: {r: {rack: {joints: [slide, turn], radius: 0.1}}}
run: {until: 1}
)yaml");
  EXPECT_NEAR(joint(r, "slide").q[0], 0.1 * joint(r, "turn").q[0], 1e-12);
  EXPECT_NEAR(joint(r, "turn").v[0], 1.0 / (0.01 + 2 * 0.01), 1e-7);
}

TEST(Loop, ThatClosesLaterLeavesTheStartAloneAndThenSharesMomentum) {
  const std::string scene = R"yaml(
carom: 1
gravity: off
bodies:
  a: {mass: 3, joint: {prismatic: {axis: x}, name: sa, v: 1}}
  b: {mass: 1, joint: {prismatic: {axis: x}, name: sb, q: 1}}
joints: {lock: {fixed: {parent: a, child: b}, loop: true, active: {from: 1}}}
run: {until: 0.5}
)yaml";
  const RunResult before = run_text(scene);
  EXPECT_NEAR(joint(before, "sa").q[0], 0.5, 1e-12);
  EXPECT_EQ(joint(before, "sb").q[0], 1.0);
  const RunResult after = run_text(scene, {"run.until=2"});
  EXPECT_NEAR(joint(after, "sa").v[0], 0.75, 1e-12);  // 3/(3 + 1) of 1 m/s
  EXPECT_NEAR(joint(after, "sb").q[0], 1.75, 1e-12);
  // Of 3/2 J remain (3 + 1)/2 0.75² J: what the plastic impact took is booked as such.
  EXPECT_NEAR(after.energy.model_work, -0.375, 1e-12);
  EXPECT_LE(after.largest_residual, 1e-12);
}

TEST(UserEvents, ThatChangeAStiffnessBookTheEnergyItBrings) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: off
bodies: {cart: {mass: 1, joint: {prismatic: {axis: x}, name: slide, v: 1, spring: {stiffness: 1}}}}
events: {harden: {when: "slide.q - 0.5", do: {set: {joints.slide.spring.stiffness: 2}}}}
run: {until: 1, tolerance: 1e-10}
)yaml");
  EXPECT_NEAR(r.energy.model_work, 0.5 * (2 - 1) * 0.25, 1e-9);
  EXPECT_LE(r.largest_residual, 1e-8);
}

TEST(PrescribedMotion, NeedsTheForceThatNewtonSays) {
  const auto model = testing::model_of(R"yaml(
carom: 1
bodies: {mass: {mass: 3, joint: {prismatic: {axis: z}, name: lift, motion: {sine: {amplitude: 0.2, frequency: 0.5}}}}}
run: {until: 1.3}
)yaml");
  Simulation simulation(model);
  ASSERT_EQ(simulation.advance(1.3), AdvanceStatus::reached);
  const double w = M_PI, a = -0.2 * w * w * std::sin(w * 1.3);
  EXPECT_NEAR(simulation.value("lift.q")[0], 0.2 * std::sin(w * 1.3), 1e-14);
  EXPECT_NEAR(simulation.value("lift.force")[0], 3 * (9.81 + a), 1e-11);
  EXPECT_NEAR(simulation.value("lift.reaction_force")[2], 3 * (9.81 + a), 1e-11);
  // Ten times the tolerance, relative to the work done.
  EXPECT_LE(std::abs(simulation.ledger().residual), 1e-7 * 3 * 9.81 * 0.2);
}

TEST(Reactions, OfAHangingWeightAreItsWeight) {
  const auto model = testing::model_of(R"yaml(
carom: 1
bodies:
  arm: {mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1], joint: {revolute: {axis: y}, name: top}}
  bob: {mass: 2, joint: {fixed: {parent: arm, at: [0.3, 0, -1]}, name: weld}}
run: {until: 1}
initial: equilibrium
)yaml");
  Simulation simulation(model);
  const std::vector<double> top = simulation.value("top.reaction_force");
  EXPECT_NEAR(top[0], 0.0, 1e-9);
  EXPECT_NEAR(top[2], 3 * 9.81, 1e-9);
  EXPECT_NEAR(simulation.value("weld.reaction_force")[2], 2 * 9.81, 1e-9);
  // The centre of mass hangs below the pivot.
  const double q = simulation.value("top.q")[0];
  EXPECT_NEAR(std::tan(q), (2 * 0.3) / (1 * 0.5 + 2 * 1.0), 1e-9);
}

TEST(UserEvents, AreLocatedAndChangeParameters) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: off
bodies: {cart: {mass: 1, joint: {prismatic: {axis: x}, name: slide, v: 1}}}
events:
  pass: {when: "slide.q - 0.25"}
  brake: {when: "slide.q - 0.5", do: {set: {joints.slide.damping: 2}}}
  late: {when: "t - 1.75", do: stop}
run: {until: 10, tolerance: 1e-10}
)yaml");
  ASSERT_EQ(r.events.size(), 3u);
  EXPECT_NEAR(r.events[0].time, 0.25, 1e-12);
  EXPECT_NEAR(r.events[1].time, 0.5, 1e-12);
  EXPECT_NEAR(r.time, 1.75, 1e-12);
  EXPECT_NEAR(joint(r, "slide").v[0], std::exp(-2 * 1.25), 1e-8);
}

// q = cos(w t), w = 2: down through 1/2 at pi/6 and up again at 11 pi/6, in units of 1/w.
TEST(UserEvents, ThatOnlyRecordTellTheirDirectionAndKeepToIt) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: off
bodies: {cart: {mass: 1, joint: {prismatic: {axis: x}, name: slide, q: 1, spring: {stiffness: 4}}}}
events:
  any: {when: "slide.q - 0.5"}
  up: {when: "slide.q - 0.5", direction: rising}
  down: {when: "slide.q - 0.5", direction: falling}
run: {until: 3.1, tolerance: 1e-10}
)yaml");
  std::vector<double> any, up, down;
  for (const EngineEvent& e : r.events) {
    (e.subject == "any" ? any : e.subject == "up" ? up : down).push_back(e.value * e.time);
  }
  ASSERT_EQ(any.size(), 2u);
  ASSERT_EQ(up.size(), 1u);
  ASSERT_EQ(down.size(), 1u);
  const double first = -M_PI / 6.0, second = 5.0 * M_PI / 6.0;  // signed by the direction
  EXPECT_NEAR(any[0], first, 1e-8);
  EXPECT_NEAR(any[1], second, 1e-8);
  EXPECT_NEAR(down[0], first, 1e-8);
  EXPECT_NEAR(up[0], second, 1e-8);
}

TEST(Bushing, ConservativeTorquesKeepTheEnergyWithoutModelWork) {
  for (const bool conservative : {false, true}) {
    const RunResult r = run_text(std::string(R"yaml(
carom: 1
gravity: off
bodies: {box: {mass: 1, inertia: [0.1, 0.2, 0.15], rotation: [0.8, 0.4, 0.2]}}
forces: {b: {bushing: {from: world, to: box, stiffness: 50, rotational_stiffness: [5, 10, 20], conservative: )yaml") +
                                 (conservative ? "true" : "false") + "}}}\nrun: {until: 5}\n");
    EXPECT_LE(r.largest_residual, 1e-6 * r.energy_scale);
    if (conservative) {
      EXPECT_LE(std::abs(r.energy.model_work), 1e-10);
    } else {
      EXPECT_GE(std::abs(r.energy.model_work), 1e-3);  // Modia3D's torques do work in a cycle
    }
  }
}

TEST(NonlinearSpring, OfALawConservesTheEnergyThatTheLawStores) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: off
bodies: {ball: {mass: 1, inertia: [1, 1, 1], position: [1.4, 0, 0], velocity: [0, 1, 0]}}
forces: {s: {spring: {from: world, to: ball, length: 1, law: "=40*x + 300*x^3"}}}
run: {until: 10, tolerance: 1e-10}
)yaml");
  EXPECT_LE(r.largest_residual, 1e-8 * r.energy_scale);
  EXPECT_GT(r.energy_scale, 1.0);
}

}  // namespace
}  // namespace carom
