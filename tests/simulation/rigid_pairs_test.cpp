// Rigid contact of several bodies, through joints, from bad starts, and over saved states.
#include <numbers>
#include <random>

#include "carom/simulation/simulation.h"
#include "rigid_scenes.h"

namespace carom {
namespace {

using testing::body;
using testing::box_of;
using testing::model_of;
using testing::run_text;
using testing::scene_of;
using testing::text_of;
using testing::Thrown;
using testing::times_of;

std::string cradle(double e) {
  return "carom: 1\ngravity: [0, 0, 0]\nbodies:\n"
         "  a: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [-0.5, 0, 0], velocity: [1, "
         "0, 0]}\n"
         "  b: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [0, 0, 0]}\n"
         "  c: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [0.2, 0, 0]}\n"
         "contact: {method: rigid, mu_k: 0, restitution: " +
         text_of(e) + "}\nrun: {until: 0.5}\n";
}

// All three at once: what touches takes part (Newton's law).
TEST(RigidPairs, OfACradleStrikeTogether) {
  for (const double e : {1.0, 0.9, 0.5, 0.0}) {
    const RunResult result = run_text(cradle(e));
    const double last = (1.0 + e) / 3.0;
    EXPECT_NEAR(body(result, "a").velocity.x, 1.0 - 2.0 * last, 1e-13) << e;
    EXPECT_NEAR(body(result, "b").velocity.x, last, 1e-13) << e;
    EXPECT_NEAR(body(result, "c").velocity.x, last, 1e-13) << e;
    EXPECT_NEAR(result.energy.dissipated_normal, (1.0 - e * e) / 3.0, 1e-13) << e;
  }
}

// A rod on a hinge, struck beside its centre of percussion and at it: 1/W = 1/M + d²/I.
TEST(RigidPairs, StrikeThroughAJoint) {
  for (const double d : {0.3, 2.0 / 3.0, 0.9}) {
    const double e = 0.4, mass = 2.0, inertia = 3.0 / 3.0;  // m L²/3 of 3 kg and 1 m
    const RunResult result = run_text(
        "carom: 1\ngravity: [0, 0, 0]\nbodies:\n"
        "  rod: {mass: 3, com: [0.5, 0, 0], inertia: [0.25, 0.25, 0.25], shapes: [{sphere: "
        "{radius: 0.05}, at: [" +
        text_of(d) +
        ", 0, 0]}], joint: {revolute: {axis: y}, name: hinge}}\n"
        "  ball: {mass: 2, shapes: [{sphere: {radius: 0.05}}], position: [" +
        text_of(d) +
        ", 0, 0.5], velocity: [0, 0, -1]}\n"
        "contact: {method: rigid, mu_k: 0, restitution: 0.4}\nrun: {until: 0.41}\n");
    const double P = (1.0 + e) / (1.0 / mass + d * d / inertia);
    EXPECT_NEAR(body(result, "ball").velocity.z, -1.0 + P / mass, 1e-12) << d;
    EXPECT_NEAR(testing::joint(result, "hinge").v[0], P * d / inertia, 1e-12) << d;
    ASSERT_EQ(times_of(result, "impact").size(), 1u);
    EXPECT_NEAR(result.events[0].impulse, P, 1e-12);
    EXPECT_NEAR(result.events[0].energy_lost, 0.5 * (1.0 - e * e) * P / (1.0 + e), 1e-12);
  }
}

// Two links in a row at rest, the second struck at the distance s from its hinge. With the angles
// a and b of both to the world, M = [I1 + m2 L², m2 L c; m2 L c, I2] and J = [L, s]:
// 1/W = 1/m + J M⁻¹ Jᵀ, and M⁻¹ Jᵀ P is how they turn. At s = I2/(m2 c), the centre of percussion,
// the first one stays at rest.
TEST(RigidPairs, StrikeAChainOfTwoLinks) {
  const double m2 = 2.0, L = 0.8, c = 0.3, mass = 1.5, e = 0.4;
  const double I1 = 0.2 + 3.0 * 0.16, I2 = 0.05 + m2 * c * c;
  const double percussion = I2 / (m2 * c);
  for (const double s : {0.1, percussion, 0.6}) {
    const RunResult result = run_text(
        "carom: 1\ngravity: [0, 0, 0]\nbodies:\n"
        "  first: {mass: 3, com: [0.4, 0, 0], inertia: [0.2, 0.2, 0.2], joint: {revolute: {axis: "
        "y}, name: shoulder}}\n"
        "  second: {mass: 2, com: [0.3, 0, 0], inertia: [0.05, 0.05, 0.05], shapes: [{sphere: "
        "{radius: 0.05}, at: [" +
        text_of(s) +
        ", 0, 0]}], joint: {revolute: {parent: first, at: [0.8, 0, 0], axis: y}, name: elbow}}\n"
        "  ball: {mass: 1.5, shapes: [{sphere: {radius: 0.05}}], position: [" +
        text_of(L + s) +
        ", 0, 0.35], velocity: [0, 0, -1]}\n"
        "contact: {method: rigid, mu_k: 0, restitution: 0.4}\n"
        "run: {until: 0.2500000000001, tolerance: 1e-12}\n");
    const double M11 = I1 + m2 * L * L, M12 = m2 * L * c, det = M11 * I2 - M12 * M12;
    const double a = (I2 * L - M12 * s) / det, b = (M11 * s - M12 * L) / det;
    const double P = (1.0 + e) / (1.0 / mass + L * a + s * b);
    ASSERT_EQ(times_of(result, "impact").size(), 1u) << s;
    EXPECT_NEAR(result.events[0].impulse, P, 1e-12) << s;
    EXPECT_NEAR(body(result, "ball").velocity.z, -1.0 + P / mass, 1e-12) << s;
    EXPECT_NEAR(testing::joint(result, "shoulder").v[0], a * P, 1e-12) << s;
    EXPECT_NEAR(testing::joint(result, "elbow").v[0], (b - a) * P, 1e-12) << s;
    EXPECT_NEAR(result.events[0].energy_lost, 0.5 * (1.0 - e) * P, 1e-12) << s;
    if (s == percussion) {
      EXPECT_NEAR(testing::joint(result, "shoulder").v[0], 0.0, 1e-12);
    }
  }
}

std::string findings_of(const std::string& text) {
  try {
    model_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(RigidPairs, ThatAreNotKnownAreRefused) {
  const std::string head =
      "carom: 1\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n";
  std::string tail = "contact: {method: rigid, restitution: 0.5, mu_k: 0.3}\nrun: {until: 1}\n";
  const auto on_floor = [&](const std::string& shape, double z) {
    return findings_of(head + "  body: {mass: 1, inertia: [1, 1, 1], shapes: [{" + shape +
                       "}], position: [0, 0, " + text_of(z) + "]}\n" + tail);
  };
  EXPECT_EQ(on_floor("sphere: {radius: 0.1}", 1.0), "");
  EXPECT_EQ(on_floor("box: {size: [1, 1, 1]}", 0.5), "");
  EXPECT_EQ(on_floor("cylinder: {radius: 0.1, length: 1}", 1.0), "");
  EXPECT_EQ(on_floor("cone: {radius: 0.1, length: 1}", 1.0), "");
  EXPECT_EQ(on_floor("beam: {length: 0.3, width: 0.1, thickness: 0.05}", 1.0), "");
  EXPECT_NE(on_floor("cylinder: {radius: 0.1, length: 1}", 0.09).find("'floor' and 'body' overlap"),
            std::string::npos);
  EXPECT_EQ(on_floor("pipe: {outer_radius: 0.1, inner_radius: 0.05, length: 1}", 1.0), "");
  EXPECT_NE(on_floor("sphere: {radius: 0.1}", 0.09).find("'floor' and 'body' overlap"),
            std::string::npos);
  const auto on_box = [&](const std::string& shape) {
    return findings_of(head +
                       "  a: {mass: 1, inertia: [1, 1, 1], shapes: [{box: {size: [1, 1, 1]}}], "
                       "position: [0, 0, 0.5]}\n  b: {mass: 1, inertia: [1, 1, 1], shapes: [{" +
                       shape + "}], position: [0, 0, 1.5]}\n" + tail);
  };
  EXPECT_EQ(on_box("box: {size: [1, 1, 1]}"), "");
  EXPECT_NE(on_box("box: {size: [1, 1, 1.01]}").find("'a' and 'b' overlap"), std::string::npos);
  EXPECT_EQ(on_box("ellipsoid: {radii: [0.2, 0.3, 0.5]}"), "");
  EXPECT_EQ(on_box("superquadric: {radii: [0.1, 0.1, 0.1], exponents: [4, 4]}"), "");  // by steps
  tail.replace(tail.find("until"), 5, "integrator: erk8, until");
  for (const char* shape :
       {"cylinder: {radius: 0.1, length: 0.2}", "cone: {radius: 0.1, length: 1}",
        "pipe: {outer_radius: 0.1, inner_radius: 0.05, length: 0.2}",
        "beam: {length: 0.3, width: 0.1, thickness: 0.05}"}) {
    EXPECT_EQ(on_box(shape), "") << shape;
  }
  for (const char* shape : {"superquadric: {radii: [0.1, 0.1, 0.1], exponents: [4, 4]}"}) {
    EXPECT_NE(on_box(shape).find("is not known"), std::string::npos) << shape;
    EXPECT_NE(on_box(shape).find("contact.pairs"), std::string::npos) << shape;
  }
}

// Boxes thrown at random come to rest; energy never comes from nothing, and gaps stay closed.
TEST(RigidBox, ThrownAtRandomComesToRest) {
  std::mt19937 random(7);
  const auto within = [&](double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(random);
  };
  for (int k = 0; k < 8; ++k) {
    Thrown box = box_of({within(0.2, 1), within(0.2, 1), within(0.2, 1)});
    box.position = {0, 0, 1.5}, box.rotation = {within(-3, 3), within(-3, 3), within(-3, 3)};
    box.velocity = {within(-1, 1), within(-1, 1), within(-1, 1)};
    box.turn = {within(-5, 5), within(-5, 5), within(-5, 5)};
    box.restitution = within(0, 0.7), box.mu = within(0.05, 1.2);
    box.until = 20.0, box.tolerance = 1e-9;
    const RunResult result = run_text(scene_of(box));
    EXPECT_LT(norm(body(result, "body").velocity), 1e-12) << k;
    EXPECT_LT(norm(body(result, "body").angular_velocity), 1e-12) << k;
    EXPECT_LT(std::abs(result.energy.residual), 1e-7 * result.turned_over) << k;
    EXPECT_LT(result.energy.model_work, 1e-8 * result.turned_over) << k;
    for (const EngineEvent& e : result.events) {
      if (e.kind != "impact") continue;
      EXPECT_GE(e.energy_lost, -1e-14 * result.turned_over) << k;
    }
    EXPECT_LT(result.statistics.constraint_error, 1e-14) << k;
  }
}

// A state that is saved in the middle of bouncing goes on with the same bits.
TEST(RigidBox, GoesOnFromASavedStateWithTheSameBits) {
  Thrown box = box_of({0.5, 0.3, 0.4});
  box.position = {0, 0, 1}, box.rotation = {0.3, 0.5, 0.1}, box.turn = {1, 2, 3};
  const auto model = model_of(scene_of(box));
  Simulation first(model), second(model);
  ASSERT_EQ(first.advance(0.9), AdvanceStatus::reached);
  const RunState saved = run_state_from_bytes(to_bytes(first.save()));
  second.restore(saved);
  ASSERT_EQ(first.advance(2.0), AdvanceStatus::reached);
  ASSERT_EQ(second.advance(2.0), AdvanceStatus::reached);
  EXPECT_TRUE(std::ranges::equal(first.state(), second.state()));
}

}  // namespace
}  // namespace carom
