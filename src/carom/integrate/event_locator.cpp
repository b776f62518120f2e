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
/// A function has left zero when it is that much larger than where it began.
constexpr double kLeavingGrowth = 8.0;
/// An open time below this part of a step is not split further for certification.
constexpr double kShortestPart = 1e-5;
/// Evaluations that certification may cost in a step.
constexpr int kCertificationBudget = 100;

int sign(double value) { return value > 0.0 ? 1 : value < 0.0 ? -1 : 0; }

}  // namespace

EventLocator::EventLocator(System& system, Integrator& integrator)
    : system_(system), integrator_(integrator) {}

void EventLocator::start(double t, std::span<const double> x) {
  std::vector<std::size_t> at_zero;
  if (is_truncated_ && t == event_.time && system_.event_count() == count_) {
    for (const EventCrossing& crossing : event_.crossings) at_zero.push_back(crossing.function);
  }
  start(t, x, at_zero);
}

void EventLocator::start(double t, std::span<const double> x,
                         std::span<const std::size_t> at_zero) {
  is_truncated_ = false;
  integrator_.start(t, x);
  begin_interval();
  for (const std::size_t i : at_zero) side_[i] = 0;
}

/// Takes the functions and their sides as they are at the integrator's state.
void EventLocator::begin_interval() {
  count_ = system_.event_count();
  side_.resize(count_);
  zero_level_.resize(count_);
  left_.t = integrator_.time();
  left_.g.resize(count_);
  system_.events(left_.t, integrator_.state(), left_.g);
  for (std::size_t i = 0; i < count_; ++i) {
    side_[i] = sign(left_.g[i]);
    zero_level_[i] = std::abs(left_.g[i]);
  }
}

StepStatus EventLocator::step(double t_limit) {
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
      zero_level_[i] = std::max(zero_level_[i], std::abs(middle_.g[i]));
    }
  }
  return status;
}

void EventLocator::extend() {
  const std::size_t before = count_;
  count_ = system_.event_count();
  evaluate(left_.t, middle_);
  for (std::size_t i = before; i < count_; ++i) {
    left_.g.push_back(middle_.g[i]);
    side_.push_back(sign(middle_.g[i]));
    zero_level_.push_back(std::abs(middle_.g[i]));
  }
  end_.g.resize(count_);
  system_.events(end_.t, integrator_.state(), end_.g);
}

bool EventLocator::accept() {
  const bool must_restart = system_.accept(integrator_.time(), integrator_.state());
  if (must_restart) {
    const std::vector<double> x(integrator_.state().begin(), integrator_.state().end());
    integrator_.start(integrator_.time(), x);
  }
  begin_interval();
  return must_restart;
}

void EventLocator::evaluate(double t, Point& point) {
  point.t = t;
  point.g.resize(count_);
  integrator_.interpolate(t, x_);
  system_.events(t, x_, point.g);
}

double EventLocator::time_resolution(double t) const {
  return 4.0 * kEps * std::max(std::abs(t), end_.t - integrator_.previous_time());
}

bool EventLocator::has_crossed(std::size_t i, const Point& right) const {
  return side_[i] != 0 && sign(right.g[i]) != side_[i];
}

bool EventLocator::any_crossed(const Point& right) const {
  for (std::size_t i = 0; i < count_; ++i) {
    if (has_crossed(i, right)) return true;
  }
  return false;
}

/// The longest time in [left, right] in which a function could cross unseen: what (1)
/// leaves open after going from both ends towards zero as fast as the bound allows.
/// `split` becomes the middle of that time.
double EventLocator::open_time(const Point& left, const Point& right, double& split) const {
  const double width = right.t - left.t;
  double longest = 0.0;
  for (std::size_t i = 0; i < count_; ++i) {
    if (side_[i] == 0) continue;
    const double rate = system_.event_rate_bound(i, left.t, right.t);
    if (!std::isfinite(rate)) continue;
    const double from = std::max(0.0, side_[i] * left.g[i]);
    const double to = std::abs(right.g[i]);
    const double open = rate > 0.0 ? width - (from + to) / rate : 0.0;
    if (open <= longest) continue;
    longest = open;
    split = left.t + from / rate + 0.5 * open;
  }
  return longest;
}

void EventLocator::insert_gap(std::size_t place, const Point& right) {
  if (gap_count_ == gaps_.size()) gaps_.emplace_back();
  std::rotate(gaps_.begin() + static_cast<std::ptrdiff_t>(place),
              gaps_.begin() + static_cast<std::ptrdiff_t>(gap_count_),
              gaps_.begin() + static_cast<std::ptrdiff_t>(gap_count_) + 1);
  ++gap_count_;
  gaps_[place].right = right;
}

/// Looks for a crossing that the ends of [left, right] do not show, splitting the interval
/// in which most time is open (Piyavskii 1972, Shubert 1972). On success left and right
/// enclose a crossing.
bool EventLocator::find_hidden(Point& left, Point& right) {
  if (any_crossed(right)) return true;
  const double shortest = kShortestPart * (end_.t - integrator_.previous_time());
  gap_count_ = 0;
  insert_gap(0, right);
  gaps_[0].open = open_time(left, right, gaps_[0].split);
  for (;;) {
    std::size_t k = 0;
    for (std::size_t j = 1; j < gap_count_; ++j) {
      if (gaps_[j].open > gaps_[k].open) k = j;
    }
    if (gaps_[k].open <= shortest) return false;
    if (budget_ == 0) {
      ++uncertified_count_;
      return false;
    }
    --budget_;
    evaluate(gaps_[k].split, middle_);
    const Point& before = k == 0 ? left : gaps_[k - 1].right;
    if (any_crossed(middle_)) {
      if (k > 0) left = before;
      right = middle_;
      return true;
    }
    insert_gap(k, middle_);
    const Point& begin = k == 0 ? left : gaps_[k - 1].right;
    gaps_[k].open = open_time(begin, gaps_[k].right, gaps_[k].split);
    gaps_[k + 1].open = open_time(gaps_[k].right, gaps_[k + 1].right, gaps_[k + 1].split);
  }
}

/// Where the first of the functions that cross would be zero if they were straight. The
/// scales (Illinois) draw the guess to an end that has been kept for too long.
double EventLocator::guess(const Point& left, const Point& right, double left_scale,
                           double right_scale) const {
  double smallest = 1.0;
  for (std::size_t i = 0; i < count_; ++i) {
    if (!has_crossed(i, right)) continue;
    const double from = std::max(0.0, side_[i] * left.g[i]) * left_scale;
    const double to = std::abs(right.g[i]) * right_scale;
    if (from + to > 0.0) smallest = std::min(smallest, from / (from + to));
  }
  return left.t + smallest * (right.t - left.t);
}

/// Shrinks [left, right], at whose right end something has crossed, to the earliest such
/// interval it finds of the width of rounding.
void EventLocator::narrow(Point& left, Point& right) {
  const double resolution = time_resolution(right.t);
  double left_scale = 1.0;
  double right_scale = 1.0;
  double width_before = right.t - left.t;
  for (int iteration = 1; right.t - left.t > resolution; ++iteration) {
    double t = guess(left, right, left_scale, right_scale);
    if (iteration % 3 == 0) {
      // Three guesses must do as well as two halvings, or a halving takes their place.
      if (right.t - left.t > 0.25 * width_before) t = 0.5 * (left.t + right.t);
      width_before = right.t - left.t;
    }
    t = std::clamp(t, left.t + 0.5 * resolution, right.t - 0.5 * resolution);
    if (!(t > left.t && t < right.t)) return;
    evaluate(t, middle_);
    if (any_crossed(middle_)) {
      std::swap(right, middle_);
      left_scale *= 0.5;
      right_scale = 1.0;
    } else {
      std::swap(left, middle_);
      right_scale *= 0.5;
      left_scale = 1.0;
    }
  }
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
  for (std::size_t i = 0; i < count_; ++i) {
    if (!has_crossed(i, right)) continue;
    const int wanted = system_.event_direction(i);
    if (wanted == 0 || wanted == -side_[i]) event_.crossings.push_back({i, -side_[i]});
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
    if (side_[i] != 0) zero_level_[i] = std::abs(g);
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

double EventLocator::slope_before(std::size_t i, double t) {
  const double span = std::min(1e-4 * (end_.t - integrator_.previous_time()),
                               0.5 * (t - integrator_.previous_time()));
  evaluate(t - span, left_);
  evaluate(t, right_);
  return (right_.g[i] - left_.g[i]) / span;
}

/// Whether a function has crossed that has no part in the event. To be called after it was found.
bool EventLocator::passes_another(const Point& right) const {
  for (std::size_t i = 0; i < count_; ++i) {
    const auto is_i = [&](const EventCrossing& c) { return c.function == i; };
    if (has_crossed(i, right) && std::ranges::none_of(event_.crossings, is_i)) return true;
  }
  return false;
}

StepStatus EventLocator::truncate() {
  event_state_.resize(x_.size());
  is_truncated_ = true;
  const auto is_kink = [&](const EventCrossing& c) { return system_.event_is_kink(c.function); };
  if (integrator_.interpolant_is_accurate() && std::ranges::none_of(event_.crossings, is_kink)) {
    integrator_.interpolate(event_.time, event_state_);
    return StepStatus::ok;
  }
  const std::size_t i = event_.crossings.front().function;
  const double earliest = integrator_.previous_time();
  const double latest = end_.t;
  double slope = slope_before(i, event_.time);
  const int direction = event_.crossings.front().direction;
  middle_.g.resize(count_);
  double t = event_.time;
  double t_before = t;
  double g_before = 0.0;
  // Repeated steps err, each in its own way: where the function changes slowly they may not get
  // as far as the event, or not settle. The last one that did will do, or else the whole step, or
  // else the first; but none that has passed another event.
  bool has_crossed = !passes_another(end_);
  double t_crossed = latest;
  if (has_crossed) std::ranges::copy(integrator_.state(), event_state_.begin());
  for (int iteration = 0; iteration < 8; ++iteration) {
    if (integrator_.repeat_until(t) == StepStatus::failed) return StepStatus::failed;
    system_.events(t, integrator_.state(), middle_.g);
    const double g = middle_.g[i];
    if (iteration > 0 && t != t_before) slope = (g - g_before) / (t - t_before);
    const double change = slope == 0.0 ? 0.0 : -g / slope;
    const bool has_settled = std::abs(change) <= time_resolution(t);
    if (iteration > 0 && passes_another(middle_)) break;
    const bool is_beyond = has_settled || direction * g >= 0.0;
    if (is_beyond || !has_crossed) {
      has_crossed = is_beyond;
      t_crossed = t;
      std::ranges::copy(integrator_.state(), event_state_.begin());
    }
    t_before = std::exchange(t, std::clamp(t + change, earliest, latest));
    g_before = g;
    if (has_settled || t == t_before) break;
  }
  event_.time = t_crossed;
  return StepStatus::ok;
}

}  // namespace carom
