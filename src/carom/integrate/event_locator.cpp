#include "carom/integrate/event_locator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace carom {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// Part of a step after which a function that began at zero is first looked at.
constexpr double kLeavingFraction = 1e-5;
/// A function has left zero when it is that much larger than what passes for zero.
constexpr double kLeavingGrowth = 8.0;
/// Evaluations that certification may cost in a step.
constexpr int kCertificationBudget = 100;

int sign(double value) { return value > 0.0 ? 1 : value < 0.0 ? -1 : 0; }

}  // namespace

EventLocator::EventLocator(System& system, Integrator& integrator)
    : system_(system), integrator_(integrator) {}

void EventLocator::start(double t, std::span<const double> x) {
  const bool follows = is_truncated_ && t == event_.time && system_.event_count() == count_;
  is_truncated_ = false;
  integrator_.start(t, x);
  begin_interval();
  if (!follows) return;
  for (std::size_t k = 0; k < event_.crossings.size(); ++k) {
    const EventCrossing& crossing = event_.crossings[k];
    // On the near side it is another function now: that of the mode that has begun.
    const double beyond = crossing.direction * left_.g[crossing.function];
    if (beyond < 0.0 || beyond > event_level_[k]) continue;
    side_[crossing.function] = 0;
    zero_level_[crossing.function] = std::max(zero_level_[crossing.function], event_level_[k]);
  }
}

void EventLocator::start(double t, std::span<const double> x,
                         std::span<const std::size_t> at_zero) {
  is_truncated_ = false;
  integrator_.start(t, x);
  begin_interval();
  for (const std::size_t i : at_zero) {
    side_[i] = 0;
    zero_level_[i] = std::max(zero_level_[i], std::abs(left_.g[i]));
  }
}

void EventLocator::resume() {
  integrator_.resume();
  begin_interval();
}

/// Takes the functions and their sides as they are at the integrator's state.
void EventLocator::begin_interval() {
  count_ = system_.event_count();
  left_.t = integrator_.time();
  left_.g.resize(count_);
  system_.events(left_.t, integrator_.state(), left_.g);
  take_begin_sides();
}

/// Sides on which the functions in left_ are.
void EventLocator::take_begin_sides() {
  side_.resize(count_);
  zero_level_.resize(count_);
  for (std::size_t i = 0; i < count_; ++i) {
    zero_level_[i] = system_.event_resolution(i);
    const bool is_zero = std::abs(left_.g[i]) <= zero_level_[i];
    side_[i] = !is_zero ? sign(left_.g[i]) : system_.event_ends_mode(i) ? 1 : 0;
  }
}

StepStatus EventLocator::step(double t_limit) {
  begin_ = left_;
  begin_side_ = side_;
  const StepStatus status = integrator_.step(t_limit);
  if (status == StepStatus::failed) return status;
  x_.resize(integrator_.state().size());
  end_.t = integrator_.time();
  end_.g.resize(count_);
  system_.events(end_.t, integrator_.state(), end_.g);
  leaving_span_ = kLeavingFraction * (end_.t - left_.t);
  budget_ = kCertificationBudget;
  if (some_at_zero()) {
    // The dense output of a multistep method meets the last state only up to its error.
    evaluate(left_.t, middle_);
    for (std::size_t i = 0; i < count_; ++i) {
      zero_level_[i] = std::max(zero_level_[i], std::abs(middle_.g[i] - left_.g[i]));
    }
  }
  return status;
}

StepStatus EventLocator::step_back(double t, std::span<const double> x, double t_limit) {
  is_truncated_ = false;
  integrator_.start(t, x);
  left_ = begin_;
  side_ = begin_side_;
  return step(t_limit);
}

void EventLocator::extend() {
  const std::size_t before = count_;
  count_ = system_.event_count();
  evaluate(left_.t, middle_);
  for (std::size_t i = before; i < count_; ++i) {
    const double level = system_.event_resolution(i);
    const bool is_zero = std::abs(middle_.g[i]) <= level;
    left_.g.push_back(middle_.g[i]);
    side_.push_back(!is_zero ? sign(middle_.g[i]) : system_.event_ends_mode(i) ? 1 : 0);
    zero_level_.push_back(level);
  }
  begin_ = left_;
  begin_side_ = side_;
  end_.g.resize(count_);
  system_.events(end_.t, integrator_.state(), end_.g);
}

bool EventLocator::accept() {
  const bool must_restart = system_.accept(integrator_.time(), integrator_.state());
  if (must_restart) {
    const std::vector<double> x(integrator_.state().begin(), integrator_.state().end());
    integrator_.start(integrator_.time(), x);
  }
  // An evaluation of all functions in every step is worth sparing: distances are most of it.
  if (!must_restart && system_.keeps_events() && system_.event_count() == count_) {
    std::swap(left_, end_);
    take_begin_sides();
  } else {
    begin_interval();
  }
  return must_restart;
}

void EventLocator::evaluate(double t, Point& point) {
  point.t = t;
  point.g.resize(count_);
  integrator_.interpolate(t, x_);
  system_.events(t, x_, point.g);
}

double EventLocator::time_resolution(double t) const {
  return 4.0 * kEps * std::max(std::abs(t), end_.t - begin_.t);
}

bool EventLocator::has_crossed(std::size_t i, double g) const {
  return side_[i] != 0 && sign(g) != side_[i];
}

bool EventLocator::any_crossed(const Point& right) const {
  for (std::size_t i = 0; i < count_; ++i) {
    if (has_crossed(i, right.g[i])) return true;
  }
  return false;
}

/// Finds the earliest crossing between left_ and right_, if there is one.
bool EventLocator::find_earliest() {
  double split = 0.0;
  if (!any_crossed(right_) && open_time(left_, right_, split) <= 0.0) return false;
  search_left_ = left_;
  search_right_ = right_;
  bool found = false;
  // A root that ends an interval may follow a hidden pair of roots in it: after each
  // find, what lies before is examined again.
  while (find_hidden(search_left_, search_right_)) {
    found = true;
    narrow(search_left_, search_right_);
    report(search_right_);
    search_right_ = search_left_;
    search_left_ = left_;
    if (search_right_.t <= search_left_.t) break;
  }
  return found;
}

void EventLocator::report(const Point& right) {
  event_.time = right.t;
  event_.crossings.clear();
  event_level_.clear();
  for (std::size_t i = 0; i < count_; ++i) {
    if (!has_crossed(i, right.g[i])) continue;
    const int wanted = system_.event_direction(i);
    if (wanted != 0 && wanted != -side_[i]) continue;
    event_.crossings.push_back({i, -side_[i]});
    const double change = std::abs(right.g[i] - search_left_.g[i]);
    event_level_.push_back(std::max(system_.event_resolution(i), change));
  }
  end_of_event_ = right;
}

bool EventLocator::some_at_zero() const {
  return std::find(side_.begin(), side_.end(), 0) != side_.end();
}

/// The end of the step, or a point before it where functions at zero show their side.
double EventLocator::choose_right_end() {
  if (!some_at_zero()) return end_.t;
  const double t = left_.t + leaving_span_;
  leaving_span_ *= 100.0;
  return t < end_.t ? t : end_.t;
}

/// Brings the sides up to left_; functions at zero get theirs when they have left it.
void EventLocator::take_sides(bool at_end) {
  for (std::size_t i = 0; i < count_; ++i) {
    const double g = left_.g[i];
    const bool has_left_zero = std::abs(g) > kLeavingGrowth * zero_level_[i];
    if (side_[i] != 0) zero_level_[i] = system_.event_resolution(i);
    if (side_[i] != 0 || at_end || has_left_zero) side_[i] = sign(g);
  }
}

const LocatedEvent* EventLocator::find_next() {
  while (left_.t < end_.t) {
    const double t_right = choose_right_end();
    if (t_right < end_.t) {
      evaluate(t_right, right_);
    } else {
      right_ = end_;
    }
    if (find_earliest()) {
      event_side_ = side_;
      left_ = end_of_event_;
      take_sides(false);
      leaving_span_ = kLeavingFraction * (end_.t - left_.t);
      // Crossings in a direction that does not count only change the side.
      if (!event_.crossings.empty()) return &event_;
      continue;
    }
    std::swap(left_, right_);
    take_sides(t_right >= end_.t);
  }
  return nullptr;
}

}  // namespace carom
