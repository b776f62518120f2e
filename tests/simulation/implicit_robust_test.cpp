// Implicit contact steps where scenes ask for too much: a right result or a status, never more
// energy than there was.
#include <gtest/gtest.h>

#include <cmath>

#include "contact_runs.h"

namespace carom {
namespace {

using namespace testing;

const std::string kFloor =
    "carom: 1\nname: hard\nbodies:\n"
    "  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n";
const std::string kTwo =
    kFloor +
    "  box: {material: steel, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0, 0, 0.06], "
    "velocity: [0.3, 0, 0]}\n"
    "  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0.2, 0, 0.3]}\n"
    "contact: {law: {kelvin_voigt: {stiffness: 1e15, damping: 1}}}\n"
    "run: {until: 1, integrator: implicit_contact, step: 1e-3}\n";

void expect_no_gain(const RunResult& r, const std::string& what) {
  EXPECT_GE(r.energy.dissipated_step, -1e-9 * r.energy_scale) << what;
  EXPECT_LT(std::abs(r.energy.residual), 1e-9 * r.energy_scale) << what;
  EXPECT_TRUE(std::isfinite(r.energy.kinetic)) << what;
}

TEST(ImplicitRobust, AnyStepOnStiffnessWithoutEndGainsNothing) {
  const struct {
    const char *step, *until;
  } cases[] = {{"1e-9", "1e-6"}, {"1e-3", "1"}, {"1e-2", "1"},
               {"0.1", "3"},     {"1", "20"},   {"5", "20"}};
  for (const auto& c : cases) {
    const RunResult r =
        run_text(kTwo, {std::string("run.step=") + c.step, std::string("run.until=") + c.until});
    expect_no_gain(r, c.step);
    EXPECT_GT(body(r, "ball").position.z, 0.049) << c.step;
    EXPECT_GT(body(r, "box").position.z, 0.049) << c.step;
  }
}

TEST(ImplicitRobust, ShortStepsAreThoseOfErrorControl) {
  // Of free fall only rounding is left; nothing may be lost in a million steps a second.
  const RunResult r = run_text(kTwo, {"run.step=1e-7", "run.until=1e-3"});
  EXPECT_NEAR(body(r, "ball").position.z, 0.3 - 0.5 * 9.81e-6, 1e-9);
  EXPECT_LT(std::abs(r.energy.dissipated_step), 1e-12 * r.energy_scale);
}

TEST(ImplicitRobust, DrivesThatContradictEachOtherGiveWayByTheirStiffness) {
  const std::string text =
      "carom: 1\nname: quarrel\ngravity: [0, 0, 0]\nbodies:\n"
      "  a: {mass: 1, inertia: [1, 1, 1], joint: {prismatic: {axis: x}, name: one, drive: "
      "{position: 1, stiffness: 3e12, damping: 1e6}}}\n"
      "  b: {mass: 1, inertia: [1, 1, 1], joint: {prismatic: {axis: x, at: [0, 1, 0]}, name: two, "
      "drive: {position: -1, stiffness: 1e12, damping: 1e6}}}\n"
      "couplings:\n  both: {ratio: {joints: [one, two], ratio: 1}}\n"
      "run: {until: 1, integrator: implicit_contact, step: 5e-3}\n";
  const RunResult r = run_text(text);
  EXPECT_NEAR(joint(r, "one").q[0], 0.5, 1e-3);  // (3 - 1)/(3 + 1)
  expect_no_gain(r, "drives");
}

/// What the first finding of a scene says, with its remedy.
std::string refusal_of(const std::string& text) {
  try {
    Simulation simulation(model_of(text));
  } catch (const InputError& error) {
    const Diagnostic& finding = error.diagnostics().all().front();
    return finding.message + "; " + finding.remedy;
  }
  return "";
}

const std::string kLaw =
    "contact: {law: exact, restitution: 0.3}\n"
    "run: {until: 1, integrator: implicit_contact, step: 5e-3}\n";

TEST(ImplicitRobust, ABodyWithoutRotationalInertiaIsRefused) {
  const std::string said = refusal_of(
      kFloor +
      "  ball: {mass: 1, inertia: [0, 0, 0], material: steel, shapes: [{sphere: {radius: 0.05}, "
      "mass: off}], position: [0, 0, 0.2]}\n" +
      kLaw);
  EXPECT_NE(said.find("no inertia"), std::string::npos) << said;
  EXPECT_NE(said.find("give mass and inertia"), std::string::npos) << said;
}

TEST(ImplicitRobust, BodiesInsideEachOtherAtTheStartGiveWhatTheyHold) {
  // 4 % of the radius deep; more than 5 % is refused. Elastic: damping that is meant for impacts
  // would let it out at half a millimetre per second.
  const auto text = [](double height) {
    return kFloor +
           "  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, " +
           std::to_string(height) +
           "]}\ncontact: {law: exact, restitution: 1}\n"
           "run: {until: 1, integrator: implicit_contact, step: 5e-3}\n";
  };
  const RunResult r = run_text(text(0.048));
  expect_no_gain(r, "inside");
  EXPECT_GT(body(r, "ball").position.z, 0.0499);
  EXPECT_NE(refusal_of(text(0.04)).find("move them apart"), std::string::npos);
}

TEST(ImplicitRobust, OtherFormulationsAreRefusedWithTheMethodToTake) {
  const std::string connected = refusal_of(
      "carom: 1\nbodies:\n"
      "  ball: {shapes: [{sphere: {radius: 0.015}}], mass: 0.1, position: [0, 0, 0.05]}\n"
      "  floor: {fixed: true, shapes: [{box: {size: [1, 1, 0.1]}, at: [0, 0, -0.05]}]}\n"
      "surfaces:\n  skin: {body: ball, sphere: {radius: 0.015}}\n"
      "  top: {body: floor, rectangle: {length: 1, width: 1}}\n"
      "contacts:\n  - {between: [skin, top], law: {c: 1e5, d: 10, n: 1.5, m: 1.5}}\n"
      "run: {until: 0.1, integrator: implicit_contact, step: 1e-3}\n");
  EXPECT_NE(connected.find("connected surfaces"), std::string::npos) << connected;
  EXPECT_NE(connected.find("'auto'"), std::string::npos) << connected;
  const std::string rigid = refusal_of(
      kFloor +
      "  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.2]}\n"
      "contact: {method: rigid, restitution: 0.3}\n"
      "run: {until: 1, integrator: implicit_contact, step: 5e-3}\n");
  EXPECT_NE(rigid.find("'time_stepping'"), std::string::npos) << rigid;
}

// A force that is remembered holds more energy where its spring becomes softer. Nobody has put that
// in, so friction that cuts it has not taken it: what is lost is what bristles of the same
// coefficient lose, and nothing has to be made up for as work of the model.
TEST(ImplicitRobust, RememberedForcesOfFrictionLoseNoMoreThanIsThere) {
  const std::string text =
      "carom: 1\nmaterials: {soft: {density: 2600, youngs_modulus: 3e6, poissons_ratio: 0.3}}\n"
      "bodies:\n"
      "  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}\n"
      "  box: {material: soft, shapes: [{box: {size: 0.3}}], position: [0, 0, 0.4], rotation: "
      "[0.4, 0.3, 0.2], velocity: [0.7, 1.4, 0.7], angular_velocity: [1, 2, 3]}\n"
      "contact: {law: exact, restitution: 0.3, mu_k: 0.4, friction: mindlin}\n"
      "run: {until: 2, integrator: implicit_contact, step: 5e-3}\n";
  for (const char* method : {"elastic", "triangles"}) {
    SCOPED_TRACE(method);
    const std::string by = std::string("contact.method=") + method;
    const RunResult r = run_text(text, {by});
    const RunResult bristles = run_text(text, {by, "contact.friction=elasto_plastic"});
    EXPECT_LT(std::abs(r.energy.model_work), 1e-9 * r.energy_scale);
    EXPECT_NEAR(r.energy.dissipated_friction, bristles.energy.dissipated_friction,
                0.05 * r.energy_scale);
  }
}

/// An arm, heavy and light bodies in steps of a second, of which most do not converge (drawn at
/// random). The forces of such an answer are not those that led to it: friction was booked with
/// 2.2e4 J of the 480 J that are turned over, and the run called broken later.
TEST(ImplicitRobust, FrictionTakesNoMoreThanThereIsWhereAStepDoesNotConverge) {
  const std::string text = R"(
carom: 1
name: steps of a second
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  b0: {material: rubber, mass: 0.015776, shapes: [{cone: {radius: 0.0236, length: 0.0728}}], position: [0.1907, 0.1562, 0.08], velocity: [-1.1046, 0.9725, 1.6887], angular_velocity: [7.0216, -2.5179, -2.9177]}
  b1: {material: glass, mass: 0.015041, shapes: [{box: {size: [0.0438, 0.0406, 0.0712]}}], position: [-0.1337, 0.0914, 0.1], velocity: [-0.2655, 1.5119, 0.7356], angular_velocity: [-18.5952, 11.5005, 0.8973]}
  b2: {material: rubber, mass: 96.582324, shapes: [{cone: {radius: 0.0567, length: 0.0556}}], position: [-0.0622, -0.1795, 0.12], velocity: [0.6716, 1.0442, -0.2593], angular_velocity: [17.1667, 8.7332, 12.7764]}
  b3: {material: rubber, mass: 0.501647, shapes: [{ellipsoid: {radii: [0.0306, 0.0317, 0.0452]}}], position: [0.0939, 0.1766, 0.14], velocity: [0.7198, -1.6977, 1.0253], angular_velocity: [-8.4653, -19.4795, 18.9931]}
  b4: {material: steel, mass: 0.016817, shapes: [{sphere: {radius: 0.0224}}], position: [-0.0701, 0.1173, 0.16], velocity: [1.6641, -1.6775, -1.0839], angular_velocity: [8.1474, 12.9963, -14.3844]}
  b5: {material: glass, mass: 59.129767, shapes: [{cone: {radius: 0.0525, length: 0.0612}}], position: [0.1679, -0.1012, 0.18], velocity: [-1.7167, 1.2638, -0.6332], angular_velocity: [5.1368, 2.4523, -2.2003]}
  b6: {material: glass, mass: 0.305089, shapes: [{sphere: {radius: 0.0518}}], position: [-0.1217, 0.0626, 0.2], velocity: [0.3134, -0.6048, -1.1303], angular_velocity: [-2.4214, -3.1532, -17.3539]}
  arm: {material: steel, shapes: [{box: {size: [0.4, 0.05, 0.05]}, at: [0.2, 0, 0]}], joint: {revolute: {at: [-0.3, 0.3, 0.4], axis: y}, name: j1, damping: 10, friction: {coulomb: 5}}}
  fore: {material: rubber, shapes: [{cylinder: {radius: 0.03, length: 0.3}, at: [0.15, 0, 0]}], joint: {revolute: {parent: arm, at: [0.4, 0, 0], axis: y}, name: j2, damping: 0.01}}
contact: {law: exact, restitution: 0.118, friction: elasto_plastic}
run: {until: 8, integrator: implicit_contact, step: 1}
)";
  Simulation simulation(model_of(text));
  const double start = simulation.ledger().stored();
  ASSERT_EQ(simulation.advance(1.0), AdvanceStatus::reached) << simulation.failure();
  const Ledger l = simulation.ledger();
  EXPECT_GT(simulation.statistics().counts.unconverged_steps, 0);
  EXPECT_LE(l.stored(), start);
  const double turned = l.kinetic + std::abs(start - l.potential) + l.dissipated_normal;
  EXPECT_LT(l.dissipated_friction, turned);
}

}  // namespace
}  // namespace carom
