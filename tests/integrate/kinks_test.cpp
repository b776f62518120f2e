// Steps across kinks that the system names: fewer evaluations, the same motion.
#include <gtest/gtest.h>

#include <array>

#include "carom/integrate/dop853.h"
#include "carom/integrate/kink_pacing.h"
#include "integrate/test_systems.h"

namespace carom {
namespace {

using namespace test;

constexpr double kSpring = 1e4, kGravity = 10.0, kPower = 1.1;

enum class Says { nothing, where_kinks_are, that_it_hides_some };

/// A particle falls on a spring that begins at q = 0: q'' = -g + k max(0, -q)^1.1. Another place
/// of a kink, q = 1, is never reached.
class Trampoline : public System {
 public:
  explicit Trampoline(Says says) : says_(says) {}
  std::size_t size() const override { return 2; }
  Status rhs(double, std::span<const double> x, std::span<double> xdot) override {
    xdot[0] = x[1];
    xdot[1] = -kGravity + kSpring * std::pow(std::max(0.0, -x[0]), kPower);
    gaps_ = {x[0], 1.0 - x[0]};
    return Status::ok;
  }
  std::span<const double> kinks() const override {
    return says_ == Says::where_kinks_are ? std::span<const double>(gaps_)
                                          : std::span<const double>();
  }
  bool hides_kinks() const override { return says_ == Says::that_it_hides_some; }
  static double energy(std::span<const double> x) {
    const double spring = std::pow(std::max(0.0, -x[0]), kPower + 1.0) / (kPower + 1.0);
    return 0.5 * x[1] * x[1] + kGravity * x[0] + kSpring * spring;
  }

 private:
  Says says_;
  std::array<double, 2> gaps_{};
};

struct Bounces {
  std::vector<double> end;
  double worst_energy = 0.0;
  double worst_step = 0.0;  ///< change of the energy in one step
  IntegratorStatistics counts;
};

Bounces bounce(Says says, double rtol) {
  Trampoline system(says);
  IntegratorSettings settings;
  settings.rtol = rtol;
  settings.atol = rtol;
  const auto integrator = make_dop853_integrator(system, settings);
  const std::vector<double> start{0.05, 0.0};
  integrator->start(0.0, start);
  Bounces b;
  double before = 0.0;
  while (integrator->time() < 10.0) {
    if (integrator->step(10.0) == StepStatus::failed) break;
    const double error = Trampoline::energy(integrator->state()) - Trampoline::energy(start);
    b.worst_energy = std::max(b.worst_energy, std::abs(error));
    b.worst_step = std::max(b.worst_step, std::abs(error - before));
    before = error;
  }
  b.end.assign(integrator->state().begin(), integrator->state().end());
  b.counts = integrator->statistics();
  return b;
}

TEST(Kinks, CostFewerEvaluationsWhereTheSystemNamesThem) {
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    const Bounces blind = bounce(Says::nothing, rtol), named = bounce(Says::where_kinks_are, rtol);
    EXPECT_LT(named.worst_energy, 0.3 * blind.worst_energy) << "nor do they cost accuracy";
    EXPECT_LT(static_cast<double>(named.counts.rhs_evaluations),
              0.75 * static_cast<double>(blind.counts.rhs_evaluations))
        << rtol;
  }
}

// About 36 bounces with two kinks each. Every step errs by the tolerance at most, and there are
// some ten of them at every kink.
TEST(Kinks, AreCrossedWithinTheTolerance) {
  const Bounces reference = bounce(Says::nothing, 1e-13);
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    const Bounces named = bounce(Says::where_kinks_are, rtol);
    EXPECT_LT(named.worst_energy, 300.0 * rtol);
    EXPECT_LT(max_difference(named.end, reference.end), 3e4 * rtol)
        << "errors of energy shift time";
  }
}

// Where the difference of fifth order passes zero, the estimate of a smooth step tells nothing of a
// kink. In 20 tolerances the 72 kinks lie everywhere in their steps; without the look at roughness
// the worst of these erred by 9,200 tolerances, with it by 470.
TEST(Kinks, AreSeenWhereTheDifferenceOfFifthOrderVanishes) {
  for (int i = 0; i < 20; ++i) {
    const double rtol = 1e-7 * std::pow(1e-2, i / 20.0);
    EXPECT_LT(bounce(Says::that_it_hides_some, rtol).worst_step, 1000.0 * rtol) << rtol;
  }
}

/// An attempt of length 1 in which g = 1 - 3 s + s² is seen at the stages until it is given up.
double share_of_hopeless_attempt(KinkPacing& pacing) {
  const std::array<double, 1> begin{1.0};
  pacing.set_begin(begin);
  pacing.begin_attempt(1.0);
  for (const double c : {0.1, 0.3, 0.6, 1.0}) {
    const std::array<double, 1> g{1.0 - 3.0 * c + c * c};
    if (pacing.look(c, g)) return c;
  }
  return kInf;
}

TEST(KinkPacing, GivesUpOnlyAfterAnAttemptHasFailedAtAKink) {
  KinkPacing pacing;
  EXPECT_EQ(share_of_hopeless_attempt(pacing), kInf);
  EXPECT_EQ(pacing.go_on(1.0, 0.5, 2.0), 2.0) << "what the method proposes";
  EXPECT_EQ(share_of_hopeless_attempt(pacing), kInf);
  // The kink is where the parabola is zero, on which all stages lie.
  const double root = (3.0 - std::sqrt(5.0)) / 2.0;
  EXPECT_NEAR(pacing.shorten(1.0, 1e4, 1.0), root, 1e-15);
  EXPECT_EQ(pacing.go_on(root, 0.1, 0.5), 0.5);
  EXPECT_LE(pacing.limit(1.0), 1.0) << "the first step away from the kink";
  pacing.go_on(0.01, 1.0, 0.02);
  EXPECT_EQ(share_of_hopeless_attempt(pacing), 0.6) << "the first stage behind the kink";
  EXPECT_NEAR(pacing.shorten(1.0, 0.0, 1.0), root, 1e-15);
}

TEST(KinkPacing, LeavesFailuresWithoutAKinkToTheMethod) {
  KinkPacing pacing;
  const std::array<double, 1> begin{1.0}, later{0.5};
  pacing.set_begin(begin);
  pacing.begin_attempt(1.0);
  EXPECT_FALSE(pacing.look(0.5, later));
  EXPECT_EQ(pacing.shorten(1.0, 1e4, 1.0), 0.0);
}

/// A particle that is pushed for a while, somewhere in a step of a second.
class Pushed : public System {
 public:
  Pushed(double when, double length) : when_(when), length_(length) {}
  std::size_t size() const override { return 2; }
  Status rhs(double t, std::span<const double> x, std::span<double> xdot) override {
    xdot[0] = x[1];
    xdot[1] = std::abs(t - when_) < 0.5 * length_ ? kPush : 0.0;
    return Status::ok;
  }
  static constexpr double kPush = 1e6;

 private:
  double when_, length_;
};

std::unique_ptr<Integrator> push(Pushed& system) {
  IntegratorSettings settings;
  settings.rtol = settings.atol = 1e-6;
  settings.initial_step = settings.max_step = 1.0;
  auto integrator = make_dop853_integrator(system, settings);
  const std::vector<double> start{0.0, 1.0};
  integrator->start(0.0, start);
  return integrator;
}

// Its third stage, at 0.079 of the step, has no weight in the new state nor in the error.
TEST(UnseenForce, InAStageWithoutWeightIsFollowed) {
  constexpr double kLength = 0.04;
  Pushed system(0.079, kLength);
  const auto integrator = push(system);
  while (integrator->time() < 1.0) ASSERT_EQ(integrator->step(1.0), StepStatus::ok);
  EXPECT_NEAR(integrator->state()[1], 1.0 + kLength * Pushed::kPush,
              1e-4 * kLength * Pushed::kPush);
}

// What the dense output alone sees, at 7/9 of the step, has not happened to the step.
TEST(UnseenForce, InAStageOfTheDenseOutputBendsNothing) {
  Pushed system(7.0 / 9.0, 0.006);
  const auto integrator = push(system);
  ASSERT_EQ(integrator->step(1.0), StepStatus::ok);
  ASSERT_EQ(integrator->time(), 1.0);
  std::vector<double> x(2);
  for (const double t : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    integrator->interpolate(t, x);
    EXPECT_NEAR(x[0], t, 1e-12);
    EXPECT_NEAR(x[1], 1.0, 1e-12);
  }
}

}  // namespace
}  // namespace carom
