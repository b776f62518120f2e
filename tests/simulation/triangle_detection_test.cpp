// Patches of triangle surfaces that are found once per step and move along with the bodies in it.
#include <cmath>

#include "carom/simulation/simulation.h"
#include "contact_runs.h"

namespace carom {
namespace {

using testing::body;
using testing::events_of;

std::string detection_drop(const std::string& shape, const std::string& choice, double step) {
  return R"yaml(
carom: 1
materials: {soft: {density: 1000, youngs_modulus: 2.1e5, poissons_ratio: 0.3}}
bodies:
  anvil: {fixed: true, material: soft, shapes: [{)yaml" +
         shape + R"yaml(, mass: off}]}
  ball: {mass: 1, inertia: [0.016, 0.016, 0.016], material: soft, shapes: [{)yaml" +
         shape + R"yaml(, mass: off}], joint: {prismatic: {axis: z}, name: drop, q: 0.42}}
contact: {method: triangles, friction: none, resistance: none, restitution: 1, law: {circumference: {}}, triangles: )yaml" +
         choice + "}\nrun: {until: 0.2, integrator: rk4, step: " + std::to_string(step) + "}\n";
}
RunResult run_detection(const std::string& text) {
  RunResult result = run(testing::model_of(text));
  EXPECT_EQ(result.status, RunStatus::completed) << result.reason;
  return result;
}

const char* const kRound = "sphere: {radius: 0.2}";
const char* const kFlat = "box: {size: [0.4, 0.4, 0.4]}";

/// Faces keep their curve, and their depth is linear in the motion: nothing is left to err.
TEST(TriangleDetection, OncePerStepGivesTheSameMotionOfFaces) {
  for (const char* depth : {"mean", "memory"}) {
    const std::string choice = std::string("{depth: ") + depth + ", detection: ";
    const RunResult each = run_detection(detection_drop(kFlat, choice + "evaluation}", 2e-4));
    const RunResult once = run_detection(detection_drop(kFlat, choice + "step}", 2e-4));
    EXPECT_EQ(events_of(each, "contact_end").size(), 1u);
    EXPECT_NEAR(body(once, "ball").position.z, body(each, "ball").position.z, 1e-12) << depth;
    EXPECT_NEAR(body(once, "ball").velocity.z, body(each, "ball").velocity.z, 1e-11) << depth;
  }
}

/// What an overlap of balls grows by in a step is known at its end: an error of first order in the
/// step, that takes energy and never brings any.
TEST(TriangleDetection, OncePerStepErrsByFirstOrderOnBalls) {
  double last = 0.0;
  for (const double step : {4e-4, 2e-4, 1e-4}) {
    const RunResult each = run_detection(detection_drop(kRound, "{detection: evaluation}", step));
    const RunResult once = run_detection(detection_drop(kRound, "{detection: step}", step));
    ASSERT_EQ(events_of(once, "contact_end").size(), 1u);
    const double v_each = events_of(each, "contact_end").front().value,
                 v_once = events_of(once, "contact_end").front().value;
    const double lost = v_each - v_once;
    EXPECT_GT(lost, 0.0);
    EXPECT_LT(lost, 0.02 * v_each * step / 4e-4);
    if (last > 0.0) {
      EXPECT_NEAR(last / lost, 2.0, 0.2) << step;  // the next order is a tenth of it
    }
    last = lost;
    EXPECT_LT(once.energy.model_work, 0.0);
    EXPECT_LT(testing::unexplained(once), 1e-6);
  }
}

// Two pairs that touch all the time; samples and peaks are seen by an observer that finds anew.
const char* const kResting = R"yaml(
carom: 1
materials: {soft: {density: 1250, youngs_modulus: 2.1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  cube: {material: soft, shapes: [{box: {size: [0.2, 0.2, 0.2]}}], position: [0, 0, 0.0995], velocity: [0.3, 0, 0], angular_velocity: [0, 0, 2]}
  ring: {material: soft, shapes: [{torus: {radius: 0.1, tube_radius: 0.03}}], position: [0.5, 0, 0.0297], angular_velocity: [0, 0, 3]}
contact: {method: triangles, friction: lugre, mu_k: 0.3, restitution: 0.3, triangles: {detection: step}}
run: {until: 0.2, integrator: rk4, step: 2e-4, output: {step: 0.05}}
)yaml";

TEST(TriangleDetection, OncePerStepIsOnce) {
  std::string each = kResting;
  each.replace(each.find("detection: step"), 15, "detection: evaluation");
  const RunResult once = run_detection(kResting), often = run_detection(each);
  const double steps = 1000.0, pairs = 2.0;
  EXPECT_LT(static_cast<double>(once.statistics.mesh_detections), 1.1 * pairs * steps);
  EXPECT_GT(static_cast<double>(once.statistics.mesh_detections), 0.9 * pairs * steps);
  EXPECT_GT(static_cast<double>(often.statistics.mesh_detections), 3.0 * pairs * steps);
  for (const char* name : {"cube", "ring"}) {
    const Vec3 apart = body(once, name).position - body(often, name).position;
    EXPECT_LT(norm(apart), 1e-4) << name;  // it has gone 35 mm
  }
}

/// What is kept follows from where the step began, so nothing of it has to be saved.
TEST(TriangleDetection, OncePerStepGoesOnFromASavedStateToTheBit) {
  const auto model = testing::model_of(kResting);
  Simulation saved(model), restored(model);
  ASSERT_EQ(saved.advance(0.05), AdvanceStatus::reached);
  restored.restore(saved.save());
  ASSERT_EQ(saved.advance(0.1), AdvanceStatus::reached);
  ASSERT_EQ(restored.advance(0.1), AdvanceStatus::reached);
  EXPECT_TRUE(std::ranges::equal(saved.state(), restored.state()));
}

TEST(TriangleDetection, OncePerStepIsRefusedWhereStepsAreNotFixedAndExplicit) {
  const auto complaint = [](const std::string& how) {
    std::string text = kResting;
    const std::size_t at = text.find("integrator: rk4, step: 2e-4");
    text.replace(at, 27, how);
    try {
      check_run(testing::model_of(text));
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  for (const char* how : {"tolerance: 1e-6", "integrator: erk8", "integrator: cvode_bdf",
                          "integrator: implicit_contact, step: 1e-3"}) {
    const std::string text = complaint(how);
    EXPECT_NE(text.find("explicit methods with fixed steps"), std::string::npos) << how << text;
  }
  EXPECT_EQ(complaint("integrator: semi_implicit_euler, step: 1e-4"), "");
  EXPECT_EQ(complaint("step: 1e-4"), "");  // 'auto' is rk4 then
}

}  // namespace
}  // namespace carom
