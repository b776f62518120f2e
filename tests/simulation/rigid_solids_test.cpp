// Rigid bodies with faces, edges and corners on each other: closed forms, the same on a plane, and
// independent integrations.
#include <numbers>

#include "rigid_scenes.h"

namespace carom {
namespace {

using testing::body;
using testing::run_text;
using testing::text_of;
using testing::times_of;

constexpr double kEarth = 9.81;

std::string box_text(const Vec3& size) { return "[{box: {size: " + text_of(size) + "}}]"; }

std::string scene_with(const std::string& bodies, double restitution, double mu, double until,
                       double tolerance = 1e-9) {
  return "carom: 1\nbodies:\n" + bodies +
         "contact: {method: rigid, restitution: " + text_of(restitution) +
         ", mu_k: " + text_of(mu) + "}\nrun: {until: " + text_of(until) +
         ", tolerance: " + text_of(tolerance) + ", output: {step: " + text_of(until / 20.0) +
         "}}\n";
}

constexpr const char* kFloor = "  floor: {fixed: true, shapes: [{half_space: {}}]}\n";

/// A fixed slab whose upper face is z = 0.
constexpr const char* kSlab =
    "  slab: {fixed: true, shapes: [{box: {size: [4, 4, 0.2]}}], position: [0, 0, -0.1]}\n";

std::string tower(int count, double edge, double lean, double top = 1.0) {
  std::string bodies = kFloor;
  for (int i = 0; i < count; ++i) {
    bodies += "  cube" + std::to_string(i) + ": {mass: " + text_of(i + 1 == count ? top : 1.0) +
              ", shapes: " + box_text({edge, edge, edge}) +
              ", position: " + text_of(Vec3{lean * i, 0, edge * (i + 0.5)}) + "}\n";
  }
  return bodies;
}

TEST(RigidSolids, TowersOfTenCubesStandStraightAndLeaning) {
  for (const double lean : {0.0, 0.015}) {
    const RunResult result = run_text(scene_with(tower(10, 0.2, lean), 0.3, 0.5, 60.0));
    for (int i = 0; i < 10; ++i) {
      const auto& cube = body(result, "cube" + std::to_string(i));
      EXPECT_LT(norm(cube.position - Vec3{lean * i, 0, 0.2 * (i + 0.5)}), 1e-12) << lean << i;
      EXPECT_LT(norm(cube.velocity), 1e-14);
    }
    EXPECT_TRUE(times_of(result, "impact").empty());
    EXPECT_TRUE(times_of(result, "slip").empty());
  }
}

// Forces of the weight on top are known to its rounding, which must not move what lies under it.
TEST(RigidSolids, TowersStandUnderAHeavyTop) {
  struct Case {
    int count;
    double top;
  };
  for (const Case& c : {Case{5, 1e3}, Case{3, 1e6}, Case{10, 1e6}, Case{7, 1e-6}}) {
    const RunResult result = run_text(scene_with(tower(c.count, 0.1, 0.0, c.top), 0.3, 0.5, 60.0));
    for (int i = 0; i < c.count; ++i) {
      const auto& cube = body(result, "cube" + std::to_string(i));
      EXPECT_LT(norm(cube.position - Vec3{0, 0, 0.1 * (i + 0.5)}), 1e-12) << c.top;
      EXPECT_LT(norm(cube.velocity), 1e-14) << c.top;
    }
    EXPECT_TRUE(result.events.empty()) << c.top;
  }
}

// The slab's upper face against the half space, whose corners are found by other code.
TEST(RigidSolids, OnASlabMoveAsOnAPlane) {
  const std::string thrown =
      ", position: [0, 0, 0.5], velocity: [0.3, 0, 0], angular_velocity: [1, 2, 3]}\n";
  const std::string shapes[] = {
      "  body: {mass: 1, shapes: [{box: {size: [0.4, 0.3, 0.2]}}]" + thrown,
      "  body: {mass: 1, shapes: [{capsule: {radius: 0.1, length: 0.3}}]" + thrown,
      "  body: {mass: 1, shapes: [{sphere: {radius: 0.1}}]" + thrown,
      "  body: {mass: 1, shapes: [{tetrahedron: {a: [0.2, 0.2, 0.2], b: [0.2, -0.2, -0.2], c: "
      "[-0.2, 0.2, -0.2], d: [-0.2, -0.2, 0.2]}}]" +
          thrown};
  for (const std::string& shape : shapes) {
    const RunResult slab = run_text(scene_with(kSlab + shape, 0.5, 0.3, 0.7, 1e-11));
    const RunResult plane = run_text(scene_with(kFloor + shape, 0.5, 0.3, 0.7, 1e-11));
    const std::vector<double> t = times_of(slab, "impact"), s = times_of(plane, "impact");
    ASSERT_FALSE(s.empty());
    ASSERT_FALSE(t.empty());
    EXPECT_NEAR(t[0], s[0], 1e-11) << shape;
    EXPECT_LT(norm(body(slab, "body").position - body(plane, "body").position), 1e-7) << shape;
  }
}

// A bar falls crosswise on a fixed one, edge on edge, beside its middle: without friction
// P = (1 + e) v / (1/m + y^2/I).
TEST(RigidSolids, CrossingEdgesThrowBackAsNewtonSays) {
  const double half = 0.05 * std::numbers::sqrt2, drop = 0.4, beside = 0.1, e = 0.5;
  const double turned = 0.25 * std::numbers::pi, fall = std::sqrt(2.0 * drop / kEarth);
  const std::string bars = "  lower: {fixed: true, shapes: " + box_text({0.6, 0.1, 0.1}) +
                           ", rotation: " + text_of(Vec3{turned, 0, 0}) +
                           "}\n  upper: {mass: 1, shapes: " + box_text({0.1, 0.6, 0.1}) +
                           ", position: " + text_of(Vec3{0, beside, 2.0 * half + drop}) +
                           ", rotation: " + text_of(Vec3{0, turned, 0}) + "}\n";
  const double after = 1e-9;
  const RunResult result = run_text(scene_with(bars, e, 0.0, fall + after));
  const std::vector<double> strikes = times_of(result, "impact");
  ASSERT_EQ(strikes.size(), 1u);
  EXPECT_NEAR(strikes[0], fall, 1e-12);
  const double inertia = (0.36 + 0.01) / 12.0, v = kEarth * fall;
  const double impulse = (1.0 + e) * v / (1.0 + beside * beside / inertia);
  EXPECT_NEAR(body(result, "upper").velocity.z + kEarth * after, impulse - v, 1e-9);
  EXPECT_NEAR(body(result, "upper").angular_velocity.x, -beside * impulse / inertia, 1e-9);
}

// A ball without friction comes over the edge of a table with v: its centre goes round the edge
// until 3 cos = 2 + v^2 / (g R).
TEST(RigidSolids, ABallLeavesTheEdgeOfATableWhereItsWeightNoLongerHoldsIt) {
  const double radius = 0.1, v = 0.2;
  const std::string ball =
      "  ball: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [1.9, 0, "
      "0.1], velocity: [0.2, 0, 0]}\n";
  const RunResult result = run_text(scene_with(kSlab + ball, 0.0, 0.0, 0.9, 1e-11));
  const std::vector<double> leaves = times_of(result, "lift_off");
  ASSERT_EQ(leaves.size(), 1u);
  EXPECT_GE(times_of(result, "contact_moves").size(), 1u);
  const double cosine = (2.0 + v * v / (kEarth * radius)) / 3.0;
  const double speed = std::sqrt(kEarth * radius * cosine), sine = std::sqrt(1 - cosine * cosine);
  // From there it falls.
  const double flight = 0.9 - leaves[0];
  EXPECT_NEAR(body(result, "ball").velocity.x, speed * cosine, 1e-8);
  EXPECT_NEAR(body(result, "ball").velocity.z, -speed * sine - kEarth * flight, 1e-7);
  EXPECT_NEAR(body(result, "ball").position.x, 2.0 + radius * sine + speed * cosine * flight, 1e-7);
}

// A plank whose middle is beyond the edge of the table that it lies on turns about that edge, as a
// pendulum of which the point of support does not slide: w' = g (d cos + c sin) / (k^2 + d^2 +
// c^2).
TEST(RigidSolids, APlankTurnsOverTheEdgeOfATable) {
  const double d = 0.05, c = 0.01, length = 1.0, until = 0.25;
  const std::string plank =
      "  plank: {mass: 1, shapes: [{box: {size: [1, 0.2, 0.02]}}], position: " +
      text_of(Vec3{2.0 + d, 0, c}) + "}\n";
  const RunResult result = run_text(scene_with(kSlab + plank, 0.0, 2.0, until, 1e-11));
  const double inertia = (length * length + 0.02 * 0.02) / 12.0 + d * d + c * c;
  const auto rate = [&](double a) {
    return kEarth * (d * std::cos(a) + c * std::sin(a)) / inertia;
  };
  double angle = 0.0, w = 0.0;
  const int steps = 2000;
  for (int i = 0; i < steps; ++i) {  // classical Runge-Kutta
    const double h = until / steps;
    const double k1 = rate(angle), k2 = rate(angle + 0.5 * h * w),
                 k3 = rate(angle + 0.5 * h * w + 0.25 * h * h * k1),
                 k4 = rate(angle + h * w + 0.5 * h * h * k2);
    angle += h * w + h * h / 6.0 * (k1 + k2 + k3);
    w += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  EXPECT_NEAR(body(result, "plank").angular_velocity.y, w, 1e-8);
  EXPECT_NEAR(body(result, "plank").position.x, 2.0 + d * std::cos(angle) + c * std::sin(angle),
              1e-8);
}

// Beyond 3 mu = tan + 4 / tan the rod of Painlevé has no answer; below it slides on.
TEST(RigidSolids, TheRodOfPainleveIsToldOnBothSides) {
  struct Case {
    double angle, turn;
    const char* told;
  };
  const double steep = std::atan(2.0);
  for (const Case& c : {Case{steep, 0.0, "no solution"}, Case{1.0, 0.0, "no solution"},
                        Case{0.9, 0.0, ""}, Case{1.3, 0.0, ""}}) {
    // Its lower end is at the origin and slides towards -x; the angle grows as it turns about -y.
    const Vec3 arm{std::cos(c.angle), 0, std::sin(c.angle)};
    const Vec3 turn{0, -c.turn, 0};
    const std::string rod =
        "  rod: {mass: 1, inertia: [0.3333333333333333, 0.3333333333333333, 0.3333333333333333], "
        "shapes: [{point: {}, at: " +
        text_of(-arm) + "}], position: " + text_of(arm) +
        ", velocity: " + text_of(Vec3{-5, 0, 0} + cross(turn, arm)) +
        ", angular_velocity: " + text_of(turn) + "}\n";
    const RunResult result = run(testing::model_of(scene_with(kFloor + rod, 0.0, 1.4, 0.01)));
    EXPECT_EQ(result.reason.empty(), c.told[0] == 0) << c.angle << " " << result.reason;
    EXPECT_NE(result.reason.find(c.told), std::string::npos) << result.reason;
    EXPECT_EQ(times_of(result, "paradox").size(), c.told[0] ? 1u : 0u);
  }
}

// Random bodies on a slab and on each other: they come to rest, and no energy comes from nothing.
TEST(RigidSolids, ThrownAtRandomComeToRestOnEachOther) {
  std::uint32_t state = 12345;
  const auto between = [&](double low, double high) {
    state = state * 1664525u + 1013904223u;
    return low + (high - low) * (state >> 8) / 16777216.0;
  };
  const auto vector = [&](double low, double high) {
    const double x = between(low, high), y = between(low, high);
    return Vec3{x, y, between(low, high)};
  };
  for (int trial = 0; trial < 2; ++trial) {
    std::string bodies = kSlab;
    for (int i = 0; i < 2; ++i) {
      const Vec3 size = vector(0.1, 0.3), turned = vector(-3.0, 3.0), spin = vector(-3.0, 3.0);
      const double x = between(-0.1, 0.1), y = between(-0.1, 0.1);
      bodies += "  b" + std::to_string(i) + ": {mass: 1, shapes: " + box_text(size) +
                ", position: " + text_of(Vec3{x, y, 0.35 + 0.45 * i}) +
                ", rotation: " + text_of(turned) + ", angular_velocity: " + text_of(spin) + "}\n";
    }
    const RunResult result = run_text(scene_with(bodies, 0.4, 0.6, 3.0));
    EXPECT_LT(std::abs(result.energy.residual), 1e-7) << trial;  // of some 10 J
    for (const char* name : {"b0", "b1"}) {
      EXPECT_LT(norm(body(result, name).velocity), 1e-9) << trial << name;
      EXPECT_GT(body(result, name).position.z, 0.04) << trial << name;
    }
  }
}

}  // namespace
}  // namespace carom
