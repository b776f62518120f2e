#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "integrate/event_systems.h"

namespace carom {
namespace {

using namespace test;

class EventsOfEveryMethod : public testing::TestWithParam<const Method*> {};

INSTANTIATE_TEST_SUITE_P(Catalogue, EventsOfEveryMethod,
                         testing::ValuesIn(method_catalogue().begin(), method_catalogue().end()),
                         [](const auto& row) { return std::string(row.param->name); });

// A ball falls from 1 m and returns with 0.8 of its speed: T0 = sqrt(2/g), and bounce k
// takes 2 T0 0.8^k. Free flight is a parabola, which methods of order >= 2 follow up to
// rounding; variable-order ones start with order 1, hence the tolerance of 1e-13. The
// first-order method errs by g h/2 in speed.
TEST_P(EventsOfEveryMethod, BouncingBallHitsWhenTheParabolasSay) {
  EventSystem system(2, fall, 1,
                     [](double, std::span<const double> x, std::span<double> g) { g[0] = x[0]; });
  IntegratorSettings settings;
  settings.rtol = 1e-13;
  settings.atol = 1e-15;
  settings.fixed_step = 1e-2;
  const auto integrator = GetParam()->make(system, settings);
  EventLocator locator(system, *integrator);
  locator.start(0.0, std::vector<double>{1.0, 0.0});

  const double T0 = std::sqrt(2.0 / 9.81);
  const double tolerance = GetParam()->order == 1 ? 5e-2 : 1e-12;
  double expected = T0;
  int bounces = 0;
  while (bounces < 8) {
    ASSERT_EQ(locator.step(10.0), StepStatus::ok) << integrator->failure();
    const LocatedEvent* event = locator.find_next();
    if (event == nullptr) {
      locator.accept();
      continue;
    }
    ASSERT_EQ(event->crossings.size(), 1u);
    EXPECT_EQ(event->crossings[0].direction, -1);
    ASSERT_EQ(locator.truncate(), StepStatus::ok);
    EXPECT_NEAR(locator.time(), expected, tolerance * (1.0 + 10.0 * bounces)) << bounces;
    // At the floor up to the resolution of time, 4 eps 3 s, times 4.5 m/s.
    EXPECT_LE(std::abs(locator.state()[0]), 1.2e-14 * 2);
    ++bounces;
    expected += 2.0 * T0 * std::pow(0.8, bounces);
    locator.start(locator.time(),
                  std::vector<double>{locator.state()[0], -0.8 * locator.state()[1]});
  }
}

TEST_P(EventsOfEveryMethod, RecordedEventsLeaveTheStepsAlone) {
  EventSystem system(
      2,
      [](double, std::span<const double> x, std::span<double> xdot) {
        xdot[0] = x[1];
        xdot[1] = -x[0];
        return Status::ok;
      },
      1, [](double, std::span<const double> x, std::span<double> g) { g[0] = x[0]; });
  IntegratorSettings settings;
  settings.rtol = 1e-8;
  std::vector<double> with;
  std::vector<double> without;
  {
    const auto integrator = GetParam()->make(system, settings);
    EventLocator locator(system, *integrator);
    locator.start(0.0, std::vector<double>{1.0, 0.0});
    const std::vector<Seen> seen = record_events(locator, 7.0);
    EXPECT_EQ(seen.size(), 2u);  // cos t is zero at pi/2 and 3 pi/2
    with.assign(integrator->state().begin(), integrator->state().end());
  }
  const auto integrator = GetParam()->make(system, settings);
  integrator->start(0.0, std::vector<double>{1.0, 0.0});
  ASSERT_TRUE(run_to(*integrator, 7.0));
  without.assign(integrator->state().begin(), integrator->state().end());
  EXPECT_EQ(with, without);  // bit for bit
}

/// A locator over one step of an rk4 of 1 s, whose functions depend on time only.
struct OneLongStep {
  EventSystem system;
  std::unique_ptr<Integrator> integrator;
  EventLocator locator;

  OneLongStep(std::size_t count, EventSystem::Events events)
      : system(1, no_motion, count, std::move(events)),
        integrator(find_method("rk4")->make(system, settings())),
        locator(system, *integrator) {}

  static IntegratorSettings settings() {
    IntegratorSettings settings;
    settings.fixed_step = 1.0;
    return settings;
  }
  std::vector<Seen> run() {
    locator.start(0.0, std::vector<double>{0.0});
    return record_events(locator, 1.0);
  }
};

TEST(EventLocator, ReportsSeveralFunctionsOfOneStepInOrder) {
  const double roots[] = {0.8, 0.2, 0.5, 0.2};
  OneLongStep one(4, [&](double t, std::span<const double>, std::span<double> g) {
    for (std::size_t i = 0; i < 4; ++i) g[i] = (i % 2 == 0 ? 1.0 : -1.0) * std::sinh(t - roots[i]);
  });
  const std::vector<Seen> seen = one.run();
  ASSERT_EQ(seen.size(), 4u);
  const std::size_t order[] = {1, 3, 2, 0};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(seen[k].function, order[k]);
    EXPECT_NEAR(seen[k].time, roots[order[k]], 4 * 2.3e-16);  // the width of the bracket
    EXPECT_EQ(seen[k].direction, order[k] % 2 == 0 ? 1 : -1);
  }
  EXPECT_EQ(seen[0].time, seen[1].time);  // equal functions cross in one event
}

TEST(EventLocator, FindsAllThreeRootsOfACubicWithOneSignChange) {
  OneLongStep one(1, [](double t, std::span<const double>, std::span<double> g) {
    g[0] = (t - 0.15) * (t - 0.4) * (t - 0.9);
  });
  one.system.rate_bound = 3.0;  // |g'| <= 3 on [0, 1] with room
  const std::vector<Seen> seen = one.run();
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_NEAR(seen[0].time, 0.15, 1e-14);
  EXPECT_NEAR(seen[1].time, 0.4, 1e-14);
  EXPECT_NEAR(seen[2].time, 0.9, 1e-14);
}

TEST(EventLocator, ADipBelowZeroIsFoundOnlyWithARateBound) {
  // Below zero for 2 ms of the step of 1 s, the same sign at both ends.
  const auto dip = [](double t, std::span<const double>, std::span<double> g) {
    g[0] = (t - 0.3) * (t - 0.3) - 1e-6;
  };
  OneLongStep blind(1, dip);
  EXPECT_TRUE(blind.run().empty());
  OneLongStep certified(1, dip);
  certified.system.rate_bound = 1.4;  // |g'| = 2 |t - 0.3|
  const std::vector<Seen> seen = certified.run();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_NEAR(seen[0].time, 0.299, 1e-12);
  EXPECT_EQ(seen[0].direction, -1);
  EXPECT_NEAR(seen[1].time, 0.301, 1e-12);
}

TEST(EventLocator, ANearMissIsCertifiedNotReported) {
  OneLongStep one(1, [](double t, std::span<const double>, std::span<double> g) {
    g[0] = (t - 0.3) * (t - 0.3) + 1e-2;
  });
  one.system.rate_bound = 1.4;
  EXPECT_TRUE(one.run().empty());
  EXPECT_EQ(one.locator.uncertified_count(), 0);
}

TEST(EventLocator, WhatCouldNotBeCertifiedIsCounted) {
  OneLongStep one(1, [](double t, std::span<const double>, std::span<double> g) {
    g[0] = 1e-3 + 1e-9 * t;  // a bound of 10 per second says nothing about such a function
  });
  one.system.rate_bound = 10.0;
  EXPECT_TRUE(one.run().empty());
  EXPECT_EQ(one.locator.uncertified_count(), 1);
}

TEST(EventLocator, AFunctionThatStartsAtZeroIsReportedWhenItComesBack) {
  OneLongStep one(
      1, [](double t, std::span<const double>, std::span<double> g) { g[0] = t * (0.6 - t); });
  const std::vector<Seen> seen = one.run();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_NEAR(seen[0].time, 0.6, 1e-14);
  EXPECT_EQ(seen[0].direction, -1);
}

TEST(EventLocator, AFunctionThatOnlyLeavesZeroIsNoEvent) {
  OneLongStep one(3, [](double t, std::span<const double>, std::span<double> g) {
    g[0] = t;
    g[1] = -t * t;
    g[2] = 0.0;
  });
  EXPECT_TRUE(one.run().empty());
}

TEST(EventLocator, RoundingAtARestartIsNotAnEvent) {
  OneLongStep one(1, [](double t, std::span<const double>, std::span<double> g) {
    g[0] = t * (0.6 - t) - 1e-17;  // just beyond zero, as located states are
  });
  one.locator.start(0.0, std::vector<double>{0.0}, std::vector<std::size_t>{0});
  const std::vector<Seen> seen = record_events(one.locator, 1.0);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_NEAR(seen[0].time, 0.6, 1e-14);
}

TEST(EventLocator, ReachingZeroAtTheEndOfAStepIsReportedOnce) {
  OneLongStep one(1,
                  [](double t, std::span<const double>, std::span<double> g) { g[0] = 1.0 - t; });
  one.locator.start(0.0, std::vector<double>{0.0});
  const std::vector<Seen> seen = record_events(one.locator, 2.0);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_NEAR(seen[0].time, 1.0, 1e-15);
}

TEST(EventLocator, OnlyTheWantedDirectionCounts) {
  for (const int direction : {+1, -1}) {
    OneLongStep one(1, [](double t, std::span<const double>, std::span<double> g) {
      g[0] = std::cos(8.0 * t);  // zero at (k + 1/2) pi/8
    });
    one.system.direction = direction;
    one.system.rate_bound = 8.0;
    const std::vector<Seen> seen = one.run();
    const double pi = std::numbers::pi;
    std::vector<double> expected{pi / 16, 5 * pi / 16};
    if (direction == +1) expected = {3 * pi / 16};
    ASSERT_EQ(seen.size(), expected.size()) << direction;
    for (std::size_t k = 0; k < seen.size(); ++k) {
      EXPECT_EQ(seen[k].direction, direction);
      EXPECT_NEAR(seen[k].time, expected[k], 1e-15);
    }
  }
}

TEST(EventLocator, SteepAndFlatFunctionsAreLocatedToRoundingInFewEvaluations) {
  int evaluations = 0;
  OneLongStep one(1, [&](double t, std::span<const double>, std::span<double> g) {
    ++evaluations;
    g[0] = std::pow(t, 9) - std::pow(0.9, 9) * 1e-3 + 1e-9 * std::atan(1e6 * (t - 0.3));
  });
  const std::vector<Seen> seen = one.run();
  ASSERT_EQ(seen.size(), 1u);
  // Brute force: bisection of the same function.
  double low = 0.0;
  double high = 1.0;
  const auto g = [](double t) {
    return std::pow(t, 9) - std::pow(0.9, 9) * 1e-3 + 1e-9 * std::atan(1e6 * (t - 0.3));
  };
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (g(middle) > 0.0 ? high : low) = middle;
  }
  EXPECT_NEAR(seen[0].time, high, 1e-14);
  EXPECT_LT(evaluations, 60);
}

TEST(EventLocator, TheNumberOfFunctionsMayChangeAtAnAcceptedStep) {
  class Changing : public EventSystem {
   public:
    Changing() : EventSystem(1, no_motion, 0, {}) {}
    std::size_t event_count() const override { return count_; }
    void events(double t, std::span<const double>, std::span<double> g) override {
      for (std::size_t i = 0; i < count_; ++i) g[i] = t - 0.05 - 0.1 * static_cast<double>(i);
    }
    bool accept(double t, std::span<const double>) override {
      count_ = t > 0.5 ? 8 : 2;
      return false;
    }

   private:
    std::size_t count_ = 1;
  } system;
  const std::vector<Seen> seen = record_fixed_steps(system, 0.1);
  // Functions 0 and 1 cross while they exist; 2 to 4 cross unseen before they exist; 5
  // crosses at 0.55 in the step in which it does not exist yet; 6 and 7 are seen.
  std::vector<std::size_t> functions;
  for (const Seen& s : seen) functions.push_back(s.function);
  EXPECT_EQ(functions, (std::vector<std::size_t>{0, 1, 6, 7}));
}

/// Says of its functions that no accepted step changes them, and counts how often all are asked.
class KeptEvents : public EventSystem {
 public:
  using EventSystem::EventSystem;
  bool keeps_events() const override { return keeps; }
  void events(double t, std::span<const double> x, std::span<double> g) override {
    ++asked;
    EventSystem::events(t, x, g);
  }
  bool keeps = true;
  int asked = 0;
};

TEST(EventLocator, AsksFunctionsThatAreKeptOnceInAStepAndFindsTheSame) {
  const auto wave = [](double t, std::span<const double>, std::span<double> g) {
    g[0] = std::cos(20.0 * t);
  };
  std::vector<std::vector<Seen>> seen;
  std::vector<int> asked;
  for (const bool keeps : {false, true}) {
    KeptEvents system(1, no_motion, 1, wave);
    system.keeps = keeps;
    seen.push_back(record_fixed_steps(system, 0.01));
    asked.push_back(system.asked);
  }
  ASSERT_EQ(seen[0].size(), 6u);  // 20 rad hold six odd multiples of pi/2
  ASSERT_EQ(seen[1].size(), seen[0].size());
  for (std::size_t i = 0; i < seen[0].size(); ++i) {
    EXPECT_EQ(seen[1][i].time, seen[0][i].time);
    EXPECT_NEAR(seen[0][i].time, (2.0 * static_cast<double>(i) + 1.0) * std::numbers::pi / 40.0,
                1e-14);
  }
  EXPECT_EQ(asked[0] - asked[1], 100);  // once in each of the hundred steps
}

}  // namespace
}  // namespace carom
