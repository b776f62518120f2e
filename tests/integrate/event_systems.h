// Event functions for tests of the locator, and a record of what it finds.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "carom/integrate/event_locator.h"
#include "integrate/test_systems.h"

namespace carom::test {

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

inline Status no_motion(double, std::span<const double>, std::span<double> xdot) {
  for (double& value : xdot) value = 0.0;
  return Status::ok;
}

inline Status fall(double, std::span<const double> x, std::span<double> xdot) {
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

inline std::vector<Seen> record_events(EventLocator& locator, double t_end) {
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

/// The same from time 0 to 1, from state 0, by steps of rk4.
inline std::vector<Seen> record_fixed_steps(EventSystem& system, double step) {
  IntegratorSettings settings;
  settings.fixed_step = step;
  const auto integrator = find_method("rk4")->make(system, settings);
  EventLocator locator(system, *integrator);
  locator.start(0.0, std::vector<double>{0.0});
  return record_events(locator, 1.0);
}

}  // namespace carom::test
