// Demos of rigid contact: what each must show, by closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "contact_runs.h"
#include "example_scenes.h"

namespace carom {
namespace {

using namespace testing;

TEST(RigidBilliards, BallsLeaveAlongTheLinesOfCentresAndRollWithFiveSevenths) {
  const RunResult r = run_example("rigid_billiards");
  const std::vector<EngineEvent> impacts = events_of(r, "impact");
  ASSERT_EQ(impacts.size(), 2u);
  // Half of a radius aside: sin = 1/2. The cue ball has slid under mu g until it comes there.
  const double radius = 0.02625, way = 0.3 - 2 * radius * std::sqrt(0.75);
  const double speed = std::sqrt(9.0 - 2 * 0.2 * 9.81 * way);
  EXPECT_NEAR(impacts[0].value, speed * std::sqrt(0.75), 1e-9);
  EXPECT_NEAR(impacts[0].separation, impacts[0].value, 1e-9);
  // The last ball keeps its direction, and 5/7 of the speed with which it was struck.
  const Vec3 v = body(r, "blue").velocity;
  EXPECT_NEAR(norm(v), 5.0 / 7.0 * impacts[1].value, 1e-8);
  const Vec3 p = body(r, "blue").position - Vec3{0.4, 0.25, radius};
  EXPECT_NEAR(norm(cross(p, v)), 0.0, 1e-8);
  EXPECT_NEAR(radius * norm(body(r, "blue").angular_velocity), norm(v), 1e-8);
}

TEST(RigidRack, OpensToBothSidesAndMakesNoEnergy) {
  const RunResult r = run_example("rigid_rack");
  double sum = 0.0, widest = 0.0;
  for (const BodyState& b : r.bodies) {
    if (b.name == "cloth") continue;
    sum += b.velocity.y, widest = std::max(widest, std::abs(b.position.y));
  }
  EXPECT_NEAR(sum, 0.0, 0.5);  // of 5 m/s; rounding decides who strikes whom second
  EXPECT_GT(widest, 0.3);
  EXPECT_LE(r.energy.kinetic, 0.5 * 0.17 * 1.4 * 25.0);
  EXPECT_LE(std::abs(r.energy.residual), 1e-12 * r.energy_scale);
}

TEST(BoxOnCorner, ComesToRestOnAFaceWithinItsFriction) {
  const RunResult r = run_example("box_on_corner");
  EXPECT_NEAR(body(r, "cube").position.z, 0.1, 1e-12);
  EXPECT_LE(norm(body(r, "cube").velocity), 1e-12);
  // From the diagonal to the face: m g (a sqrt(3)/2 cos 0.05 - a/2).
  const double fall = 9.81 * (0.1 * std::sqrt(3.0) * std::cos(0.05) - 0.1);
  EXPECT_NEAR(r.energy.dissipated_normal + r.energy.dissipated_friction, fall, 1e-8);
}

TEST(Dominoes, AllTwentyFallInTurn) {
  const RunResult r = run_example("dominoes");
  for (const BodyState& b : r.bodies) {
    if (b.name == "table") continue;
    EXPECT_LT(b.position.z, 0.02) << b.name;
  }
  // Each strikes its neighbour for the first time after the one before has.
  double last = 0.0;
  for (int i = 1; i < 20; ++i) {
    const std::string a = "d" + std::to_string(i), c = "d" + std::to_string(i + 1);
    double first = kInf;
    for (const EngineEvent& e : events_of(r, "impact")) {
      if (e.subject == a && e.other == c) first = std::min(first, e.time);
    }
    EXPECT_GT(first, last) << a;
    last = first;
  }
  EXPECT_LT(last, 1.2);
}

TEST(TippeTop, TurnsUpsideDownAndKeepsJellettsIntegral) {
  const RunResult r = run_example("tippe_top");
  const BodyState top = body(r, "top");
  // The centre of the ball stays at its radius; the centre of mass was 3 mm below, and is above.
  const auto axis = [](const Quat& q) { return to_matrix(q) * Vec3{0, 0, 1}; };
  EXPECT_LT(axis(top.orientation).z, -0.95);  // it nutates on
  // Jellett: L . (from the centre of mass to the point that touches), divided by the radius.
  const auto jellett = [&](const Vec3& k, const Vec3& w) {
    const Vec3 arm = Vec3{0, 0, -0.02} + 0.003 * k;  // inertia is that of a ball: L = I w
    return 5e-6 * dot(w, arm);
  };
  const Vec3 start{0, -std::sin(0.1), std::cos(0.1)};
  const double before = jellett(start, {0, 0, 150});
  EXPECT_NEAR(jellett(axis(top.orientation), top.angular_velocity), before,
              1e-6 * std::abs(before));
}

TEST(PassiveWalker, WalksAtTheSpeedOfItsSlope) {
  const RunResult r = run_example("passive_walker");
  const double inertia = 0.01 + 0.04, a = std::acos(-1.0) / 8;
  const double k = (0.01 + 0.04 * std::cos(2 * a)) / inertia;
  const double gain = 9.81 * 2 * 0.2 * std::sin(a) * std::sin(0.08);
  const double w = std::sqrt(2 * gain / (inertia * (1 - k * k)));
  const std::vector<EngineEvent> impacts = events_of(r, "impact");
  ASSERT_GE(impacts.size(), 8u);
  // Feet land with 2 l sin(a) w, to the first order of the step.
  double landing = 0.0;
  for (const EngineEvent& e : impacts) {
    if (e.time > 3.0) landing = std::max(landing, e.value);
  }
  EXPECT_NEAR(landing, 2 * 0.2 * std::sin(a) * w, 0.01 * w);
}

TEST(CardHouse, Stands) {
  const RunResult r = run_example("card_house");
  const auto model = example_model("card_house");
  for (const char* name : {"left", "right"}) {
    EXPECT_LE(norm(body(r, name).velocity), 1e-12) << name;
  }
  // At rest where it was put: potential energy as at the start, nothing lost.
  EXPECT_LE(r.energy.dissipated_friction + r.energy.dissipated_normal, 1e-15);
  for (const ContactLine& line : r.contacts) {
    if (line.first != "table") continue;
    EXPECT_NEAR(line.reading.normal_force, 0.002 * 9.81, 1e-9);
    const Vec3 f = line.reading.force;
    // Arm of the weight about the foot, over the height of the ridge.
    const double lean = std::acos(-1.0) / 9, height = 0.09 * std::cos(lean);
    const double arm = 0.045 * std::sin(lean) - 0.0015 * std::cos(lean);
    EXPECT_NEAR(std::abs(f.x) / f.z, arm / height, 1e-6);
  }
}

TEST(JammedGripper, HoldsItsPartAgainstThePush) {
  const RunResult r = run_example("jammed_gripper");
  EXPECT_LE(norm(body(r, "part").position - Vec3{0, 0, 1}), 1e-8);
  EXPECT_LE(norm(body(r, "part").angular_velocity), 1e-8);
  Vec3 sum;
  for (const ContactLine& line : r.contacts) {
    EXPECT_NEAR(line.reading.normal_force, 50.0, 1e-6);
    sum += (line.second == "part" ? 1.0 : -1.0) * line.reading.force;
  }
  EXPECT_NEAR(norm(sum - Vec3{0, -30, 9.81}), 0.0, 1e-6);
}

TEST(ImpulseOrForce, InstantsAndHeightsAgree) {
  const RunResult r = run_example("impulse_or_force");
  std::vector<double> rigid, elastic, speeds;
  for (const EngineEvent& e : r.events) {
    if (e.kind == "impact") rigid.push_back(e.time), speeds.push_back(e.separation);
    if (e.kind == "contact_end") elastic.push_back(e.time);
  }
  ASSERT_GE(rigid.size(), 4u);
  ASSERT_GE(elastic.size(), 4u);
  double contact = 0.0;
  std::size_t k = 0;
  for (const EngineEvent& e : events_of(r, "contact_end")) {
    contact += e.duration;
    if (k >= 4) break;
    EXPECT_LT(std::abs(e.time - rigid[k]), 2.0 * contact) << k;
    EXPECT_NEAR(e.value * e.value, speeds[k] * speeds[k], 0.01 * speeds[k] * speeds[k]) << k;
    ++k;
  }
}

TEST(RigidCradle3, LeavesAsTheResolutionSays) {
  const auto speeds = [](std::vector<std::string> words) {
    const RunResult r = run_example("rigid_cradle_3", std::move(words));
    return Vec3{body(r, "ball_0").velocity.x, body(r, "ball_1").velocity.x,
                body(r, "ball_2").velocity.x};
  };
  EXPECT_LE(norm(speeds({}) - Vec3{-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}), 1e-12);
  EXPECT_LE(norm(speeds({"contact.rigid.impact.resolution=sequential"}) - Vec3{0, 0, 1}), 1e-12);
}

}  // namespace
}  // namespace carom
