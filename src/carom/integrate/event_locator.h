// Steps an integrator and finds the instants at which event functions change sign.
//
// After every step the functions are compared at both ends; the earliest change is
// enclosed on the dense output until |g| is within what the function resolves, or the bracket
// within what time resolves, 4 eps max(|t|, h). Where the system bounds |dg/dt| <= L, an
// interval without a change of sign is certified by
//
//   |g(t0)| + |g(t1)| > L (t1 - t0)                                              (1)
//
// (a function that touches zero between t0 and t1 moves at least |g0| + |g1|), or
// split until it is, or until a root shows (N4). A function that begins at zero, which is
// where |g| is no more than it resolves, is no event: it takes the side to which it leaves,
// and counts from there.
//
// All functions are evaluated at the ends of a step and of an event. In between only those that
// matter are: what has crossed, and what (1) leaves open.
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

  /// (Re)starts the integrator. Functions of the event to which the last step was truncated that
  /// are still beyond zero, by no more than was resolved there, are at zero.
  void start(double t, std::span<const double> x);
  /// The same, where the caller names the functions that are at zero up to rounding.
  void start(double t, std::span<const double> x, std::span<const std::size_t> at_zero);

  /// Goes on where the system has changed but not its state: the integrator resumes.
  void resume();

  /// One step of the integrator; `accept` or `start` must have been called since the last.
  StepStatus step(double t_limit);

  /// Takes the last step again, from (t, x), where it began, but to `t_limit` at most: what it did
  /// cannot be accepted. The integrator restarts; functions keep the sides they had there.
  StepStatus step_back(double t, std::span<const double> x, double t_limit);

  /// The system has more functions than before the step, behind those it had: takes them at
  /// both ends of the step. Before find_next().
  void extend();

  /// The earliest event of the step that was not reported yet, null if there is none.
  /// Does not change the integrator. Valid until the next call.
  const LocatedEvent* find_next();

  /// Ends the step at the event reported last: time() and state() are then those of the
  /// event, by interpolation where that is as accurate as the method and the system has no
  /// kink there, otherwise by a step that ends there, which may move the event's time by the
  /// error of the interpolant (N5). What else has crossed there is part of the event. Only
  /// `start` or `step_back` may follow; the latter after a failure, which is a repetition that
  /// cannot be had: a shorter step can.
  StepStatus truncate();
  /// Of the truncated step: the event with all that has crossed in state().
  const LocatedEvent& event() const { return event_; }

  /// The step is done: tells the system, restarts the integrator if the system demands
  /// it (then returns true), and takes the functions as they are now.
  bool accept();

  /// Values of the functions where the next step begins.
  std::span<const double> functions() const { return left_.g; }
  /// Values where the last step began, of all the functions that there are at its end.
  std::span<const double> begin_functions() const { return begin_.g; }
  /// Values at the end of the step, or in state() of a truncated one.
  std::span<const double> end_functions() const { return is_truncated_ ? event_g_ : end_.g; }
  double time() const { return is_truncated_ ? event_.time : integrator_.time(); }
  std::span<const double> state() const {
    return is_truncated_ ? std::span<const double>(event_state_) : integrator_.state();
  }

  /// Searches that ended before all was certified, because that would have taken too many
  /// evaluations; in all others no function dipped below zero by more than L h / 10^5.
  std::int64_t uncertified_count() const { return uncertified_count_; }
  /// Truncated steps whose state has not crossed, by more than the function resolves: no repeated
  /// step got there.
  std::int64_t unlocated_count() const { return unlocated_count_; }

 private:
  struct Point {
    double t = 0.0;
    std::vector<double> g;  ///< of all functions, or of those in watched_
  };
  struct Gap {
    Point right;         ///< its right end; the left one is the end of the gap before
    double open = 0.0;   ///< time in it that is not certified
    double split = 0.0;  ///< where to look next
  };
  /// A repeated step as an end of the event.
  struct Candidate {
    bool has_crossed = false;
    double time = 0.0, g = 0.0;
  };
  /// Of instants to which a step is repeated.
  struct Bracket {
    double low = 0.0, high = 0.0;
    double stride = 0.0;  ///< towards an end that is not known yet
    int tries = 0;        ///< since both are
  };

  void begin_interval();
  void take_begin_sides();
  void evaluate(double t, Point& point);
  void evaluate_watched(double t, Point& point);
  bool has_crossed(std::size_t i, double g) const;
  bool any_crossed(const Point& right) const;
  bool any_watched_crossed(const Point& right) const;
  void watch_crossed(const Point& right);
  bool watch_open(const Point& left, const Point& right);
  void keep_watched(const Point& all, Point& some) const;
  double open_time(std::size_t i, double from, double to, double t0, double t1,
                   double& split) const;
  double open_time(const Point& left, const Point& right, double& split) const;
  void insert_gap(std::size_t place, const Point& right);
  bool split_gaps(double& left, double& right);
  bool find_hidden(Point& left, Point& right);
  void narrow(Point& left, Point& right);
  bool is_resolved(const Point& left, const Point& right) const;
  double guess(const Point& left, const Point& right, double left_scale, double right_scale) const;
  bool find_earliest();
  void report(const Point& right);
  bool some_at_zero() const;
  double choose_right_end();
  void take_sides(bool at_end);
  double time_resolution(double t) const;
  double slope_before(std::size_t i, double t);
  bool crosses_kink() const;
  bool passes_another(double t);
  bool improves(const Candidate& next, const Candidate& best) const;
  double next_instant(Bracket& b, double t, double newton, double resolved) const;
  StepStatus repeat_to_event(std::size_t k);
  void take_crossings(std::size_t k);

  System& system_;
  Integrator& integrator_;
  std::size_t count_ = 0;
  std::vector<int> side_;           ///< of zero on which a function is; 0: just leaving it
  std::vector<double> zero_level_;  ///< |g| that still passes for zero where side_ is 0
  Point left_;                      ///< up to here the step was searched
  Point end_;                       ///< of the step
  Point begin_;                     ///< of the step, and the sides there
  std::vector<int> begin_side_;
  double leaving_span_ = 0.0;  ///< next distance at which functions at zero are looked at
  int budget_ = 0;             ///< of evaluations for certification in this step
  LocatedEvent event_{};
  std::vector<double> event_level_;  ///< per crossing: |g| that its location resolves
  Point end_of_event_;               ///< where event_ has happened
  std::vector<int> event_side_;      ///< sides before it
  std::vector<double> event_state_, event_g_;
  bool is_truncated_ = false;
  std::int64_t uncertified_count_ = 0, unlocated_count_ = 0;

  // Scratch.
  std::vector<double> x_;  ///< interpolated state
  Point right_;            ///< end of the interval that is searched from left_ on
  Point search_left_;
  Point search_right_;
  Point middle_;
  std::vector<std::size_t> watched_;  ///< functions that matter in a search, ascending
  Point some_left_, some_right_;      ///< values of these
  std::vector<Gap> gaps_;  ///< intervals between samples, ordered; the first gap_count_ are used
  std::size_t gap_count_ = 0;
};

}  // namespace carom
