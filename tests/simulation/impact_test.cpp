// Impacts against closed forms and against integrations by other programs.
//
// Hertz impact of a mass m with K = (4/3) E* sqrt(R), at relative speed v (Johnson, Contact
// Mechanics, section 11.4):
//
//   depth d = (5 m v² / 4 K)^(2/5),   force K d^(3/2),   time 2.9432751843 d / v     (1)
//
// Restitution of F = K d^n (1 + c d'/v0), without other forces, for every n:
//
//   c (1 + e) = ln((1 + c) / (1 - c e))                                             (2)
#include <cmath>

#include "carom/contact/normal_law.h"
#include "contact_runs.h"

namespace carom {
namespace {

using testing::body;
using testing::Impact;
using testing::impact;
using testing::joint;
using testing::only_contact;
using testing::run_text;
using testing::set;
using testing::unexplained;

struct HertzImpact {
  double depth, force, duration;
};

HertzImpact hertz(double m, double K, double v) {  // (1)
  const double d = std::pow(1.25 * m * v * v / K, 0.4);
  return {d, K * std::pow(d, 1.5), 2.9432751843247047 * d / v};
}

constexpr double ball_mass(double density, double R) {
  return density * 4.0 / 3.0 * M_PI * R * R * R;
}

// A ball on a half space, 1 us before it touches.
const char* kThrown = R"yaml(
carom: 1
gravity: [0, 0, "=-g"]
values: {g: 0, v: 1, R: 0.05, end: 0.01, rho: 8000, E: 200e9, nu: 0.3, E_floor: 200e9}
materials:
  solid: {density: $rho, youngs_modulus: $E, poissons_ratio: $nu}
  floor: {density: $rho, youngs_modulus: $E_floor, poissons_ratio: $nu}
bodies:
  floor: {fixed: true, material: floor, shapes: [{half_space: {}}]}
  ball: {material: solid, shapes: [{sphere: {radius: $R}}], position: [0, 0, "=R + 1e-6*v"], velocity: [0, 0, "=-v"]}
contact: {law: hertz, friction: none, resistance: none, restitution: 1}
run: {until: $end, tolerance: 1e-10}
)yaml";

/// Depth and force at the middle of the contact, where both are greatest.
void expect_hertz(const std::string& scene, std::vector<std::string> overrides,
                  const HertzImpact& expected, double tolerance) {
  const Impact hit = impact(run_text(scene, overrides));
  EXPECT_NEAR(hit.duration / expected.duration, 1.0, tolerance);
  EXPECT_NEAR(hit.v_out / hit.v_in, 1.0, tolerance);
  overrides.push_back(set("values.end", hit.begin + 0.5 * hit.duration));
  const RunResult middle = run_text(scene, overrides);
  EXPECT_NEAR(-only_contact(middle).phi / expected.depth, 1.0, tolerance);
  EXPECT_NEAR(only_contact(middle).normal_force / expected.force, 1.0, tolerance);
}

TEST(HertzImpact, LastsAndSinksAsTheoryPredicts) {
  const struct {
    double rho, E, nu;
  } solids[] = {{8000, 200e9, 0.3}, {2700, 69e9, 0.32}, {700, 11e9, 0.4}, {1768, 5.4e9, 0.34}};
  for (const auto& s : solids) {
    for (const double R : {0.01, 0.05}) {
      for (const double v : {0.1, 1.0, 5.0}) {
        const double K = 4.0 / 3.0 * s.E / (2.0 * (1.0 - s.nu * s.nu)) * std::sqrt(R);
        SCOPED_TRACE(::testing::Message() << "E " << s.E << " R " << R << " v " << v);
        expect_hertz(kThrown,
                     {set("values.rho", s.rho), set("values.E", s.E), set("values.E_floor", s.E),
                      set("values.nu", s.nu), set("values.R", R), set("values.v", v)},
                     hertz(ball_mass(s.rho, R), K, v), 1e-6);
      }
    }
  }
}

// From an integration at 1e-12 with located events: depth 1.5 % and time 0.7 % more.
TEST(HertzImpact, IsDeeperUnderGravity) {
  // Thrown so that the fall over the last 1e-6 s * v makes it 0.1 m/s where it touches.
  const double a = 9.81e-6, v = std::sqrt(a * a + 0.01) - a;
  std::vector<std::string> overrides{"values.g=9.81", set("values.v", v)};
  const Impact hit = impact(run_text(kThrown, overrides));
  EXPECT_NEAR(hit.v_in, 0.1, 1e-9);
  EXPECT_NEAR(hit.duration / 0.0005666172183410378, 1.0, 1e-6);
  overrides.push_back(set("values.end", hit.begin + 0.5 * hit.duration));
  const RunResult middle = run_text(kThrown, overrides);
  EXPECT_NEAR(-only_contact(middle).phi / 1.9406086367404114e-05, 1.0, 1e-6);
  EXPECT_NEAR(only_contact(middle).normal_force / 2800.8463598158264, 1.0, 1e-6);
}

TEST(HertzImpact, AluminiumBallOnARigidPlane) {
  const double K = 4.0 / 3.0 * 70e9 / (1.0 - 0.09) * std::sqrt(0.1);
  const HertzImpact expected = hertz(ball_mass(2699, 0.1), K, 0.2);
  EXPECT_NEAR(expected.force, 11369.86, 0.005);
  EXPECT_NEAR(expected.depth, 49.7172e-6, 5e-11);
  EXPECT_NEAR(expected.duration, 731.657e-6, 5e-10);
  expect_hertz(
      kThrown,
      {"values.rho=2699", "values.E=70e9", "values.E_floor=1e30", "values.R=0.1", "values.v=0.2"},
      expected, 1e-6);
}

const char* kTwoBalls = R"yaml(
carom: 1
gravity: off
values: {v1: 10, v2: -10, end: 1e-3}
materials: {glassy: {density: 2800, youngs_modulus: 48e9, poissons_ratio: 0.2}}
bodies:
  left: {material: glassy, shapes: [{sphere: {radius: 0.01}}], position: [-0.01001, 0, 0], velocity: [$v1, 0, 0]}
  right: {material: glassy, shapes: [{sphere: {radius: 0.01}}], position: [0.01001, 0, 0], velocity: [$v2, 0, 0]}
contact: {law: hertz, friction: none, resistance: none, restitution: 1}
run: {until: $end, tolerance: 1e-10}
)yaml";

TEST(HertzImpact, GlassSpheresMeet) {
  const double K = 4.0 / 3.0 * 48e9 / (2.0 * (1.0 - 0.04)) * std::sqrt(0.005);
  const HertzImpact expected = hertz(0.5 * ball_mass(2800, 0.01), K, 20.0);
  EXPECT_NEAR(expected.force, 10696.89, 0.005);
  EXPECT_NEAR(expected.depth, 274.113e-6, 5e-10);
  EXPECT_NEAR(expected.duration, 40.3395e-6, 5e-11);
  expect_hertz(kTwoBalls, {}, expected, 1e-6);
}

TEST(Impact, EqualSpheresExchangeVelocities) {
  for (const char* law : {"hertz", "exact", "flores", "hunt_crossley", "lankarani_nikravesh"}) {
    const RunResult r = run_text(kTwoBalls, {std::string("contact.law=") + law, "values.v1=3",
                                             "values.v2=-1", "run.tolerance=1e-11"});
    EXPECT_NEAR(body(r, "left").velocity.x, -1.0, 1e-9) << law;
    EXPECT_NEAR(body(r, "right").velocity.x, 3.0, 1e-9) << law;
  }
}

// Every law with friction and rolling resistance, the plane tilted about two axes. Sticking
// friction is stiff and grows rounding to what the tolerance of 1e-8 lets pass, not more.
TEST(Impact, AlongTheNormalGoesBackAlongIt) {
  const char* scene = R"yaml(
carom: 1
gravity: off
bodies:
  wall: {fixed: true, material: steel, shapes: [{half_space: {}, rotation: [0.4, -0.7, 0]}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: $at, velocity: $speed}
contact: {law: exact, friction: coulomb, restitution: 0.6, mu_k: 0.5, mu_r: 0.01}
run: {until: 0.01}
)yaml";
  const Vec3 n = cardan_xyz({0.4, -0.7, 0}) * Vec3{0, 0, 1};
  const auto list = [](const Vec3& v) {
    char text[100];
    std::snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", v.x, v.y, v.z);
    return std::string(text);
  };
  std::string text = scene;
  text.replace(text.find("$at"), 3, list(0.0501 * n));
  text.replace(text.find("$speed"), 6, list(-2.0 * n));
  for (const char* friction : {"coulomb", "lugre", "elasto_plastic", "stribeck", "makkar"}) {
    const RunResult r = run_text(text, {std::string("contact.friction=") + friction});
    const BodyState& ball = body(r, "ball");
    EXPECT_NEAR(dot(ball.velocity, n), 1.2, 1e-6) << friction;
    EXPECT_LE(norm(ball.velocity - dot(ball.velocity, n) * n), 1e-9) << friction;
    EXPECT_LE(norm(ball.angular_velocity), 2e-8) << friction;
  }
}

double measured_restitution(const std::string& law, double e, const char* tolerance) {
  const RunResult r = run_text(
      kThrown, {"contact.law=" + law, set("contact.restitution", e), "values.v=1", "values.E=1e9",
                "values.E_floor=1e9", "values.end=0.2", std::string("run.tolerance=") + tolerance});
  const Impact hit = impact(r);
  // What the ball lost is what the ledger calls dissipated.
  const double m = ball_mass(8000, 0.05);
  const double lost = 0.5 * m * (hit.v_in * hit.v_in - hit.v_out * hit.v_out);
  EXPECT_NEAR(r.energy.dissipated_normal, lost, 1e-6 * m) << law << " e " << e;
  return hit.v_out / hit.v_in;
}

TEST(Restitution, OfTheExactLawIsTheSetOne) {
  for (const double e : {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0}) {
    EXPECT_NEAR(measured_restitution("exact", e, "1e-11"), e, 1e-8) << "set " << e;
  }
}

// The other laws against the root of (2) with their own c, tabulated to 15 digits.
TEST(Restitution, OfTheOtherLawsIsWhatTheirDampingGives) {
  const struct {
    double set, hunt_crossley, lankarani_nikravesh, flores;
  } rows[] = {{0.05, 0.5014470285518352, 0.6635366517157896, 0.03289473684208143},
              {0.2, 0.5468540506572918, 0.6722624889615203, 0.15554002025734123},
              {0.5, 0.6629622000015462, 0.7252411140101972, 0.4704447793267395},
              {0.8, 0.8328697922656021, 0.8471022797876163, 0.788539125907065},
              {0.95, 0.9523701528204032, 0.9535060451421301, 0.9468288314252683}};
  for (const auto& row : rows) {
    SCOPED_TRACE(::testing::Message() << "set " << row.set);
    EXPECT_NEAR(measured_restitution("hunt_crossley", row.set, "1e-10"), row.hunt_crossley, 1e-7);
    EXPECT_NEAR(measured_restitution("lankarani_nikravesh", row.set, "1e-10"),
                row.lankarani_nikravesh, 1e-7);
    EXPECT_NEAR(measured_restitution("flores", row.set, "1e-10"), row.flores, 1e-7);
    // Above v_small Modia3D's damping is that of Flores, after its manual and in its code.
    EXPECT_NEAR(measured_restitution("modia3d_0_12", row.set, "1e-10"), row.flores, 1e-7);
    EXPECT_NEAR(measured_restitution("modia3d", row.set, "1e-10"), row.flores, 1e-7);
  }
}

TEST(Restitution, OfThePowerLawIsThatOfItsDamping) {
  const double c = 1.4327505332713764;  // (2) for e = 1/2
  const double K = 1e8;
  for (const double n : {1.0, 1.5, 2.0}) {
    const double e =
        measured_restitution("{power: {stiffness: 1e8, damping: " + std::to_string(c * K) +
                                 ", exponent: " + std::to_string(n) + "}}",
                             0.9, "1e-10");
    EXPECT_NEAR(e, 0.5, 1e-7) << "n " << n;
  }
}

}  // namespace
}  // namespace carom
