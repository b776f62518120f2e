#include "carom/integrate/event_locator.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "integrate/test_systems.h"

namespace carom {
namespace {

using namespace test;

/// Event functions of time and state, beside a right-hand side.
class EventSystem : public FunctionSystem {
 public:
  using Events = std::function<void(double, std::span<const double>, std::span<double>)>;
  EventSystem(std::size_t size, Function f, std::size_t count, Events events)
      : FunctionSystem(size, std::move(f)), event_count_(count), events_(std::move(events)) {}

  std::size_t event_count() const override { return event_count_; }
  void events(double t, std::span<const double> x, std::span<double> g) override {
    events_(t, x, g);
  }
  int event_direction(std::size_t) const override { return direction; }
  double event_rate_bound(std::size_t, double, double) const override { return rate_bound; }

  int direction = 0;
  double rate_bound = std::numeric_limits<double>::infinity();

 private:
  std::size_t event_count_;
  Events events_;
};

Status no_motion(double, std::span<const double>, std::span<double> xdot) {
  for (double& value : xdot) value = 0.0;
  return Status::ok;
}

Status fall(double, std::span<const double> x, std::span<double> xdot) {
  xdot[0] = x[1];
  xdot[1] = -9.81;
  return Status::ok;
}

/// All events of a run without restarts, as (time, function, direction).
struct Seen {
  double time;
  std::size_t function;
  int direction;
};

std::vector<Seen> record_events(EventLocator& locator, double t_end) {
  std::vector<Seen> seen;
  while (locator.time() < t_end) {
    EXPECT_EQ(locator.step(t_end), StepStatus::ok);
    while (const LocatedEvent* event = locator.find_next()) {
      for (const EventCrossing& c : event->crossings) {
        seen.push_back({event->time, c.function, c.direction});
      }
    }
    locator.accept();
  }
  return seen;
}

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
  IntegratorSettings settings;
  settings.fixed_step = 0.1;
  const auto integrator = find_method("rk4")->make(system, settings);
  EventLocator locator(system, *integrator);
  locator.start(0.0, std::vector<double>{0.0});
  const std::vector<Seen> seen = record_events(locator, 1.0);
  // Functions 0 and 1 cross while they exist; 2 to 4 cross unseen before they exist; 5
  // crosses at 0.55 in the step in which it does not exist yet; 6 and 7 are seen.
  std::vector<std::size_t> functions;
  for (const Seen& s : seen) functions.push_back(s.function);
  EXPECT_EQ(functions, (std::vector<std::size_t>{0, 1, 6, 7}));
}

/// x = t, but a step that is repeated lags behind by `lag`.
class LaggingIntegrator final : public Integrator {
 public:
  explicit LaggingIntegrator(double lag) : lag_(lag) {}
  void start(double t, std::span<const double> x) override { time_ = previous_ = t, x_[0] = x[0]; }
  StepStatus step(double t_limit) override {
    previous_ = time_;
    time_ = x_[0] = t_limit;
    return StepStatus::ok;
  }
  double time() const override { return time_; }
  double previous_time() const override { return previous_; }
  std::span<const double> state() const override { return x_; }
  void interpolate(double t, std::span<double> x) override { x[0] = t; }
  bool interpolant_is_accurate() const override { return false; }
  StepStatus repeat_until(double t_end) override {
    time_ = t_end;
    x_[0] = t_end - lag_;
    return StepStatus::ok;
  }
  const IntegratorStatistics& statistics() const override { return statistics_; }
  std::string failure() const override { return {}; }

 private:
  double lag_, time_ = 0.0, previous_ = 0.0;
  std::array<double, 1> x_{};
  IntegratorStatistics statistics_;
};

TEST(EventLocator, ARepetitionThatLagsEndsAtItsOwnEventNeverAtTheEndOfTheStep) {
  EventSystem system(1, no_motion, 1, [](double, auto x, auto g) { g[0] = x[0] - 0.5; });
  for (const double lag : {-0.2, 0.0, 1e-9, 0.3}) {
    LaggingIntegrator integrator(lag);
    EventLocator locator(system, integrator);
    locator.start(0.0, std::vector<double>{0.0});
    ASSERT_EQ(locator.step(1.0), StepStatus::ok);
    ASSERT_NE(locator.find_next(), nullptr);
    ASSERT_EQ(locator.truncate(), StepStatus::ok);
    // The repetition passes 0.5 at 0.5 + lag: within 4 eps of 1 s times its speed of 1.
    EXPECT_NEAR(locator.time(), 0.5 + lag, 2e-15) << lag;
    EXPECT_NEAR(locator.state()[0], 0.5, 2e-15) << lag;
    EXPECT_GE(locator.state()[0], 0.5) << lag;
    EXPECT_EQ(locator.unlocated_count(), 0);
  }
}

TEST(EventLocator, WhatNoRepetitionReachesIsCountedAndHasNotCrossed) {
  EventSystem system(1, no_motion, 1, [](double, auto x, auto g) { g[0] = x[0] - 0.5; });
  LaggingIntegrator integrator(0.7);  // at the end of the step it is at 0.3
  EventLocator locator(system, integrator);
  locator.start(0.0, std::vector<double>{0.0});
  ASSERT_EQ(locator.step(1.0), StepStatus::ok);
  ASSERT_NE(locator.find_next(), nullptr);
  ASSERT_EQ(locator.truncate(), StepStatus::ok);
  EXPECT_EQ(locator.unlocated_count(), 1);
  EXPECT_NEAR(locator.state()[0], locator.time() - 0.7, 1e-15);  // its own state, not the step's
}

// A function whose values are noise below 1e-12 on a slope of 1e-3: its zero is uncertain by 1e-9.
TEST(EventLocator, AnEventIsLocatedToWhatItsFunctionResolves) {
  class Noisy : public EventSystem {
   public:
    Noisy() : EventSystem(1, no_motion, 1, {}) {}
    void events(double t, std::span<const double>, std::span<double> g) override {
      ++evaluations;
      const double noise = std::fmod(1e15 * t * 0.7548776662466927, 2.0) - 1.0;  // in [-1, 1]
      g[0] = 1e-3 * (t - 0.3) + 0.5e-12 * noise;
    }
    double event_resolution(std::size_t) const override { return 1e-12; }
    int evaluations = 0;
  } system;
  IntegratorSettings settings;
  settings.fixed_step = 1.0;
  const auto integrator = find_method("rk4")->make(system, settings);
  EventLocator locator(system, *integrator);
  locator.start(0.0, std::vector<double>{0.0});
  const std::vector<Seen> seen = record_events(locator, 1.0);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_NEAR(seen[0].time, 0.3, 2e-9);
  EXPECT_LE(system.evaluations, 20);  // rounding of time would take 40 halvings of noise
}

// A hop that starts at zero and is as low as ten times what the function resolves, in a step that
// goes on far behind it.
TEST(EventLocator, AHopOfAnyHeightAboveTheResolutionIsSeen) {
  class Hop : public EventSystem {
   public:
    Hop() : EventSystem(1, no_motion, 1, {}) {}
    void events(double t, std::span<const double>, std::span<double> g) override {
      g[0] = start + 4.0 * height * (t / length) * (1.0 - t / length);
    }
    double event_resolution(std::size_t) const override { return 1e-15; }
    bool event_ends_mode(std::size_t) const override { return ends_mode; }
    double start = 0.0, height = 0.0, length = 0.0;
    bool ends_mode = false;
  };
  for (const bool ends_mode : {false, true}) {
    for (const double height : {1e-14, 1e-11, 1e-8, 1e-3}) {
      // Whether it has left zero or lies there in rounding, one look before the end must tell.
      if (!ends_mode && height < 1e-11) continue;
      for (const double length : {1e-4, 1e-2, 0.5}) {
        Hop system;
        system.start = ends_mode ? 8e-15 : 0.9e-15;  // within the resolution: at zero
        system.height = height, system.length = length, system.ends_mode = ends_mode;
        IntegratorSettings settings;
        settings.fixed_step = 1.0;
        const auto integrator = find_method("rk4")->make(system, settings);
        EventLocator locator(system, *integrator);
        locator.start(0.0, std::vector<double>{0.0});
        const std::vector<Seen> seen = record_events(locator, 1.0);
        ASSERT_EQ(seen.size(), 1u) << height << " " << length;
        EXPECT_EQ(seen[0].direction, -1);
        EXPECT_GE(seen[0].time, length * (1.0 - 1e-12));
        EXPECT_LE(seen[0].time, length * 1.4);  // the start lifts the lowest hop
      }
    }
  }
}

TEST(EventLocator, WithinItsResolutionAModeStillLasts) {
  class Sinking : public EventSystem {
   public:
    Sinking() : EventSystem(1, no_motion, 1, {}) {}
    void events(double t, std::span<const double>, std::span<double> g) override {
      g[0] = 0.5e-12 - t;  // begins at zero, as far as it resolves, and only sinks
    }
    double event_resolution(std::size_t) const override { return 1e-12; }
    bool event_ends_mode(std::size_t) const override { return true; }
  } system;
  IntegratorSettings settings;
  settings.fixed_step = 1.0;
  const auto integrator = find_method("rk4")->make(system, settings);
  EventLocator locator(system, *integrator);
  locator.start(0.0, std::vector<double>{0.0});
  const std::vector<Seen> seen = record_events(locator, 1.0);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_LE(seen[0].time, 2e-12);
}

TEST(EventLocator, NarrowingDoesNotEvaluateTheOthers) {
  class Many : public EventSystem {
   public:
    Many() : EventSystem(1, no_motion, 1000, {}) {}
    void events(double t, std::span<const double>, std::span<double> g) override {
      for (std::size_t i = 0; i < g.size(); ++i) g[i] = value(i, t);
      evaluations += g.size();
    }
    void some_events(double t, std::span<const double>, std::span<const std::size_t> which,
                     std::span<double> g) override {
      for (std::size_t k = 0; k < which.size(); ++k) g[k] = value(which[k], t);
      evaluations += which.size();
    }
    double event_rate_bound(std::size_t, double, double) const override { return 2.0; }
    std::size_t evaluations = 0;

   private:
    static double value(std::size_t i, double t) {
      return i == 400 ? std::cos(3.0 * t) : 5.0 + static_cast<double>(i);
    }
  } system;
  IntegratorSettings settings;
  settings.fixed_step = 1.0;
  const auto integrator = find_method("rk4")->make(system, settings);
  EventLocator locator(system, *integrator);
  locator.start(0.0, std::vector<double>{0.0});
  const std::vector<Seen> seen = record_events(locator, 1.0);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_NEAR(seen[0].time, std::numbers::pi / 6.0, 1e-15);
  // Both ends of the step and of the event, and where it is accepted.
  EXPECT_LE(system.evaluations, 5u * 1000u + 100u);
}

// A repeated step comes to its event in several tries, which look at the one function only.
TEST(EventLocator, RepeatingDoesNotEvaluateTheOthers) {
  class Bent : public EventSystem {
   public:
    explicit Bent(std::size_t count) : EventSystem(1, no_motion, count, {}) {}
    void events(double, std::span<const double> x, std::span<double> g) override {
      for (std::size_t i = 0; i < g.size(); ++i) g[i] = value(i, x[0]);
      ++all;
    }
    void some_events(double, std::span<const double> x, std::span<const std::size_t> which,
                     std::span<double> g) override {
      for (std::size_t k = 0; k < which.size(); ++k) g[k] = value(which[k], x[0]);
      some += which.size();
    }
    std::size_t all = 0, some = 0;

   private:
    static double value(std::size_t i, double x) {
      return i == 7 ? x * x * x - 0.3 : 5.0 + static_cast<double>(i);
    }
  };
  std::size_t some_of_few = 0;
  for (const std::size_t count : {10u, 2000u}) {
    Bent system(count);
    LaggingIntegrator integrator(-0.01);
    EventLocator locator(system, integrator);
    locator.start(0.0, std::vector<double>{0.0});
    ASSERT_EQ(locator.step(1.0), StepStatus::ok);
    ASSERT_NE(locator.find_next(), nullptr);
    ASSERT_EQ(locator.truncate(), StepStatus::ok);
    EXPECT_NEAR(locator.state()[0], std::cbrt(0.3), 1e-14);
    EXPECT_LE(system.all, 5u) << "both ends of the step, and where it is cut";
    EXPECT_LT(system.some, 80u);
    if (count == 10u) some_of_few = system.some;
    EXPECT_EQ(system.some, some_of_few) << "of 2000 functions as of ten";
  }
}

}  // namespace
}  // namespace carom
