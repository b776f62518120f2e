// Rigid contact of one body: closed forms, and the ellipsoid of Kossenko (2005) after a reference
// of 25 digits (Taylor series of flights, impacts in closed form) and after a second program with
// other equations.
#include <numbers>

#include "rigid_scenes.h"

namespace carom {
namespace {

using testing::body;
using testing::box_of;
using testing::landing_of;
using testing::model_of;
using testing::run_text;
using testing::scene_of;
using testing::Thrown;
using testing::times_of;

constexpr double kGravity = 9.81;

TEST(RigidBall, LandsWhereTheSeriesOfItsBouncesEnds) {
  for (const double e : {0.3, 0.5, 0.8, 0.9}) {
    Thrown ball;
    ball.position = {0, 0, 1.1}, ball.restitution = e, ball.until = 10.0;
    const RunResult result = run_text(scene_of(ball));
    const double fall = std::sqrt(2.0 / kGravity), end = fall * (1.0 + e) / (1.0 - e);
    EXPECT_NEAR(landing_of(result), end, 1e-12 * std::max(1.0, end)) << e;
    EXPECT_NEAR(result.energy.dissipated_normal, kGravity, 1e-12 * kGravity) << e;
    EXPECT_EQ(times_of(result, "landing").size(), 1u);
    EXPECT_NEAR(body(result, "body").position.z, 0.1, 1e-16);
    EXPECT_LT(norm(body(result, "body").velocity), 1e-15);
  }
}

// What bodies travel in the time to which instants are located, 4 eps t, is no depth: at 18 m/s and
// 5 s it is 9e-14 m, more than a gap of such bodies resolves.
TEST(RigidBall, LandsHoweverSmallAndFastItIs) {
  const double falls[][3] = {{0.02, 20, 0.9}, {0.001, 5, 0.7}, {0.02, 2, 0.99}, {1e-4, 50, 0.5}};
  for (const auto& [radius, height, e] : falls) {
    const double fall = std::sqrt(2.0 * height / kGravity), end = fall * (1.0 + e) / (1.0 - e);
    Thrown ball;
    ball.shape = "sphere: {radius: " + testing::text_of(radius) + "}";
    ball.position = {0, 0, height + radius}, ball.restitution = e, ball.until = 1.1 * end;
    const RunResult result = run_text(scene_of(ball));
    EXPECT_EQ(result.status, RunStatus::completed) << radius;
    EXPECT_NEAR(landing_of(result), end, 1e-11 * end) << radius;
    EXPECT_EQ(times_of(result, "stepping_on").size(), 0u) << radius;
  }
}

// While it slips one way, bounces change neither way nor spin: friction takes mu m g in the mean.
TEST(RigidBall, SlidesOnAsIfItHadNotBounced) {
  Thrown ball;
  ball.position = {0, 0, 0.3}, ball.velocity = {9, 0, 0}, ball.mu = 0.1, ball.restitution = 0.6;
  ball.until = 2.0;
  const RunResult result = run_text(scene_of(ball));
  const double fall = std::sqrt(0.4 / kGravity), speed = kGravity * fall;
  ASSERT_GT(2.0, landing_of(result));
  const double slows = ball.mu * (kGravity * (2.0 - fall) + speed);
  EXPECT_NEAR(body(result, "body").velocity.x, 9.0 - slows, 1e-12);
  EXPECT_NEAR(body(result, "body").angular_velocity.y, slows / (0.4 * 0.1), 1e-10);
  EXPECT_LT(std::abs(result.energy.residual), 1e-11);
}

// Of a ball of inertia 2/5 m R^2: slip u = v - w R ends after 2 u / (7 mu g), at the speed
// (5 v + 2 w R) / 7.
TEST(RigidBall, RollsWhereItsSlipEnds) {
  const double starts[][4] = {{0.1, 0.2, 2, 0},
                              {0.1, 0.2, 2, -30},
                              {0.1, 0.2, 2, -80},
                              {1, 0.01, 2.05, 0},
                              {0.1, 0.2, 0, 50}};
  for (const auto& [R, mu, v, w] : starts) {
    Thrown ball;
    ball.shape = "sphere: {radius: " + testing::text_of(R) + "}";
    ball.inertia = 0.4 * R * R * Vec3{1, 1, 1};
    ball.position = {0, 0, R}, ball.velocity = {v, 0, 0}, ball.turn = {0, w, 0};
    ball.mu = mu;
    const double end = 2.0 * std::abs(v - w * R) / (7.0 * mu * kGravity);
    ball.until = 1.5 * end;
    const RunResult result = run_text(scene_of(ball));
    const std::vector<double> stops = times_of(result, "stick");
    ASSERT_EQ(stops.size(), 1u);
    EXPECT_NEAR(stops[0], end, 1e-12 * std::max(1.0, end));
    EXPECT_NEAR(body(result, "body").velocity.x, (5.0 * v + 2.0 * w * R) / 7.0, 1e-12);
    const Vec3 slip = body(result, "body").velocity +
                      cross(body(result, "body").angular_velocity, Vec3{0, 0, -R});
    EXPECT_LT(norm(slip), 1e-14);
  }
}

TEST(RigidBox, StaysOnAnInclineBelowItsFrictionAndSlidesAbove) {
  for (const double share : {1.0 - 1e-9, 1.0 + 1e-9}) {
    Thrown box = box_of({1, 1, 0.5});
    const double mu = 0.5, slope = std::atan(mu * share);
    box.position = {0, 0, 0.25}, box.mu = mu, box.until = 600.0;
    box.gravity = kGravity * Vec3{std::sin(slope), 0, -std::cos(slope)};
    const RunResult result = run_text(scene_of(box));
    const Vec3 v = body(result, "body").velocity, p = body(result, "body").position;
    if (share < 1.0) {
      EXPECT_LT(norm(v), 1e-15);
      EXPECT_LT(std::hypot(p.x, p.y), 1e-14);
    } else {
      EXPECT_NEAR(v.x, 600.0 * (box.gravity.x + mu * box.gravity.z), 1e-11);
    }
  }
}

// A box that slides and does not tip: a = g (sin - mu cos).
TEST(RigidBox, SlidesOrTipsOnAnIncline) {
  Thrown box = box_of({1, 1, 2});
  const double slope = 25.0 * std::numbers::pi / 180.0;
  box.position = {0, 0, 1}, box.mu = 0.3, box.restitution = 0.0;
  box.gravity = kGravity * Vec3{std::sin(slope), 0, -std::cos(slope)};
  RunResult result = run_text(scene_of(box));
  EXPECT_NEAR(body(result, "body").velocity.x, 1.4786213304274006272, 1e-12);
  EXPECT_LT(norm(body(result, "body").angular_velocity), 1e-13);
  box = box_of({1, 1, 4});
  const double flatter = 20.0 * std::numbers::pi / 180.0;
  box.position = {0, 0, 2}, box.mu = 0.3, box.restitution = 0.0, box.until = 0.2;
  box.gravity = kGravity * Vec3{std::sin(flatter), 0, -std::cos(flatter)};
  result = run_text(scene_of(box));
  EXPECT_GT(body(result, "body").angular_velocity.y, 1e-3);  // tips over its lower edge
}

// Newton's law with Coulomb friction at the lower edge, a plane problem of two equations.
TEST(RigidBox, StrikesWithAnEdge) {
  struct Case {
    double w, h, tilt, e, mu, corner, vx, vz, turn;
  };
  const Case cases[] = {
      {1, 1, 30, 0.5, 0, 0.68301270189221932338, 0, 1.1029270968845136096, 6.0749682981308077201},
      {1, 1, 30, 0.5, 0.3, 0.68301270189221932338, 1.2457819457071931736, 1.8809171927374949228,
       1.82395135881935602},
      {1, 1, 45, 0.5, 0.5, 0.7071067811865475244, 0, 2.2147234590350100863, 0},
      {1, 0.5, 60, 0.7, 0.2, 0.55801270189221932338, 0.3377662209716172608, 3.0803390688995641586,
       0.60530202955282749657}};
  for (const Case& c : cases) {
    Thrown box = box_of({c.w, 1, c.h});
    box.position = {0, 0, 1.0 + c.corner};
    box.rotation = {0, -c.tilt * std::numbers::pi / 180.0, 0};
    box.restitution = c.e, box.mu = c.mu;
    box.until = std::sqrt(2.0 / kGravity) + 1e-10;
    const RunResult result = run_text(scene_of(box));
    ASSERT_EQ(times_of(result, "impact").size(), 1u);
    const Vec3 v = body(result, "body").velocity;
    EXPECT_NEAR(v.x, c.vx, 2e-12) << c.tilt;
    EXPECT_NEAR(v.z + kGravity * 1e-10, c.vz, 2e-12) << c.tilt;
    EXPECT_NEAR(body(result, "body").angular_velocity.y, c.turn, 2e-12) << c.tilt;
  }
}

// Housner (1963): each impact leaves 1 - 3/2 sin^2 of the speed, the times between are elliptic
// integrals.
TEST(RigidBox, RocksFromEdgeToEdge) {
  const double b = 0.2, h = 1.0, tilt = 0.098697779924940379185;
  Thrown box = box_of({b, 1, h});
  box.position = {0.5 * (h * std::sin(tilt) - b * std::cos(tilt)), 0,
                  0.5 * (b * std::sin(tilt) + h * std::cos(tilt))};
  box.rotation = {0, tilt, 0};
  box.restitution = 0.0, box.mu = 2.0, box.until = 2.5, box.tolerance = 1e-13;
  const std::vector<double> impacts = times_of(run_text(scene_of(box)), "impact");
  const double expected[] = {0.34709358678888130685, 0.95092053647766824072, 1.4879396431052670336,
                             1.9720723345114980516, 2.4125504879839927828};
  ASSERT_EQ(impacts.size(), std::size(expected));
  for (std::size_t i = 0; i < impacts.size(); ++i) EXPECT_NEAR(impacts[i], expected[i], 1e-10);
}

Thrown ellipsoid(double height) {
  Thrown egg;  // Kossenko's y is up: his axes y, z, x are z, x, y here
  egg.shape = "ellipsoid: {radii: [1.3, 1.2, 1.0]}";
  egg.inertia = {0.488, 0.538, 0.626};
  egg.position = {0, 0, height}, egg.velocity = {0, 0.05, 0}, egg.turn = {2, 0, -10};
  egg.mu = 0.01, egg.tolerance = 1e-11;
  return egg;
}

TEST(RigidEllipsoid, BouncesAndLandsAsItsReference) {
  Thrown egg = ellipsoid(5.0);
  egg.until = 3.0;
  const RunResult result = run_text(scene_of(egg));
  const std::vector<double> impacts = times_of(result, "impact");
  ASSERT_GE(impacts.size(), 20u);
  EXPECT_NEAR(impacts[0], 0.9014062766744604451369431, 1e-10);
  EXPECT_NEAR(impacts[4], 2.470116171060375293252033, 1e-10);
  EXPECT_NEAR(impacts[9], 2.714177948438864179696253, 1e-10);
  EXPECT_NEAR(impacts[19], 2.71814911015797031945144, 1e-10);
  EXPECT_NEAR(landing_of(result), 2.71815296044687255688517, 1e-9);
  EXPECT_LT(std::abs(result.energy.residual), 1e-9);
}

// It rises from its shortest axis to its longest, and sticks and slips on the way.
TEST(RigidEllipsoid, RisesAsItsReference) {
  Thrown egg = ellipsoid(1.0);
  egg.until = 100.0;
  const RunResult result = run_text(scene_of(egg));
  const std::vector<double> sticks = times_of(result, "stick"), slips = times_of(result, "slip");
  ASSERT_GE(sticks.size(), 4u);
  EXPECT_NEAR(sticks[0], 61.80300607546027, 1e-7);
  EXPECT_NEAR(slips[0], 61.9067837318337, 1e-7);
  EXPECT_NEAR(sticks[3], 98.08446731485839, 1e-7);
  const Vec3 p = body(result, "body").position;
  EXPECT_NEAR(p.y, 0.9485123428977197, 3e-7);
  EXPECT_NEAR(p.z, 1.29826466326287, 3e-7);
  EXPECT_NEAR(p.x, 0.7736000289697061, 3e-7);
  EXPECT_TRUE(times_of(result, "lift_off").empty());
}

}  // namespace
}  // namespace carom
