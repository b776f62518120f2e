// What implicit steps record of their forces, and contact areas in them.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/record/memory_writer.h"
#include "contact_runs.h"
#include "scene_runs.h"

namespace carom {
namespace {

Recording record_of(const std::string& text, std::vector<std::string> settings = {}) {
  MemoryWriter memory;
  RunOptions options;
  options.recorder = &memory;
  const RunResult r = run(testing::model_of(text, std::move(settings)), options);
  EXPECT_EQ(r.status, RunStatus::completed) << r.reason;
  return memory.take();
}

/// Impulse of the contacts of a body over the rows, and the momentum that it has gained.
struct ImpulseAndMomentum {
  Vec3 impulse, momentum;
};

ImpulseAndMomentum balance_of(const Recording& r, const std::string& body, double mass, double h) {
  ImpulseAndMomentum out;
  const char* const axes[] = {"x", "y", "z"};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::vector<double> force = r.column(body + ".contact_force." + axes[k]);
    const std::vector<double> v = r.column(body + ".velocity." + axes[k]);
    for (std::size_t i = 1; i < force.size(); ++i) out.impulse[k] += h * force[i];
    out.momentum[k] = mass * (v.back() - v.front());
    if (k == 2) out.momentum[k] += mass * 9.81 * h * static_cast<double>(force.size() - 1);
  }
  return out;
}

const char* const kTumble = R"(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  low: {material: steel, shapes: [{box: {size: [0.04, 0.04, 0.04]}}], position: [0, 0, 0.06], velocity: [0.2, 0, 0], angular_velocity: [5, 3, 9]}
  high: {material: steel, shapes: [{box: {size: [0.04, 0.04, 0.04]}}], position: [0.005, 0.003, 0.11], angular_velocity: [-5, 3, 2]}
contact: {restitution: 0.4, mu_k: 0.3}
run: {until: 0.5, integrator: implicit_contact, step: 0.001, output: {step: 0.001}}
)";

/// A law evaluated where steps end said 1.3 MN of these boxes of half a kilogram. At 5 ms rows that
/// were meant for the end of a step fell into the next one by rounding, and missed 1.6 %.
TEST(ImplicitForces, AddUpToTheMomentumOfBodiesThatTumble) {
  constexpr double kMass = 8000.0 * 0.04 * 0.04 * 0.04;
  for (const double step : {0.001, 0.005}) {
    const Recording r =
        record_of(kTumble, {testing::set("run.step", step), testing::set("run.output.step", step)});
    for (const char* body : {"low", "high"}) {
      SCOPED_TRACE(body + std::to_string(step));
      const ImpulseAndMomentum b = balance_of(r, body, kMass, step);
      EXPECT_LT(norm(b.impulse - b.momentum), 1e-6 * norm(b.momentum));
    }
  }
}

/// Long rods that whirl onto each other: some steps are halved, and rows are means over the whole.
const char* const kWhirl = R"(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  a: {material: steel, mass: 1, shapes: [{box: {size: [0.3, 0.02, 0.02]}}], position: [0, 0, 0.10], velocity: [0, 0, -11], angular_velocity: [3, 200, 9]}
  b: {material: steel, mass: 1, shapes: [{box: {size: [0.02, 0.3, 0.02]}}], position: [0.05, 0, 0.20], velocity: [0, 0, -4], angular_velocity: [-50, 3, 56]}
contact: {restitution: 0.4, mu_k: 0.3}
run: {until: 0.4, integrator: implicit_contact, step: 0.01, output: {step: 0.01}}
)";

TEST(ImplicitForces, AddUpWhereStepsAreHalved) {
  const RunResult run = testing::run_text(kWhirl);
  ASSERT_GT(run.statistics.counts.rejected_steps, 0);
  const Recording r = record_of(kWhirl);
  for (const char* body : {"a", "b"}) {
    SCOPED_TRACE(body);
    const ImpulseAndMomentum b = balance_of(r, body, 1.0, 0.01);
    EXPECT_LT(norm(b.impulse - b.momentum), 1e-6 * norm(b.momentum));
  }
}

const char* const kAreaBall = R"(
carom: 1
materials: {rubber: {density: 1100, youngs_modulus: 5e6, poissons_ratio: 0.45}}
bodies:
  floor: {fixed: true, material: rubber, shapes: [{half_space: {}}]}
  ball: {material: rubber, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.0499], angular_velocity: [0, 0, 20]}
contact: {area: {pressure: foundation, layer: 2e-3}, restitution: 0, mu_k: 0.3, friction: coulomb}
run: {until: 1}
)";

/// Drilling friction of the pressure, beside error control.
TEST(ImplicitAreas, TurnABallAsErrorControlDoes) {
  const auto spin_of = [](const RunResult& r) {
    return testing::body(r, "ball").angular_velocity.z;
  };
  const double exact = spin_of(testing::run_text(kAreaBall));
  ASSERT_LT(exact, 16.0);
  for (const char* step : {"1e-3", "5e-3"}) {
    const RunResult r = testing::run_text(
        kAreaBall, {"run.integrator=implicit_contact", std::string("run.step=") + step});
    EXPECT_NEAR(spin_of(r), exact, 2e-3 * (20.0 - exact)) << step;
    const double weight = 9.81 * 1100.0 * 4.0 / 3.0 * 3.14159265358979 * std::pow(0.05, 3);
    EXPECT_NEAR(testing::only_contact(r).normal_force, weight, 1e-6 * weight) << step;
  }
}

/// Twenty bounces without loss, where the step resolves the contact (60 steps each).
TEST(ImplicitAreas, BounceWithoutLossWhereTheStepResolvesThem) {
  const std::vector<std::string> settings{"contact.restitution=1", "contact.mu_k=0",
                                          "bodies.ball.position=[0, 0, 0.1]",
                                          "run.integrator=implicit_contact", "run.until=2"};
  std::vector<std::string> fine = settings;
  fine.push_back("run.step=5e-5");
  const RunResult r = testing::run_text(kAreaBall, fine);
  EXPECT_LT(r.energy.dissipated_step, 0.005 * r.turned_over);
  EXPECT_GT(r.energy.dissipated_step, -1e-9 * r.turned_over);
}

/// Dice of high exponents touch by areas, at steps far longer than their blows.
TEST(ImplicitAreas, LetDiceComeToRestAtLongSteps) {
  const RunResult r = testing::run_text(R"(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  low: {material: steel, shapes: [{superquadric: {radii: [0.02, 0.02, 0.02], exponents: [20, 20]}}], position: [0, 0, 0.05], angular_velocity: [1, 0.5, 3]}
contact: {restitution: 0.4, mu_k: 0.3}
run: {until: 1, integrator: implicit_contact, step: 0.002}
)");
  EXPECT_LT(r.energy.kinetic, 1e-6);
  EXPECT_LT(r.largest_residual, 1e-12 * r.turned_over);
  double force = 0.0;
  for (const ContactLine& c : r.contacts) force += c.reading.force.z;
  EXPECT_GT(force, 0.0);
}

}  // namespace
}  // namespace carom
