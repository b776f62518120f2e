// Cylinders, cones and beams on a plane, with events: closed forms of rolling, tipping and rocking.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/simulation/simulation.h"
#include "rigid_scenes.h"

namespace carom {
namespace {

using testing::body;
using testing::run_text;
using testing::scene_of;
using testing::text_of;
using testing::Thrown;
using testing::times_of;

constexpr double kPi = std::numbers::pi, kG = 9.81;

/// A solid cylinder of 1 kg.
Thrown can(double radius, double length) {
  Thrown t;
  t.shape = "cylinder: {radius: " + text_of(radius) + ", length: " + text_of(length) + "}";
  const double across = (3.0 * radius * radius + length * length) / 12.0;
  t.inertia = {0.5 * radius * radius, across, across};
  return t;
}

// On its side: a line, of which both ends carry. It rolls with 2/3 of g sin.
TEST(RigidRound, CylinderRollsDownAnIncline) {
  Thrown t = can(0.1, 0.3);
  const double slope = 0.4;
  t.gravity = {kG * std::sin(slope), 0.0, -kG * std::cos(slope)};
  t.position = {0, 0, 0.1}, t.rotation = {0, 0, 0.5 * kPi};
  t.mu = 0.4, t.until = 2.0;
  const RunResult result = run_text(scene_of(t));
  const double a = 2.0 / 3.0 * kG * std::sin(slope);
  EXPECT_NEAR(body(result, "body").position.x, 0.5 * a * 4.0, 1e-9);
  EXPECT_NEAR(body(result, "body").position.y, 0.0, 1e-12);
  EXPECT_NEAR(body(result, "body").angular_velocity.y, 2.0 * a / 0.1, 1e-8);
  EXPECT_TRUE(times_of(result, "slip").empty());
}

RunResult push_can(double radius, double length, double pull, double way, double until) {
  Thrown t = can(radius, length);
  t.position = {0, 0, 0.5 * length}, t.rotation = {0, -0.5 * kPi, 0};
  t.mu = 0.9, t.restitution = 0.0, t.until = until, t.tolerance = 1e-11;
  return run_text(scene_of(t) + "forces: {push: {force: {body: body, value: [\"=" +
                  text_of(pull * std::cos(way)) + "*t\", \"=" + text_of(pull * std::sin(way)) +
                  "*t\", 0]}}}\n");
}

// A can that is pushed at its middle tips where the force times its height is the weight times its
// radius; the octagon of its eight points would give way up to 7.6 % sooner.
TEST(RigidRound, CanTipsAtItsRim) {
  const double radius = 0.1, length = 0.5, pull = 5.0;
  const double tips = kG * radius / (0.5 * length) / pull;
  const double about_rim =
      (3.0 * radius * radius + length * length) / 12.0 + radius * radius + 0.25 * length * length;
  const RunResult before = push_can(radius, length, pull, 0.0, tips * (1.0 - 1e-9));
  EXPECT_LT(norm(body(before, "body").angular_velocity), 1e-15);
  // Beyond, the moment grows with time, and the turn with its square.
  const double more = 1e-3, turn = 0.5 * pull * 0.5 * length * more * more / about_rim;
  const RunResult after = push_can(radius, length, pull, 0.0, tips + more);
  EXPECT_NEAR(norm(body(after, "body").angular_velocity), turn, 2e-3 * turn);
}

// A cone on its side rolls about its apex, which stays; its axis goes round steadily.
TEST(RigidRound, ConeRollsAboutItsApex) {
  const double radius = 0.1, height = 0.2, round = 1.3;
  const double alpha = std::atan(radius / height);
  Thrown t;
  t.shape = "cone: {radius: " + text_of(radius) + ", length: " + text_of(height) + "}";
  std::string text = scene_of(t);
  const Vec3 base{height * std::cos(alpha), 0, height * std::sin(alpha)};
  text =
      "carom: 1\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n  body: {mass: 1, "
      "shapes: [{" +
      t.shape + "}], position: " + text_of(base) + ", rotation: [0, " + text_of(kPi - alpha) +
      ", 0], velocity: [0, " + text_of(round * base.x) + ", 0], angular_velocity: [" +
      text_of(-round / std::tan(alpha)) +
      ", 0, 0]}\ncontact: {method: rigid, restitution: 0, mu_k: 0.5}\nrun: {until: 3, "
      "tolerance: 1e-11}\n";
  const RunResult result = run_text(text);
  const Vec3 p = body(result, "body").position;
  EXPECT_NEAR(p.x, base.x * std::cos(3.0 * round), 1e-8);
  EXPECT_NEAR(p.y, base.x * std::sin(3.0 * round), 1e-8);
  EXPECT_NEAR(p.z, base.z, 1e-13);
}

// A coin that rolls in a circle on one rim: weight, precession and spin balance.
TEST(RigidRound, CoinRollsInACircle) {
  const double R = 0.1, d = 0.01, theta = 1.2, Omega = 3.0;
  Thrown t = can(R, 2.0 * d);
  const double s = std::sin(theta), c = std::cos(theta), I_a = t.inertia.x, I_t = t.inertia.y;
  const double spin =
      (Omega * Omega * (I_t * s * c + s * d * (R * s + d * c)) - kG * (R * c - d * s)) /
      (Omega * (R * (R * s + d * c) + I_a * s));
  const double V = spin * R - Omega * s * d;
  // e in the plane x, z; the axis leans to the other side; both with z as sine and cosine.
  const Vec3 e{c, 0, s}, a{-s, 0, c}, tau = cross(a, e);
  t.position = R * e + d * a;
  t.rotation = {0, std::atan2(-a.z, a.x), 0};
  t.velocity = V * tau;
  t.turn = (Omega * s) * e + spin * a;
  t.mu = 0.9, t.restitution = 0.0, t.until = 1.5, t.tolerance = 1e-11;
  const RunResult result = run_text(scene_of(t));
  const Vec3 side = cross(tau, Vec3{0, 0, 1});
  const Vec3 centre = t.position - (V / Omega) * side;
  const double angle = 1.5 * Omega;
  const Vec3 at = centre + (V / Omega) * (std::cos(angle) * side + std::sin(angle) * tau);
  EXPECT_LT(norm(body(result, "body").position - at), 1e-8);
}

// A can that rocks: its face comes down, and the other side of the rim takes over (Housner).
TEST(RigidRound, CanRocksFromSideToSide) {
  const double R = 0.1, H = 0.4, start = 0.1;
  Thrown t = can(R, 2.0 * H);
  const double diagonal = std::hypot(R, H), alpha = std::atan(R / H);
  // Tilted about the y axis over the side of its rim at -x.
  const double height = diagonal * std::cos(alpha - start);
  t.position = {diagonal * std::sin(alpha - start) - R, 0, height};
  t.rotation = {0, -0.5 * kPi - start, 0};
  t.mu = 2.0, t.restitution = 0.0, t.until = 2.0, t.tolerance = 1e-11;
  const RunResult result = run_text(scene_of(t));
  const double about = t.inertia.y + R * R + H * H;
  const double ratio = (about - 2.0 * R * R) / about;
  double energy = kG * (height - H);
  int count = 0;
  for (const EngineEvent& event : result.events) {
    if (event.kind != "impact" || ++count > 3) continue;
    EXPECT_NEAR(event.value, 2.0 * R * std::sqrt(2.0 * energy / about), 1e-8) << count;
    EXPECT_NEAR(event.energy_lost, energy * (1.0 - ratio * ratio), 1e-8) << count;
    energy *= ratio * ratio;
  }
  EXPECT_GE(count, 3);
}

/// Drawn at random: bodies that come down flat on a part of a round face, or whirling.
struct FlatFall {
  const char *block, *thrown, *contact;
  double height;  ///< at which the centre of mass comes to rest [m]
};
constexpr FlatFall kFlatFalls[] = {
    // A can strikes with its whole rim, which is lower between the points of the impact than they
    // are: its gap began below zero, and was not seen to close.
    {"sphere: {radius: 0.033102867030747454}}], position: [0, 0, 0.15]",
     "cylinder: {radius: 0.045914247686637918, length: 0.093363210584449421}}], mass: 0.1, "
     "position: [0.011065726063155069, 0.0013507805577087084, 0.36], "
     "orientation: [0.70710678118654757, 0, 0.70710678118654757, 0]",
     "restitution: 0.40315357710141164, mu_k: 0.085093751514187882", 0.5 * 0.093363210584449421},
    // The face of a cone reaches over the beam on all sides: its rim cannot whirl round under it.
    // At rest the points at which the beam leans on its rims took each other's place for ever.
    {"cone: {radius: 0.057329030890606529, length: 0.081507510029636715}}], position: [0, 0, "
     "0.15], orientation: [0.70710678118654757, 0, 0.70710678118654757, 0]",
     "beam: {length: 0.082530312165033509, width: 0.049011645607437884, thickness: "
     "0.057861163733184562}}], mass: 0.1, position: [0.0055854017015976587, "
     "-0.011051393777329735, 0.36], orientation: [0.99999999998324585, 4.6572406121146091e-06, "
     "-3.4377905089722903e-06, 0]",
     "restitution: 0.45842300715153722, mu_k: 0.13107164976816052",
     0.15 + 0.5 * 0.057861163733184562},
};

// Steps end every 4 ms: where they end decides by how much the one that comes down flat errs.
TEST(RigidRound, ThatFallsOnARoundFaceComesToRest) {
  constexpr double kTolerance = 1e-8, kTurnedOver = 0.3;  // [-], [J]
  for (const FlatFall& fall : kFlatFalls) {
    Simulation simulation(testing::model_of(
        std::string("carom: 1\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n") +
        "  block: {fixed: true, shapes: [{" + fall.block + "}\n  body: {shapes: [{" + fall.thrown +
        "}\ncontact: {method: rigid, " + fall.contact +
        "}\nrun: {until: 2, integrator: erk8, tolerance: " + text_of(kTolerance) + "}\n"));
    double last = simulation.ledger().stored(), rise = 0.0;
    for (int k = 1; k <= 500; ++k) {
      ASSERT_EQ(simulation.advance(0.004 * k), AdvanceStatus::reached) << simulation.failure();
      const double now = simulation.ledger().stored();
      rise = std::max(rise, now - last), last = now;
    }
    EXPECT_LT(rise, 100.0 * kTolerance * kTurnedOver) << fall.thrown;
    const Ledger end = simulation.ledger();
    EXPECT_LT(end.kinetic, 1e-20) << fall.thrown;
    EXPECT_NEAR(end.potential, 0.1 * 9.81 * fall.height, 1e-12) << fall.thrown;
  }
}

}  // namespace
}  // namespace carom
