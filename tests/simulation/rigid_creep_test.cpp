// Slip that friction turns at acceleration over speed is stiff where it is slow: `auto` follows it
// by implicit steps, and does not creep through it.
#include <gtest/gtest.h>

#include "carom/simulation/simulation.h"
#include "contact_runs.h"

namespace carom {
namespace {

using namespace testing;

/// A brick that is thrown lands on a corner, creeps on it, and comes to stand on its smallest face.
std::string creeping_brick(const std::string& run) {
  return "carom: 1\nname: brick\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n"
         "  brick: {shapes: [{box: {size: [0.039862098779466622, 0.076607432081210194, "
         "0.038324954640697351]}}], mass: 0.1, position: [-0.19962066498989958, "
         "-0.19104567468851411, 0.15], orientation: [0.5662889912292437, -0.56124925645216261, "
         "-0.43359314292826051, 0.41989645979699963], velocity: [-0.044419206311661519, "
         "0.22399211409275521, -0.52470378396745732], angular_velocity: [3.8700392500220531, "
         "2.7868900160201902, 0.73884124441529231]}\ncontact: {method: rigid, restitution: "
         "0.035765644202133885, mu_k: 0.5015173291965912}\nrun: {" +
         run + "}\n";
}

TEST(RigidCreep, IsFollowedByImplicitSteps) {
  const RunResult r = run(model_of(creeping_brick("until: 5, tolerance: 1e-8")));
  EXPECT_EQ(r.status, RunStatus::completed) << r.reason;
  EXPECT_EQ(r.verdict.grade(), Grade::sound);
  // The explicit method alone had taken 600,000 for 0.2 ms of the creep.
  EXPECT_LT(r.statistics.counts.rhs_evaluations, 30000);
  for (const EngineEvent& e : r.events) EXPECT_NE(e.kind, "stepping_on");
  // It stands: half its length above the floor, and all that it fell and flew is lost.
  EXPECT_NEAR(r.energy.potential, 0.1 * 9.81 * 0.5 * 0.076607432081210194, 1e-12);
  EXPECT_LT(r.energy.kinetic, 1e-20);
  EXPECT_LE(std::abs(r.largest_residual), 1e-7 * r.energy_scale);
}

TEST(RigidCreep, EndsAsBySteps) {
  const auto end_of = [](const std::string& more) {
    Simulation simulation(model_of(creeping_brick("until: 1.5, " + more)));
    EXPECT_EQ(simulation.advance(1.5), AdvanceStatus::reached) << simulation.failure();
    return simulation.value("brick.position");
  };
  const std::vector<double> followed = end_of("tolerance: 1e-8");
  const std::vector<double> stepped = end_of("integrator: time_stepping, step: 2e-5");
  ASSERT_EQ(followed.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(followed[k], stepped[k], 1e-4) << k;
}

TEST(RigidCreep, GoesOnFromASavedStateToTheLastBit) {
  const auto model = model_of(creeping_brick("until: 2, tolerance: 1e-8"));
  Simulation saved(model), restored(model);
  ASSERT_EQ(saved.advance(0.66), AdvanceStatus::reached) << saved.failure();  // it creeps
  restored.restore(saved.save());
  for (Simulation* s : {&saved, &restored}) {
    ASSERT_EQ(s->advance(2.0), AdvanceStatus::reached) << s->failure();
  }
  ASSERT_EQ(saved.state().size(), restored.state().size());
  for (std::size_t i = 0; i < saved.state().size(); ++i) {
    EXPECT_EQ(saved.state()[i], restored.state()[i]) << i;
  }
}

}  // namespace
}  // namespace carom
