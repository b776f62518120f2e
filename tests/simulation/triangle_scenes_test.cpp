// Scenes of triangle surfaces with a story: a stack that topples, a ball through a bore, wheels
// that turn each other, and a blow that a fixed step finds too late.
#include <cmath>

#include "carom/simulation/simulation.h"
#include "contact_runs.h"

namespace carom {
namespace {

using testing::body;

/// Turn about y, of bodies that turn about no other axis [rad].
double tilt(const RunResult& r, const std::string& name) {
  return 2.0 * std::asin(body(r, name).orientation.y);
}

// Five cubes, each 45 mm farther out: the upper four have their weight 12.5 mm beyond the edge of
// the lowest, no three of them beyond that of the one below [Moisio 2013, 6.6].
TEST(TriangleStack, TopplesAboutTheEdgeOfItsLowestCubeInOnePiece) {
  std::string text = R"yaml(
carom: 1
materials: {soft: {density: 1250, youngs_modulus: 2.1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
)yaml";
  double z = -0.1;
  for (int i = 0; i < 5; ++i) {
    z += 0.2 - 0.354e-3 * (5 - i);
    text += "  c" + std::to_string(i) +
            ": {material: soft, mass: 10, inertia: [0.0667, 0.0667, 0.0667], shapes: [{box: {size: "
            "[0.2, 0.2, 0.2]}}], position: [" +
            std::to_string(0.045 * i) + ", 0, " + std::to_string(z) + "]}\n";
  }
  text +=
      "contact: {method: triangles, friction: lugre, mu_k: 0.5, restitution: 0.3}\n"
      "run: {until: 0.96, integrator: implicit_contact, step: 1e-3}\n";
  const RunResult r = testing::run_text(text);
  constexpr double kDegree = std::numbers::pi / 180.0;
  EXPECT_LT(std::abs(tilt(r, "c0")), 0.5 * kDegree);  // it stays, pressed in at its edge
  EXPECT_NEAR(tilt(r, "c1"), 10.0 * kDegree, 0.5 * kDegree);
  // Together: what they lean against each other is what their soft faces give way.
  for (const char* above : {"c2", "c3", "c4"}) {
    EXPECT_NEAR(tilt(r, above), tilt(r, "c1"), 1.0 * kDegree) << above;
  }
  for (const ContactSummary& c : r.contact_pairs) EXPECT_LT(c.slip, 50e-6);
  // About the edge, which has given way by the depth of the lowest cube and the load on a line.
  const BodyState& c1 = body(r, "c1");
  const double x = -0.045 + 0.1, s = std::sin(tilt(r, "c1")), c = std::cos(tilt(r, "c1"));
  EXPECT_NEAR(c1.position.x + c * x - s * 0.1, 0.1, 2e-3);
  EXPECT_NEAR(c1.position.z - s * x - c * 0.1, 0.2, 5e-3);
}

TEST(TrianglePipe, LetsABallFallThroughItsBore) {
  const char* text = R"yaml(
carom: 1
bodies:
  pipe: {fixed: true, material: aluminium, shapes: [{pipe: {outer_radius: 0.08, inner_radius: 0.06, length: 0.2}, axis: z}], position: [0, 0, 0.5]}
  ball: {material: rubber, shapes: [{sphere: {radius: 0.05}}], position: [0.012, 0, 0.75]}
contact: {method: triangles}
run: {until: 0.45}
)yaml";
  const RunResult r = testing::run_text(text);
  EXPECT_LT(body(r, "ball").position.z, 0.3);                    // below the pipe
  EXPECT_FALSE(testing::events_of(r, "contact_begin").empty());  // it has struck the wall inside
  EXPECT_LT(testing::unexplained(r), 1e-5);
}

TEST(TriangleWheels, TurnEachOtherAtTheRatioOfTheirTeeth) {
  const char* text = R"yaml(
carom: 1
gravity: off
bodies:
  big: {material: steel, shapes: [{gearwheel: {radius: 0.12, width: 0.03, teeth: 24}, axis: z}], joint: {revolute: {axis: z}, name: turn, motion: "=3*t"}}
  small: {material: steel, shapes: [{gearwheel: {radius: 0.06, width: 0.03, teeth: 12}, axis: z}], joint: {revolute: {at: [0.182, 0, 0], axis: z}, name: follow, damping: 0.01, q: 0.2617993877991494}}
contact: {method: triangles, friction: none, restitution: 0.2}
run: {until: 1.4, integrator: implicit_contact, step: 2e-3}
)yaml";
  const RunResult r = testing::run_text(text);
  const double turned = testing::joint(r, "follow").q[0] - 0.2617993877991494;
  // To the play between teeth, of which one is half a radian on the small wheel.
  EXPECT_NEAR(turned, -2.0 * 3.0 * 1.4, 0.1);
}

// A mass of 0.1 kg at 2 m/s is found 1 mm deep in a spring of 1e7 N/m [Moisio 2013, 4.2.4]. A force
// that is held over the next millimetre does 10 J of work on its 0.2 J, one that grows with it 15
// J, with a damper of 1e4 N s/m 30 J. Implicit steps never give back more than came.
TEST(TriangleSteps, GiveBackNoMoreThanCameFromABlowFoundTooLate) {
  constexpr double k = 1e7, damper = 1e4, speed = 2.0, way = 1e-3;
  EXPECT_NEAR(k * way * way, 10.0, 1e-9);
  EXPECT_NEAR(0.5 * k * (4.0 * way * way - way * way), 15.0, 1e-9);
  EXPECT_NEAR((k * way + damper * speed) * way, 30.0, 1e-9);
  // (E*/4) L_r 0.8 m = 1e7 N/m.
  const double modulus = k / (0.2 * 8.0 * std::numbers::sqrt2 / (3.0 * std::numbers::pi));
  for (const double gap : {0.0, 0.25e-3, 1e-3, 1.75e-3}) {
    const std::string text =
        "carom: 1\ngravity: off\nmaterials: {spring: {density: 1000, youngs_modulus: " +
        std::to_string(2.0 * (1.0 - 0.09) * modulus) +
        ", poissons_ratio: 0.3}}\nbodies:\n"
        "  floor: {fixed: true, material: spring, shapes: [{half_space: {}}]}\n"
        "  cube: {material: spring, mass: 0.1, inertia: [1e-3, 1e-3, 1e-3], shapes: [{box: {size: "
        "[0.2, 0.2, 0.2]}, mass: off}], position: [0, 0, " +
        std::to_string(0.1 + gap) +
        "], velocity: [0, 0, -2]}\n"
        "contact: {method: triangles, friction: none, restitution: 1}\n"
        "run: {until: 0.01, integrator: implicit_contact, step: 1e-3}\n";
    const RunResult r = testing::run_text(text);
    EXPECT_GT(body(r, "cube").velocity.z, -1e-9) << gap;  // it is not in the floor
    EXPECT_LE(r.energy.kinetic, 0.2 + 1e-12) << gap;
  }
}

}  // namespace
}  // namespace carom
