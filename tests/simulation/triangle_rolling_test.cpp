// Triangle surfaces that roll lose next to nothing, and those that tilt come to rest.
#include <cmath>

#include "carom/simulation/simulation.h"
#include "contact_runs.h"

namespace carom {
namespace {

using testing::body;

/// On a floor of the same kind, at rest but for what `motion` says.
std::string on_floor(const std::string& shape, const std::string& motion, double restitution,
                     const std::string& how) {
  return R"yaml(
carom: 1
materials: {soft: {density: 7800, youngs_modulus: 2.1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  body: {material: soft, shapes: [{)yaml" +
         shape + "}], " + motion + "}\ncontact: {method: triangles, mu_k: 0.5, mu_r: 0, " +
         "restitution: " + std::to_string(restitution) + "}\nrun: {" + how + "}\n";
}
double kinetic(const RunResult& r, double inertia_share) {
  const auto& b = body(r, "body");
  const double rim = 0.1 * b.angular_velocity.y;
  return 0.5 * (b.velocity.x * b.velocity.x + inertia_share * rim * rim);
}

/// At the depth at which it rests, all but without slip: 2 m/s.
constexpr const char* kBall = "sphere: {radius: 0.1}";
constexpr const char* kBallRolls =
    "position: [0, 0, 0.09243], velocity: [2, 0, 0], angular_velocity: [0, 20, 0]";
constexpr const char* kRoller = "cylinder: {radius: 0.1, length: 0.2}";
constexpr const char* kRollerRolls =
    "position: [0, 0, 0.0955], rotation: [0, 0, \"=pi/2\"], velocity: [2, 0, 0], "
    "angular_velocity: [0, 20, 0]";

// Damping acts against the rate of the depth field, which does not change where a round body rolls.
// What rolls has no law of resistance here, so that elastic contact of the same ball loses 3e-4 of
// its energy, in settling.
TEST(TriangleRolling, OfABallAndARollerLosesNextToNothingInFixedSteps) {
  struct Case {
    const char *shape, *motion;
    double share;
  };
  for (const Case& c : {Case{kBall, kBallRolls, 0.4}, Case{kRoller, kRollerRolls, 0.5}}) {
    for (const char* step : {"0.001", "0.005", "0.01"}) {
      for (const double restitution : {0.0, 0.3, 0.7, 1.0}) {
        SCOPED_TRACE(std::string(c.shape) + " " + step + " " + std::to_string(restitution));
        const std::string how =
            std::string("until: 1, integrator: implicit_contact, step: ") + step;
        const RunResult r = testing::run_text(on_floor(c.shape, c.motion, restitution, how));
        EXPECT_GT(kinetic(r, c.share), 0.99 * 2.0 * (1.0 + c.share));
        // It rolls on what its depth leaves of the radius.
        const auto& b = body(r, "body");
        EXPECT_NEAR(b.velocity.x, b.angular_velocity.y * b.position.z, 0.01);
      }
    }
  }
}

TEST(TriangleRolling, OfABallAndARollerLosesNextToNothingUnderErrorControl) {
  for (const double restitution : {0.0, 0.3, 1.0}) {
    SCOPED_TRACE(restitution);
    const std::string how = "until: 0.1, tolerance: 1e-6";
    const RunResult ball = testing::run_text(on_floor(kBall, kBallRolls, restitution, how));
    EXPECT_GT(kinetic(ball, 0.4), 0.997 * 2.8);
    const RunResult roller = testing::run_text(on_floor(kRoller, kRollerRolls, restitution, how));
    EXPECT_GT(kinetic(roller, 0.5), 0.997 * 3.0);
  }
}

// A body of flat faces that stiff rolls as the polyhedron it is: the share of its energy that every
// edge takes is that of a body that is set upright on the next one without bouncing, 2 (1 - cos a)
// / (1 + k) for a small angle a between faces, or less.
TEST(TriangleRolling, OfAStiffRollerLosesNoMoreThanItsEdgesTake) {
  constexpr double kAngle = 2.0 * 3.14159265358979 / 48.0, kPerRound = 48.0;
  const double share = 2.0 * (1.0 - std::cos(kAngle)) / 1.5;
  for (const char* how :
       {"until: 0.5, tolerance: 1e-6", "until: 0.5, integrator: implicit_contact, step: 0.001"}) {
    SCOPED_TRACE(how);
    std::string text = on_floor(kRoller,
                                "position: [0, 0, 0.0998], rotation: [0, 0, \"=pi/2\"], velocity: "
                                "[2, 0, 0], angular_velocity: [0, 20, 0]",
                                0.3, how);
    text.replace(text.find("2.1e6"), 5, "2.1e11");
    const RunResult r = testing::run_text(text);
    const double edges = body(r, "body").position.x / (0.2 * 3.14159265358979) * kPerRound;
    EXPECT_GT(kinetic(r, 0.5), 0.98 * 3.0 * std::pow(1.0 - share, edges));
    EXPECT_LT(kinetic(r, 0.5), 3.01);
  }
}

// Faces keep their damping: a cube that rocks and a roller that stands on one end come to rest.
TEST(TriangleRolling, OfFacesIsTiltingAndComesToRest) {
  for (const char* how :
       {"until: 2, tolerance: 1e-6", "until: 2, integrator: implicit_contact, step: 0.001",
        "until: 2, integrator: implicit_contact, step: 0.005"}) {
    SCOPED_TRACE(how);
    const RunResult cube = testing::run_text(
        on_floor("box: {size: [0.2, 0.2, 0.2]}",
                 "position: [0, 0, 0.115], rotation: [0.1, 0.05, 0.3]", 0.3, how));
    EXPECT_LT(norm(body(cube, "body").velocity), 1e-6);
    EXPECT_LT(norm(body(cube, "body").angular_velocity), 1e-5);
    const RunResult roller = testing::run_text(
        on_floor(kRoller, "position: [0, 0, 0.11], rotation: [0, 0.1, 0]", 0.3, how));
    EXPECT_LT(std::abs(body(roller, "body").velocity.z), 1e-4);
    EXPECT_LT(std::abs(body(roller, "body").angular_velocity.y), 1e-3);
  }
}

}  // namespace
}  // namespace carom
