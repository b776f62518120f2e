// Time steps with impulses: closed forms of sliding, bouncing and standing bodies, energy that
// never grows, and runs that go on from where they were saved.
#include <cmath>

#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_points.h"
#include "carom/engine/evaluate.h"
#include "carom/simulation/simulation.h"
#include "contact_runs.h"
#include "example_scenes.h"

namespace carom {
namespace {

using namespace testing;

const std::string kFloor = "  floor: {fixed: true, shapes: [{half_space: {}}]}\n";

std::string stepped(const std::string& bodies, const std::string& contact, double until,
                    double step, const std::string& more = "") {
  char text[160];
  std::snprintf(text, sizeof text, "run: {until: %.17g, integrator: time_stepping, step: %.17g}\n",
                until, step);
  return "carom: 1\nname: stepped\n" + more + "bodies:\n" + bodies + "contact: {method: rigid, " +
         contact + "}\n" + text;
}

/// Energy is watched from step to step.
struct Watched {
  double rise = 0.0;     ///< largest, of what was turned over
  double overlap = 0.0;  ///< largest, over the size of the smaller body
  double residual = 0.0;
  RunStatistics statistics;
};

Watched watch(const std::string& text, double until, double step) {
  Simulation simulation(model_of(text));
  Watched seen;
  double last = simulation.ledger().stored(), turned = 1e-300;
  const auto steps = std::lround(until / step);
  for (long k = 1; k <= steps; ++k) {
    EXPECT_EQ(simulation.advance(static_cast<double>(k) * step), AdvanceStatus::reached)
        << simulation.failure();
    const Ledger l = simulation.ledger();
    turned = std::max(turned, l.kinetic + l.dissipated_normal + l.dissipated_friction);
    seen.rise = std::max(seen.rise, l.stored() - last);
    seen.residual = std::max(seen.residual, std::abs(l.residual));
    last = l.stored();
    Workspace& w = simulation.workspace();
    evaluate_kinematics(w, simulation.time(), simulation.state());
    for (const ContactPair& pair : w.modes.contacts.pairs) {
      const double size = 2.0 * smaller_reach(w.model->contact, pair);
      seen.overlap = std::max(seen.overlap, -find_contact(w, pair).phi / size);
    }
  }
  seen.rise /= turned, seen.residual /= turned;
  seen.statistics = simulation.statistics();
  return seen;
}

TEST(TimeStepping, AThrownBlockSlidesAsFarAsCoulombSaysAndDoesNotHover) {
  // v^2 / (2 mu g); impulses of a step act on its whole length: first order.
  for (const double h : {1e-3, 1e-4}) {
    const RunResult r = run_text(stepped(
        kFloor + "  box: {mass: 1, shapes: [{box: {size: [0.2, 0.2, 0.05]}}], position: [0, 0, "
                 "0.025], velocity: [2, 0, 0]}\n",
        "mu_k: 0.5, restitution: 0", 0.6, h));
    EXPECT_NEAR(body(r, "box").position.x, 4.0 / (2 * 0.5 * 9.81), 1.1 * h) << h;
    // The convex relaxation would let it rise by h mu v = 1 mm in every step while it slides.
    EXPECT_NEAR(body(r, "box").position.z, 0.025, 1e-12) << h;
    EXPECT_LE(norm(body(r, "box").velocity), 1e-12) << h;
    EXPECT_NEAR(r.energy.dissipated_friction, 2.0, 2e-3) << h;
  }
}

TEST(TimeStepping, FrictionHoldsABlockBelowItsConeAndLetsItGoAbove) {
  const auto tilted = [&](double mu) {
    // Gravity is turned, not the plane: tan = 3/4.
    return run_text(
        stepped(kFloor + "  box: {mass: 1, shapes: [{box: {size: [0.2, 0.2, 0.05]}}], position: "
                         "[0, 0, 0.025]}\n",
                "restitution: 0, mu_k: " + std::to_string(mu), 2.0, 2e-3, "gravity: [6, 0, -8]\n"));
  };
  const RunResult holds = tilted(0.7501), slides = tilted(0.7);
  EXPECT_LE(std::abs(body(holds, "box").position.x), 1e-9);
  EXPECT_EQ(only_contact(holds).points, 4);
  EXPECT_NEAR(only_contact(holds).normal_force, 8.0, 1e-9);
  // a = 6 - 0.7 * 8, in steps: h^2 a n (n + 1) / 2.
  EXPECT_NEAR(body(slides, "box").position.x, 0.5 * 0.4 * 2.0 * 2.002, 1e-9);
}

TEST(TimeStepping, BouncesComeBackWithTheirRestitution) {
  const std::string ball =
      kFloor + "  ball: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [0, 0, 1.1]}\n";
  const double speed = std::sqrt(2 * 9.81);
  for (const double e : {0.5, 0.9, 1.0}) {
    const RunResult r =
        run_text(stepped(ball, "mu_k: 0, restitution: " + std::to_string(e), 0.46, 1e-3));
    const std::vector<EngineEvent> impacts = events_of(r, "impact");
    ASSERT_EQ(impacts.size(), 1u);
    EXPECT_NEAR(impacts[0].time, std::sqrt(2 / 9.81), 1e-3);
    EXPECT_NEAR(impacts[0].value, speed, 1e-9);
    EXPECT_NEAR(impacts[0].separation, e * speed, 1e-9);
    EXPECT_NEAR(impacts[0].impulse, (1 + e) * speed, 0.011);  // and the weight of a step
    EXPECT_NEAR(impacts[0].energy_lost, 0.5 * (1 - e * e) * speed * speed, 0.05);
  }
  // Without loss the energy is kept by every bounce to rounding.
  const RunResult r = run_text(stepped(ball, "mu_k: 0, restitution: 1", 10.0, 1e-3));
  EXPECT_GE(events_of(r, "impact").size(), 10u);
  EXPECT_NEAR(r.energy.kinetic + r.energy.potential, 9.81 * 1.1, 1e-9);
}

TEST(TimeStepping, AFreeTopKeepsEnergyAndMomentumAtAnyStep) {
  const std::string top =
      kFloor +
      "  top: {mass: 1, inertia: [1, 3, 3.5], shapes: [{sphere: {radius: 0.1}}], "
      "position: [0, 0, 900], angular_velocity: [20, 1, 2]}\n";
  const Watched seen = watch(stepped(top, "mu_k: 0", 1.0, 0.01), 1.0, 0.01);
  EXPECT_LE(seen.rise, 1e-12);
}

TEST(TimeStepping, TenCubesStandStill) {
  std::string bodies = kFloor;
  for (int i = 0; i < 10; ++i) {
    bodies += "  cube_" + std::to_string(i) +
              ": {mass: 1, shapes: [{box: {size: [0.1, 0.1, 0.1]}, edge_radius: 0}], position: [0, "
              "0, " +
              std::to_string(0.05 + 0.1 * i) + "]}\n";
  }
  const RunResult r = run_text(stepped(bodies, "mu_k: 0.5, restitution: 0", 2.0, 5e-3));
  EXPECT_LE(norm(body(r, "cube_9").position - Vec3{0, 0, 0.95}), 1e-9);
  EXPECT_LE(norm(body(r, "cube_9").velocity), 1e-9);
  double lowest = 0.0;
  for (const auto& contact : r.contacts) lowest = std::max(lowest, contact.reading.normal_force);
  EXPECT_NEAR(lowest, 98.1, 1e-6);
}

TEST(TimeStepping, EveryShapeFallsOnEveryOtherWithoutGainOrGap) {
  const char* kShapes[] = {"box: {size: [0.1, 0.12, 0.08]}",
                           "sphere: {radius: 0.05}",
                           "cylinder: {radius: 0.05, length: 0.1}",
                           "cone: {radius: 0.06, length: 0.1}",
                           "capsule: {radius: 0.03, length: 0.1}",
                           "ellipsoid: {radii: [0.06, 0.05, 0.04]}",
                           "beam: {length: 0.1, width: 0.05, thickness: 0.03}",
                           ("tetrahedron: {a: [0.08, 0, 0], b: [0, 0.08, 0], c: [0, 0, 0.08], "
                            "d: [-0.03, -0.03, -0.03]}")};
  for (const char* below : kShapes) {
    std::string bodies = kFloor;
    int i = 0;
    for (const char* above : kShapes) {
      const std::string x = std::to_string(0.5 * i), name = std::to_string(i);
      bodies += "  low_" + name + ": {mass: 1, shapes: [{" + below + "}], position: [" + x +
                ", 0, 0.1]}\n  high_" + name + ": {mass: 0.5, shapes: [{" + above +
                "}], position: [" + x + ", 0.01, 0.3], angular_velocity: [2, 1, 3]}\n";
      ++i;
    }
    const Watched seen =
        watch(stepped(bodies, "mu_k: 0.4, restitution: 0.3", 0.5, 4e-3), 0.5, 4e-3);
    EXPECT_LE(seen.rise, 1e-12) << below;
    EXPECT_LE(seen.residual, 1e-11) << below;
    EXPECT_LE(seen.overlap, 0.05) << below;
  }
}

const std::string kHeap = [] {
  std::string bodies = kFloor;
  for (int i = 0; i < 27; ++i) {
    const auto place = [](double base, int k) { return std::to_string(base + 0.14 * k); };
    bodies += "  b" + std::to_string(i) + ": {mass: 1, shapes: [{" +
              (i % 2 ? "sphere: {radius: 0.05}" : "box: {size: [0.1, 0.08, 0.06]}") +
              "}], position: [" + place(0.01 * (i % 4), i % 3) + ", " +
              place(0.007 * (i % 5), i / 3 % 3) + ", " + place(0.07, i / 9) +
              "], angular_velocity: [1, 2, 3]}\n";
  }
  return bodies;
}();

TEST(TimeStepping, AHeapComesToRestWithoutEnergyFromNothing) {
  const Watched seen = watch(stepped(kHeap, "mu_k: 0.5, restitution: 0.2", 1.0, 5e-3), 1.0, 5e-3);
  EXPECT_LE(seen.rise, 1e-12);
  EXPECT_LE(seen.overlap, 0.05);
  EXPECT_LE(seen.residual, 1e-11);
  EXPECT_LE(seen.statistics.counts.unconverged_steps, 2);
}

TEST(TimeStepping, GoesOnFromASavedStateToTheLastBit) {
  const auto model = model_of(stepped(kHeap, "mu_k: 0.5, restitution: 0.2", 0.5, 1.0 / 256));
  Simulation saved(model), restored(model);
  ASSERT_EQ(saved.advance(0.25), AdvanceStatus::reached) << saved.failure();
  restored.restore(run_state_from_bytes(to_bytes(saved.save())));
  ASSERT_EQ(saved.advance(0.5), AdvanceStatus::reached);
  ASSERT_EQ(restored.advance(0.5), AdvanceStatus::reached);
  EXPECT_TRUE(std::ranges::equal(saved.state(), restored.state()));
  EXPECT_EQ(to_bytes(saved.save()), to_bytes(restored.save()));
}

TEST(TimeStepping, AnInstantlyStruckBodyDoesNotPassThroughAThinWall) {
  // A gram is shot by a ton at a plate of 2 mm: it became fast within the step.
  const std::string bodies =
      "  plate: {fixed: true, shapes: [{box: {size: [0.002, 1, 1]}}]}\n"
      "  grain: {mass: 0.001, shapes: [{sphere: {radius: 0.01}}], position: [-0.1, 0, 0]}\n"
      "  ton: {mass: 1000, shapes: [{sphere: {radius: 0.2}}], position: [-0.4, 0, 0], velocity: "
      "[30, 0, 0]}\n";
  const RunResult r =
      run_text(stepped(bodies, "mu_k: 0, restitution: 0", 0.05, 5e-3, "gravity: [0, 0, 0]\n"));
  EXPECT_LT(body(r, "grain").position.x, 0.0);
}

TEST(TimeStepping, IsRefusedWithARemedyWhereItCannotStep) {
  const auto refusal = [](const std::string& text) {
    try {
      Simulation simulation(model_of(text));
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string elastic =
      "carom: 1\nbodies:\n  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n"
      "  ball: {material: steel, shapes: [{sphere: {radius: 0.1}}], position: [0, 0, 1]}\n"
      "run: {until: 1, integrator: time_stepping, step: 1e-3}\n";
  EXPECT_NE(refusal(elastic).find("rigid contacts alone"), std::string::npos);
}

TEST(RigidHeap, ComesToRestInItsTray) {
  const RunResult r = run_example("rigid_heap");
  for (const BodyState& b : r.bodies) {
    EXPECT_LE(std::max(std::abs(b.position.x), std::abs(b.position.y)), 0.5) << b.name;
    EXPECT_GE(b.position.z, 0.0) << b.name;
  }
  for (const ContactLine& contact : r.contacts) {
    EXPECT_GE(contact.reading.phi, -0.004)
        << contact.first << " " << contact.second;  // 5 % of 8 cm
  }
  EXPECT_LE(r.energy.kinetic, 1e-3 * r.energy_scale);
  EXPECT_LE(r.largest_residual, 1e-11 * r.energy_scale);
}

TEST(BrickArch, StandsUnderABallThatFallsOnIt) {
  const RunResult r = run_example("brick_arch");
  const auto model = example_model("brick_arch");
  double weight = 0.0, carried = 0.0;
  for (const Link& link : model->tree.links) weight += 9.81 * link.inertia.m;
  for (const ContactLine& contact : r.contacts) {
    if (contact.first == "ground") carried += contact.reading.force.z;
    if (contact.second == "ground") carried -= contact.reading.force.z;
  }
  EXPECT_GT(body(r, "stone_5").position.z, 0.5);
  EXPECT_NEAR(carried, weight, 0.01 * weight);
}

/// A thin cone that whirls about its tilted axis: where a step begins its tip goes up, and where it
/// ends it has come down.
const std::string kWhirls = R"(
carom: 1
name: whirls
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  cone: {shapes: [{cone: {radius: 0.018, length: 0.11}}], mass: 0.008, position: [0, 0, 0.022716],
         orientation: [0.64756, -0.18251, -0.049554, 0.73818], velocity: [-0.72138, -0.98448, 0.098043],
         angular_velocity: [-16.846, 100.67, -89.231]}
contact: {method: rigid, restitution: 0.58, mu_k: 0.05}
run: {until: 0.3, integrator: time_stepping, step: 0.005}
)";

TEST(TimeStepping, WhatWhirlsFreelyDoesNotTurnIntoTheFloor) {
  Simulation simulation(model_of(kWhirls));
  double last = simulation.ledger().stored(), lowest = kInf;
  for (int k = 1; k <= 60; ++k) {
    ASSERT_EQ(simulation.advance(0.005 * k), AdvanceStatus::reached) << simulation.failure();
    const std::vector<double> p = simulation.value("cone.position");
    const std::vector<double> q = simulation.value("cone.orientation");
    const Mat3 R = to_matrix(Quat{q[0], q[1], q[2], q[3]});
    lowest = std::min(lowest, p[2] + 0.11 * R(2, 0));  // the tip
    const double rim = 0.018 * std::sqrt(std::max(0.0, 1.0 - R(2, 0) * R(2, 0)));
    lowest = std::min(lowest, p[2] - rim);
    const double stored = simulation.ledger().stored();
    EXPECT_LE(stored - last, 1e-15);
    last = stored;
  }
  // Steps that turn it by 0.7 rad bear 2 % of its size each; it went in whole.
  EXPECT_GT(lowest, -0.08 * 0.036);
}

}  // namespace
}  // namespace carom
