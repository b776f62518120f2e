// Events where steps are repeated to end at them, at the resolution of their functions, and with
// many functions of which one crosses.
#include <cmath>
#include <numbers>

#include "integrate/event_systems.h"

namespace carom {
namespace {

using namespace test;

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
  const std::vector<Seen> seen = record_fixed_steps(system, 1.0);
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
        const std::vector<Seen> seen = record_fixed_steps(system, 1.0);
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
  const std::vector<Seen> seen = record_fixed_steps(system, 1.0);
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
  const std::vector<Seen> seen = record_fixed_steps(system, 1.0);
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
