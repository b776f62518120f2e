// Slip that becomes slow: it ends at the speed below which it has no direction, whatever the method
// and however the run is cut into pieces.
#include <cmath>

#include "carom/simulation/simulation.h"
#include "rigid_scenes.h"

namespace carom {
namespace {

using testing::text_of;

std::string tumbling_ellipsoid(const std::string& method) {
  return "carom: 1\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n"
         "  egg: {shapes: [{ellipsoid: {radii: [0.057630714357308488, 0.035174992258810177, "
         "0.022247822204136472]}}], mass: 0.1, position: [-0.20560128610312861, "
         "-0.20306738622322479, 0.15], orientation: [-0.43572203562517769, -0.75357462458861391, "
         "0.36695512299477262, 0.32804806134874809], velocity: [-0.89860883973416883, "
         "0.14098760851824599, 0.53025052230803094], angular_velocity: [1.6519111341338411, "
         "-4.6038704095771639, 2.4179940458943694]}\n"
         "contact: {method: rigid, restitution: 0.46181078069512449, mu_k: 0.22874382192960202}\n"
         "run: {until: 2.2, integrator: " +
         method + ", tolerance: 1e-8, output: {step: 0.1}}\n";
}

Vec3 place_in_pieces(const std::string& method, int pieces) {
  constexpr double kUntil = 2.2;
  Simulation simulation(testing::model_of(tumbling_ellipsoid(method)));
  for (int k = 1; k <= pieces; ++k) {
    if (simulation.advance(kUntil * k / pieces) == AdvanceStatus::reached) continue;
    ADD_FAILURE() << method << " in " << pieces << " pieces: " << simulation.failure();
    break;
  }
  // At 2.1153 s slip ends that turns as it does; 20,000 steps were taken there in vain.
  EXPECT_LT(simulation.statistics().counts.steps, 15000) << method;
  const std::span<const double> x = simulation.state();
  return {x[4], x[5], x[6]};
}

// At 1e-8 places agree to 1e-6: a tumbling body forgets where it was by a factor of some ten.
TEST(RigidSlowSlip, EndsInPiecesAsAtOnce) {
  const Vec3 whole = place_in_pieces("erk8", 1);
  for (const char* method : {"switching", "cvode_bdf"}) {
    for (const int pieces : {1, 220}) {
      EXPECT_LT(norm(place_in_pieces(method, pieces) - whole), 2e-6) << method << " " << pieces;
    }
  }
}

/// A bucket that is thrown, larger by a factor: with times and speeds by its root it moves alike.
std::string thrown_bucket(double factor, double until, const std::string& tolerance) {
  const double root = std::sqrt(factor);
  return "carom: 1\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n"
         "  bucket: {shapes: [{cone: {radius: " +
         text_of(factor * 0.025711489522468836) +
         ", length: " + text_of(factor * 0.062284497086203421) +
         ", top_radius: " + text_of(factor * 0.040008329230994552) + "}}], mass: 0.1, position: " +
         text_of(factor * Vec3{-0.19525843750670585, -0.20001630471795864, 0.15}) +
         ", orientation: [0.52039680233399976, -0.54832263925169422, 0.44470678171405942, "
         "0.48038040103872715], velocity: " +
         text_of(root * Vec3{-0.83535063224516459, -0.92196711161510458, -0.12820943591900291}) +
         ", angular_velocity: " +
         text_of((1.0 / root) *
                 Vec3{-4.2270021647563443, -0.11715944084205532, -3.7889191213632372}) +
         "}\ncontact: {method: rigid, restitution: 0.19319244703788041, mu_k: "
         "0.29013287815356792}\nrun: {until: " +
         text_of(root * until) + ", integrator: erk8, tolerance: " + tolerance +
         ", output: {step: 1}}\n";
}

/// Where the bucket is after a second, over its size, and what that took.
Vec3 bucket_after_a_second(double factor, const std::string& tolerance, std::int64_t& steps) {
  const double until = std::sqrt(factor);
  Simulation simulation(testing::model_of(thrown_bucket(factor, 1.0, tolerance)));
  EXPECT_EQ(simulation.advance(until), AdvanceStatus::reached) << simulation.failure();
  steps = simulation.statistics().counts.steps;
  const std::span<const double> x = simulation.state();
  return (1.0 / factor) * Vec3{x[4], x[5], x[6]};
}

// At 0.5414 s slip of its rim comes down to what steps may err by. It went on there for ever, with
// steps of 1e-9 s, as long as slip ended at a tenth of the tolerance, whatever size and speed are.
TEST(RigidSlowSlip, EndsAtTheErrorsOfTheRunForBodiesOfAnySize) {
  std::int64_t steps = 0;
  const Vec3 exact_place = bucket_after_a_second(1.0, "1e-11", steps);
  for (const double factor : {0.05, 1.0, 20.0, 400.0}) {
    const Vec3 place = bucket_after_a_second(factor, "1e-8", steps);
    EXPECT_LT(steps, 5000) << factor;
    // 1e-8 over bounces, each of which makes an error some times as large.
    EXPECT_LT(norm(place - exact_place), 1e-5) << factor;
  }
}

TEST(RigidSlowSlip, DoesNotDitherToTheEndOfARun) {
  Simulation simulation(testing::model_of(tumbling_ellipsoid("erk8")));
  double before = simulation.ledger().stored();
  for (int k = 1; k <= 50; ++k) {
    ASSERT_EQ(simulation.advance(0.1 * k), AdvanceStatus::reached) << simulation.failure();
    const Ledger ledger = simulation.ledger();
    EXPECT_LT(ledger.stored() - before, 1e-9) << simulation.time();
    before = ledger.stored();
  }
  // It dithered at 1e-8 m/s from 4.52 s on: 20,000 steps for 0.4 ms.
  EXPECT_LT(simulation.statistics().counts.steps, 20000);
}

}  // namespace
}  // namespace carom
