// Stacks and other things that must stand: what does not move is compared with where it was.
#include <cmath>

#include "contact_runs.h"

namespace carom {
namespace {

using testing::body;
using testing::run_text;

constexpr double kEdge = 0.2, kMass = 8.0;

/// Ten cubes, each shifted by `shift` from the one below; the `light`th has a thousandth of the
/// others' mass.
std::string stack(double shift, int light, const std::string& rest) {
  std::string text = R"yaml(
carom: 1
bodies:
  ground: {fixed: true, material: dry_wood, shapes: [{box: {size: [4, 4, 0.2]}, at: [0, 0, -0.1]}]}
)yaml";
  for (int i = 0; i < 10; ++i) {
    const double mass = i == light ? 1e-3 * kMass : kMass, inertia = mass * kEdge * kEdge / 6.0;
    char line[512];
    std::snprintf(line, sizeof line,
                  "  b%d: {material: dry_wood, mass: %.17g, inertia: [%.17g, %.17g, %.17g], "
                  "shapes: [{box: {size: [0.2, 0.2, 0.2]}}], position: [%.17g, 0, %.17g]}\n",
                  i, mass, inertia, inertia, inertia, shift * i, kEdge * (0.5 + i));
    text += line;
  }
  return text + rest;
}

/// How far bodies are from where they were, and how fast the fastest is.
void expect_same_place(const RunResult& early, const RunResult& late, double distance,
                       double speed) {
  for (std::size_t i = 0; i < late.bodies.size(); ++i) {
    EXPECT_LE(norm(late.bodies[i].position - early.bodies[i].position), distance) << i;
    EXPECT_LE(norm(late.bodies[i].velocity), speed) << i;
  }
}

const std::string kLuGre = R"yaml(
contact: {law: exact, restitution: 0.3, friction: lugre}
run: {until: 1, tolerance: 1e-8}
)yaml";

TEST(StackOfTen, StandsForTenMinutes) {
  const std::string scene = stack(0.0, -1, "initial: equilibrium\n" + kLuGre);
  expect_same_place(run_text(scene), run_text(scene, {"run.until=600"}), 1e-6, 1e-9);
}

TEST(StackOfTen, StandsWithABoxAThousandTimesLighter) {
  for (const int light : {0, 4, 9}) {  // the last rests on 1e-11 m, a few digits above rounding
    const std::string scene = stack(0.0, light, "initial: equilibrium\n" + kLuGre);
    expect_same_place(run_text(scene), run_text(scene, {"run.until=600"}), 1e-6, 1e-9);
  }
}

// Nine cubes stand on the lowest with their centre of mass five shifts out: they tip at a tenth
// of an edge, 20 mm.
TEST(StackOfTen, StandsLeaningByThreeQuartersOfWhatTipsIt) {
  const std::string scene = stack(0.015, -1, kLuGre);
  const RunResult early = run_text(scene), late = run_text(scene, {"run.until=60"});
  expect_same_place(early, late, 1e-8, 1e-9);
  EXPECT_LE(std::abs(body(late, "b9").position.x - 9 * 0.015), 1e-3);
}

// Steel sinks in by 0.2 um, and the cubes bounce on it at first: two that part and meet again
// within less than the resolution of events must not be taken for apart, and fall through each
// other. At tight ones vibrations near rounding must not hold up the run: max_steps ends it.
TEST(StackOfTen, OfSteelStandsAtEveryTolerance) {
  std::string text = R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
)yaml";
  for (int i = 0; i < 10; ++i) {
    char line[256];
    std::snprintf(line, sizeof line,
                  "  b%d: {mass: 10, inertia: [%.17g, %.17g, %.17g], material: steel, shapes: "
                  "[{box: {size: 0.2}}], position: [0, 0, %.1f]}\n",
                  i, 2.0 / 30.0, 2.0 / 30.0, 2.0 / 30.0, kEdge * (0.5 + i));
    text += line;
  }
  text += R"yaml(
contact: {law: exact, restitution: 0.3, friction: lugre, mu_k: 0.5, resistance: none}
run: {until: 5, tolerance: 1e-5, max_steps: 20000, output: {step: 0.1}}
)yaml";
  for (const char* tolerance : {"1e-5", "1e-6", "1e-8", "1e-10"}) {
    const RunResult r = run_text(text, {std::string("run.tolerance=") + tolerance});
    for (std::size_t i = 1; i < r.bodies.size(); ++i) {
      EXPECT_NEAR(r.bodies[i].position.z, kEdge * (static_cast<double>(i) - 0.5), 1e-5) << i;
    }
  }
}

// Cubes that fall side by side part slowly; the rounding of their distance must not make them meet
// again, which it did a hundred times.
TEST(StackOfTen, FallsLeaningByMoreThanWhatTipsIt) {
  const RunResult r = run_text(stack(0.025, -1, kLuGre), {"run.until=1.5", "run.tolerance=1e-6"});
  EXPECT_LT(body(r, "b9").position.z, 8.5 * kEdge);
  EXPECT_LT(testing::events_of(r, "contact_begin").size(), 60u);
}

// A chip of 1 mm sinks in by 1e-12 m and slides away from where its contact began: the rounding of
// its position grows with the way, and must not be integrated. Coulomb: g (sin a - mu cos a).
TEST(SlidingChip, KeepsItsAccelerationFarFromItsStart) {
  const char* scene = R"yaml(
carom: 1
gravity: ["=9.81*sin(0.6)", 0, "=-9.81*cos(0.6)"]
bodies:
  ramp: {fixed: true, material: dry_wood, shapes: [{half_space: {}}]}
  chip: {material: dry_wood, shapes: [{box: {size: [0.001, 0.001, 0.0003]}}], position: [0, 0, 0.00015]}
contact: {law: exact, restitution: 0.3, friction: lugre, mu_k: 0.3, mu_s: 0.3}
run: {until: 0.2, tolerance: 1e-8}
)yaml";
  const double acceleration = 9.81 * (std::sin(0.6) - 0.3 * std::cos(0.6));
  const RunResult early = run_text(scene, {"run.until=0.05"}), late = run_text(scene);
  // Bristles that deflect at the start take 1 mm/s from both.
  const double gained = body(late, "chip").velocity.x - body(early, "chip").velocity.x;
  EXPECT_NEAR(gained, 0.15 * acceleration, 1e-6);
  // BDF of the orders 3 to 5 keeps up a vibration that order 2 damps: it took 2.4 million steps.
  // How often the two take turns is left to chance: 60,000 to 110,000 at tolerances about 1e-8.
  EXPECT_LT(late.statistics.counts.steps, 240000);
}

// Torso, thighs, shanks and feet, held by servos; both feet on the floor close a loop.
TEST(StandingRobot, StandsOnTwoFeetThatShareItsWeight) {
  const std::string scene = R"yaml(
carom: 1
name: Standing robot
bodies:
  floor: {fixed: true, material: dry_wood, shapes: [{box: {size: [3, 3, 0.2]}, at: [0, 0, -0.1]}]}
  torso: {material: aluminium, shapes: [{box: {size: [0.15, 0.3, 0.4]}, at: [0, 0, 0.25]}], position: [0, 0, "=0.06 + 0.8*cos(0.3)"]}
  l_thigh: {material: aluminium, shapes: [{capsule: {radius: 0.04, length: 0.3}, axis: z, at: [0, 0, -0.2]}]}
  l_shank: {material: aluminium, shapes: [{capsule: {radius: 0.035, length: 0.3}, axis: z, at: [0, 0, -0.2]}]}
  l_foot: {material: aluminium, shapes: [{box: {size: [0.2, 0.1, 0.03]}, at: [0.03, 0, -0.045]}]}
  r_thigh: {material: aluminium, shapes: [{capsule: {radius: 0.04, length: 0.3}, axis: z, at: [0, 0, -0.2]}]}
  r_shank: {material: aluminium, shapes: [{capsule: {radius: 0.035, length: 0.3}, axis: z, at: [0, 0, -0.2]}]}
  r_foot: {material: aluminium, shapes: [{box: {size: [0.2, 0.1, 0.03]}, at: [0.03, 0, -0.045]}]}
joints:
  l_hip: {revolute: {parent: torso, at: [0, 0.1, 0], child: l_thigh, axis: y}, q: -0.3, drive: {position: -0.3, stiffness: 3000, damping: 100}}
  l_knee: {revolute: {parent: l_thigh, at: [0, 0, -0.4], child: l_shank, axis: y}, q: 0.6, drive: {position: 0.6, stiffness: 3000, damping: 100}}
  l_ankle: {revolute: {parent: l_shank, at: [0, 0, -0.4], child: l_foot, axis: y}, q: -0.3, drive: {position: -0.3, stiffness: 3000, damping: 100}}
  r_hip: {revolute: {parent: torso, at: [0, -0.1, 0], child: r_thigh, axis: y}, q: -0.3, drive: {position: -0.3, stiffness: 3000, damping: 100}}
  r_knee: {revolute: {parent: r_thigh, at: [0, 0, -0.4], child: r_shank, axis: y}, q: 0.6, drive: {position: 0.6, stiffness: 3000, damping: 100}}
  r_ankle: {revolute: {parent: r_shank, at: [0, 0, -0.4], child: r_foot, axis: y}, q: -0.3, drive: {position: -0.3, stiffness: 3000, damping: 100}}
contact: {friction: lugre}
run: {until: 10, tolerance: 1e-6}
)yaml";
  const RunResult early = run_text(scene, {"run.until=5"}), late = run_text(scene);
  expect_same_place(early, late, 1e-4, 1e-5);
  ASSERT_EQ(late.contacts.size(), 2u);
  double weight = 0.0, carried = 0.0;
  const std::shared_ptr<const Model> model = testing::model_of(scene);
  for (const Link& link : model->tree.links) weight += link.inertia.m * 9.81;
  for (const auto& c : late.contacts) carried += c.reading.force.z;
  EXPECT_NEAR(carried, weight, 1e-6 * weight);
  EXPECT_NEAR(late.contacts[0].reading.force.z, 0.5 * weight, 1e-5 * weight);
}

}  // namespace
}  // namespace carom
