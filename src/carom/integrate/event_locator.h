// Steps an integrator and finds the instants at which event functions change sign.
//
// After every step the functions are compared at both ends; the earliest change is
// enclosed on the dense output until the bracket is as narrow as rounding allows,
// 4 eps max(|t|, h). Where the system bounds |dg/dt| <= L, an interval without a change
// of sign is certified by
//
//   |g(t0)| + |g(t1)| > L (t1 - t0)                                              (1)
//
// (a function that touches zero between t0 and t1 moves at least |g0| + |g1|), or
// split until it is, or until a root shows (N4). A function that begins at zero is no
// event: it takes the side to which it leaves, and counts from there.
//
//   locator.start(t0, x0);
//   while (locator.time() < t_end) {
//     if (locator.step(t_end) == StepStatus::failed) …
//     bool restarted = false;
//     while (const LocatedEvent* event = locator.find_next()) {
//       if (only worth recording) { record(*event); continue; }   // steps stay as they are
//       locator.truncate();                                       // state() is now that at the
//       event … map the state … locator.start(event->time, x_new); restarted = true; break;
//     }
//     if (!restarted) locator.accept();
//   }
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "carom/integrate/integrator.h"
#include "carom/integrate/system.h"

namespace carom {

struct EventCrossing {
  std::size_t function;
  int direction;  ///< +1 rising, -1 falling
};

struct LocatedEvent {
  double time;  ///< the end of the bracket, where every listed function has crossed
  std::vector<EventCrossing> crossings;
};

class EventLocator {
 public:
  /// Both must outlive the locator.
  EventLocator(System& system, Integrator& integrator);

  /// (Re)starts the integrator. The functions of the event to which the last step was
  /// truncated are taken to be at zero, if their number is still the same.
  void start(double t, std::span<const double> x);
  /// The same, where the caller names the functions that are at zero up to rounding.
  void start(double t, std::span<const double> x, std::span<const std::size_t> at_zero);

  /// One step of the integrator; `accept` or `start` must have been called since the last.
  StepStatus step(double t_limit);

  /// The system has more functions than before the step, behind those it had: takes them at
  /// both ends of the step. Before find_next().
  void extend();

  /// The earliest event of the step that was not reported yet, null if there is none.
  /// Does not change the integrator. Valid until the next call.
  const LocatedEvent* find_next();

  /// Ends the step at the event reported last: time() and state() are then those of the
  /// event, by interpolation where that is as accurate as the method and the system has no
  /// kink there, otherwise by a step that ends there, which may move the event's time by the
  /// error of the interpolant (N5). Only `start` may follow.
  StepStatus truncate();

  /// The step is done: tells the system, restarts the integrator if the system demands
  /// it (then returns true), and takes the functions as they are now.
  bool accept();

  /// Values of the functions where the next step begins.
  std::span<const double> functions() const { return left_.g; }
  double time() const { return is_truncated_ ? event_.time : integrator_.time(); }
  std::span<const double> state() const {
    return is_truncated_ ? std::span<const double>(event_state_) : integrator_.state();
  }

  /// Searches that ended before all was certified, because that would have taken too many
  /// evaluations; in all others no function dipped below zero by more than L h / 10^5.
  std::int64_t uncertified_count() const { return uncertified_count_; }

 private:
  struct Point {
    double t = 0.0;
    std::vector<double> g;
  };
  struct Gap {
    Point right;         ///< its right end; the left one is the end of the gap before
    double open = 0.0;   ///< time in it that is not certified
    double split = 0.0;  ///< where to look next
  };

  void begin_interval();
  void evaluate(double t, Point& point);
  bool has_crossed(std::size_t i, const Point& right) const;
  bool any_crossed(const Point& right) const;
  bool passes_another(const Point& right) const;
  double open_time(const Point& left, const Point& right, double& split) const;
  void insert_gap(std::size_t place, const Point& right);
  bool find_hidden(Point& left, Point& right);
  void narrow(Point& left, Point& right);
  double guess(const Point& left, const Point& right, double left_scale, double right_scale) const;
  bool find_earliest();
  void report(const Point& right);
  bool some_at_zero() const;
  double choose_right_end();
  void take_sides(bool at_end);
  double time_resolution(double t) const;
  double slope_before(std::size_t i, double t);

  System& system_;
  Integrator& integrator_;
  std::size_t count_ = 0;
  std::vector<int> side_;           ///< of zero on which a function is; 0: just leaving it
  std::vector<double> zero_level_;  ///< |g| that still passes for zero where side_ is 0
  Point left_;                      ///< up to here the step was searched
  Point end_;                       ///< of the step
  double leaving_span_ = 0.0;       ///< next distance at which functions at zero are looked at
  int budget_ = 0;                  ///< of evaluations for certification in this step
  LocatedEvent event_{};
  Point end_of_event_;  ///< where event_ has happened
  std::vector<double> event_state_;
  bool is_truncated_ = false;
  std::int64_t uncertified_count_ = 0;

  // Scratch.
  std::vector<double> x_;  ///< interpolated state
  Point right_;            ///< end of the interval that is searched from left_ on
  Point search_left_;
  Point search_right_;
  Point middle_;
  std::vector<Gap> gaps_;  ///< intervals between samples, ordered; the first gap_count_ are used
  std::size_t gap_count_ = 0;
};

}  // namespace carom
