// Elastic friction against Mindlin's closed forms, and dry friction of bristles against its limit.
#include <gtest/gtest.h>

#include <random>

#include "contact/law_point.h"
#include "contact/ode.h"

namespace carom {
namespace {

struct Law {
  const FrictionLaw& row;
  std::vector<double> params;
  Law(const char* name, const std::vector<std::pair<std::string, double>>& given)
      : row(*find_friction_law(name)),
        params(law_params(row, PairMaterial{}, given, row.derived)) {}
  FrictionOutput operator()(const FrictionInput& in) const {
    FrictionOutput out;
    row.evaluate(in, params, out);
    return out;
  }
};

/// A patch under 100 N with a stiffness of 1e7 N/m, on a body of 1 kg.
FrictionInput patch() {
  FrictionInput in;
  in.normal_force = 100.0, in.stiffness = 1e7, in.mass = 1.0, in.expected_load = 100.0;
  return in;
}

TEST(Mindlin, IsASpringUntilItSlipsAtExactlyMuN) {
  const Law law("mindlin", {{"mu", 0.3}, {"ratio", 0.8}});
  const auto rhs = [&](double, const State<2>& x) {
    FrictionInput in = patch();
    in.slip.x = 1e-3, in.bristle.x = x[0];
    return State<2>{law(in).bristle_rate.x, 1e-3};
  };
  auto ode = make_ode<2>(rhs, State<2>{1.0, 1.0}, 1e-10);
  FrictionInput in = patch();
  in.slip.x = 1e-3;
  for (int i = 1; i <= 100; ++i) {
    ode.run(1e-4 * i);  // slips at 30 N / 8e6 N/m = 3.75 um
    in.bristle.x = ode.x[0];
    EXPECT_NEAR(-law(in).force.x, std::min(30.0, 8e6 * ode.x[1]), 1e-6) << i;
    EXPECT_LE(-law(in).force.x, 30.0 * (1.0 + 1e-15));
    EXPECT_LE(ode.x[0], 30.0 * 1.0101) << "the memory stays at the cap";
  }
}

TEST(Mindlin, LosesNothingWhileItSticksAndNeverGives) {
  const Law law("mindlin", {{"mu", 0.3}, {"ratio", 0.8}});
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20000; ++i) {
    FrictionInput in = patch();
    in.radius = 0.01, in.age = i % 2 ? 1.0 : 0.0;
    in.load_rate = 1e6 * normal(random), in.stiffness_rate = 1e10 * normal(random);
    in.slip = 1e-2 * Vec3{normal(random), normal(random), 0.0}, in.spin = normal(random);
    const double reach = 35.0 * std::abs(std::sin(normal(random))), tilt = normal(random);
    in.bristle = reach * std::cos(tilt) * normalized(Vec3{normal(random), normal(random), 0.0});
    in.spin_bristle = reach * std::sin(tilt);
    const FrictionOutput out = law(in);
    const double power = -dot(out.force, in.slip) - out.torque * in.spin;
    const double force = std::hypot(norm(out.force), out.torque / in.radius);
    EXPECT_LE(force, 30.0 * (1.0 + 1e-14)) << i;
    EXPECT_GE(power - out.stored_power, -1e-10) << i;
    if (reach < 30.0 && in.age == 0.0) {
      EXPECT_NEAR(power, out.stored_power, 1e-10) << i;
    }
  }
}

TEST(Mindlin, StoredPowerIsTheRateOfTheEnergyUnderAConstantLoad) {
  const Law law("mindlin", {{"mu", 0.3}, {"ratio", 0.8}});
  for (const double F : {10.0, 29.0, 30.2}) {
    FrictionInput in = patch();
    in.slip.x = 1e-3, in.bristle.x = F;
    const FrictionOutput out = law(in);
    const auto energy = [&](double f) {
      in.bristle.x = f;
      return law(in).energy;
    };
    const double slope = (energy(F + 1e-4) - energy(F - 1e-4)) / 2e-4;
    EXPECT_NEAR(out.stored_power, slope * out.bristle_rate.x, 1e-6 * out.stored_power + 1e-12) << F;
  }
}

TEST(Mindlin, AShrinkingPatchTakesItsForceAlongOnlyIfPassive) {
  FrictionInput in = patch();
  in.bristle.x = 10.0, in.stiffness_rate = -2e7, in.load_rate = -100.0;
  EXPECT_EQ(Law("mindlin", {{"mu", 0.3}})(in).bristle_rate.x, 0.0);
  EXPECT_NEAR(Law("mindlin", {{"mu", 0.3}, {"passive", 1.0}})(in).bristle_rate.x, -20.0, 1e-12);
  in.stiffness_rate = 2e7;
  EXPECT_EQ(Law("mindlin", {{"mu", 0.3}, {"passive", 1.0}})(in).bristle_rate.x, 0.0);
}

TEST(Mindlin, FixedStepsReturnTheMemoryToTheCap) {
  const Law law("mindlin", {{"mu", 0.3}, {"ratio", 0.8}});
  FrictionInput in = patch();
  in.step = 1e-3, in.slip.x = 1.0, in.bristle.x = 5.0;
  EXPECT_NEAR(in.bristle.x + in.step * law(in).bristle_rate.x, 30.0, 1e-12);
  EXPECT_NEAR(law(in).force.x, -5.0, 1e-12);
  in.kicks = true;
  EXPECT_NEAR(law(in).force.x, -30.0, 1e-12);
}

TEST(BristleLaws, DryFrictionNeverExceedsTheLargerCoefficient) {
  std::mt19937 random(23);
  std::normal_distribution<double> normal;
  for (const char* name : {"lugre", "elasto_plastic"}) {
    for (const double mu_s : {0.3, 0.5}) {
      for (const double passive : {0.0, 1.0}) {
        const Law law(name,
                      {{"mu_k", 0.3}, {"mu_s", mu_s}, {"damping", 1e4}, {"passive", passive}});
        for (int i = 0; i < 5000; ++i) {
          FrictionInput in;
          in.normal_force = 10.0, in.radius = 0.02;
          const double speed = std::pow(10.0, 2.0 * normal(random) - 2.0);
          in.slip = speed * Vec3{normal(random), normal(random), 0.0};
          in.spin = 10.0 * speed * normal(random);
          const double reach = mu_s / 1e5 * std::abs(std::sin(normal(random)));
          in.bristle = reach * normalized(Vec3{normal(random), normal(random), 0.0});
          const FrictionOutput out = law(in);
          const double force = std::hypot(norm(out.force), out.torque / in.radius);
          EXPECT_LE(force, mu_s * 10.0 * (1.0 + 1e-12)) << name << " " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace carom
