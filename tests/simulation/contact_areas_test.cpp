// Runs of contacts by their area: the ledger, a rest, what is refused, what is saved.
#include <cmath>

#include "carom/simulation/simulation.h"
#include "contact_runs.h"
#include "example_scenes.h"

namespace carom {
namespace {

using testing::body;
using testing::events_of;
using testing::only_contact;
using testing::run_example;
using testing::run_text;
using testing::set;
using testing::unexplained;

const char* kTumbling = R"yaml(
carom: 1
materials: {soft: {density: 1200, youngs_modulus: 5e6, poissons_ratio: 0.3}}
values: {tolerance: 1e-7}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  thing: {material: soft, shapes: [{box: {size: [0.1, 0.08, 0.06]}}], position: [0, 0, 0.15],
          rotation: [0.4, 0.3, 0.1], velocity: [0.3, 0, 0], angular_velocity: [1, 2, 3]}
contact: {area: {pressure: foundation, layer: 5e-3}, restitution: 0.6, mu_k: 0.4}
run: {until: 0.8, tolerance: $tolerance}
)yaml";

TEST(ContactAreas, CloseTheLedgerOfATumblingBox) {
  for (const double tolerance : {1e-5, 1e-7}) {
    const RunResult result = run_text(kTumbling, {set("values.tolerance", tolerance)});
    EXPECT_LT(unexplained(result), 100.0 * tolerance) << tolerance;
    EXPECT_GT(events_of(result, "contact_begin").size(), 2u);
    // Pressure on a plane is the gradient of the energy in every direction.
    EXPECT_LT(std::abs(result.energy.model_work), 0.01 * result.energy_scale);
  }
}

TEST(ContactAreas, CarryTheWeightAtTheDepthOfTheLayer) {
  const RunResult result = run_text(R"yaml(
carom: 1
materials: {soft: {density: 1200, youngs_modulus: 5e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  block: {material: soft, shapes: [{box: {size: [0.1, 0.08, 0.06]}}], position: [0, 0, 0.03]}
contact: {area: {pressure: foundation, layer: 5e-3}, restitution: 0.2}
run: {until: 1, tolerance: 1e-8}
)yaml");
  const double stiffness = 0.5 * 0.7 / (1.3 * 0.4) * 5e6 / 5e-3;
  const double weight = 1200.0 * 0.1 * 0.08 * 0.06 * 9.81;
  const ContactReading& c = only_contact(result);
  EXPECT_NEAR(c.normal_force, weight, 1e-6 * weight);
  EXPECT_NEAR(-c.phi, weight / (stiffness * 0.1 * 0.08), 1e-6 * -c.phi);
  EXPECT_NEAR(c.contact_area, 0.008, 1e-9);
  EXPECT_NEAR(c.peak_pressure, c.mean_pressure(), 1e-5 * c.peak_pressure);
}

TEST(ContactAreas, RefuseWhatTheyDoNotKnow) {
  const auto problem = [](const std::string& shape, const std::string& law) {
    try {
      run_text(
          "carom: 1\nbodies:\n"
          "  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n"
          "  thing: {material: steel, shapes: [" +
          shape +
          "], position: [0, 0, 1]}\n"
          "contact: {area: {layer: auto}, law: " +
          law + "}\nrun: {until: 0.01}\n");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(problem("{torus: {radius: 0.1, tube_radius: 0.02}}", "exact").find("by its area"),
            std::string::npos);
  EXPECT_NE(problem("{sphere: {radius: 0.1}}", "{kelvin_voigt: {stiffness: 1e5}}")
                .find("stiffness of its own"),
            std::string::npos);
  EXPECT_EQ(problem("{sphere: {radius: 0.1}}", "exact"), "");
}

double turned(const RunResult& r) {
  const Mat3 R =
      transpose(to_matrix(body(r, "boom").orientation)) * to_matrix(body(r, "part").orientation);
  return std::acos(std::min(1.0, 0.5 * (R.m[0] + R.m[4] + R.m[8] - 1.0)));
}

TEST(ContactAreas, HoldAGrippedCylinderWithoutATorqueCoefficient) {
  const RunResult held = run_example("gripper_area");
  EXPECT_LT(turned(held), 0.01);
  EXPECT_NEAR(body(held, "finger1").position.z, 0.015 + 0.3 * std::sin(0.7), 2e-3);
  const RunResult swung = run_example("gripper_area", {"contact.area=off"});
  EXPECT_GT(turned(swung), 0.5);
}

TEST(ContactAreas, SlowDownASpinAndMakeACurve) {
  const RunResult r = run_example("bowling"), early = run_example("bowling", {"run.until=0.5"});
  // Less spin than it began with, by the torque 8/15 mu N a, which no coefficient states.
  EXPECT_LT(body(r, "ball").angular_velocity.z, body(early, "ball").angular_velocity.z - 0.05);
  EXPECT_GT(body(r, "ball").position.y, 0.3);
  const BodyState& ball = body(r, "ball");
  EXPECT_NEAR(ball.velocity.x, 0.108 * ball.angular_velocity.y, 5e-3) << "it rolls";
}

}  // namespace
}  // namespace carom
