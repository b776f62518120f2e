// How EventLocator looks within a step: what (1) certifies, where a crossing hides, and how it is
// narrowed. Only the functions that matter are evaluated here.
#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/integrate/event_locator.h"

namespace carom {
namespace {

/// An open time below this part of a step is not split further for certification.
constexpr double kShortestPart = 1e-5;

}  // namespace

void EventLocator::evaluate_watched(double t, Point& point) {
  point.t = t;
  point.g.resize(watched_.size());
  integrator_.interpolate(t, x_);
  system_.some_events(t, x_, watched_, point.g);
}

bool EventLocator::any_watched_crossed(const Point& right) const {
  for (std::size_t k = 0; k < watched_.size(); ++k) {
    if (has_crossed(watched_[k], right.g[k])) return true;
  }
  return false;
}

void EventLocator::watch_crossed(const Point& right) {
  watched_.clear();
  for (std::size_t i = 0; i < count_; ++i) {
    if (has_crossed(i, right.g[i])) watched_.push_back(i);
  }
}

/// Watches what is not certified between two points of all functions; whether there is anything.
bool EventLocator::watch_open(const Point& left, const Point& right) {
  const double shortest = kShortestPart * (end_.t - begin_.t);
  double split = 0.0;
  watched_.clear();
  for (std::size_t i = 0; i < count_; ++i) {
    if (open_time(i, left.g[i], right.g[i], left.t, right.t, split) > shortest) {
      watched_.push_back(i);
    }
  }
  return !watched_.empty();
}

void EventLocator::keep_watched(const Point& all, Point& some) const {
  some.t = all.t;
  some.g.resize(watched_.size());
  for (std::size_t k = 0; k < watched_.size(); ++k) some.g[k] = all.g[watched_[k]];
}

/// The time in [t0, t1] in which function i could cross unseen: what (1) leaves open after going
/// from both ends towards zero as fast as the bound allows. `split` becomes its middle.
double EventLocator::open_time(std::size_t i, double from, double to, double t0, double t1,
                               double& split) const {
  if (side_[i] == 0) return 0.0;
  const double rate = system_.event_rate_bound(i, t0, t1);
  if (!(std::isfinite(rate) && rate > 0.0)) return 0.0;
  from = std::max(0.0, side_[i] * from);
  const double open = t1 - t0 - (from + std::abs(to)) / rate;
  split = t0 + from / rate + 0.5 * open;
  return open;
}

/// The longest of these times, of all functions.
double EventLocator::open_time(const Point& left, const Point& right, double& split) const {
  double longest = 0.0, middle = 0.0;
  for (std::size_t i = 0; i < count_; ++i) {
    const double open = open_time(i, left.g[i], right.g[i], left.t, right.t, middle);
    if (open > longest) longest = open, split = middle;
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

/// Splits the interval between some_left_ and some_right_ where most time is open (Piyavskii 1972,
/// Shubert 1972). On success a watched function crosses between `left` and `right`.
bool EventLocator::split_gaps(double& left, double& right) {
  const double shortest = kShortestPart * (end_.t - begin_.t);
  const auto measure = [&](std::size_t k) {
    const Point& a = k == 0 ? some_left_ : gaps_[k - 1].right;
    const Point& b = gaps_[k].right;
    double middle = 0.0;
    gaps_[k].open = 0.0;
    for (std::size_t j = 0; j < watched_.size(); ++j) {
      const double open = open_time(watched_[j], a.g[j], b.g[j], a.t, b.t, middle);
      if (open > gaps_[k].open) gaps_[k].open = open, gaps_[k].split = middle;
    }
  };
  gap_count_ = 0;
  insert_gap(0, some_right_);
  measure(0);
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
    evaluate_watched(gaps_[k].split, middle_);
    left = k == 0 ? some_left_.t : gaps_[k - 1].right.t;
    right = middle_.t;
    if (any_watched_crossed(middle_)) return true;
    insert_gap(k, middle_);
    measure(k);
    measure(k + 1);
  }
}

/// Looks for a crossing that the ends of [left, right] do not show. On success left and right
/// enclose a crossing.
bool EventLocator::find_hidden(Point& left, Point& right) {
  if (any_crossed(right)) return true;
  if (!watch_open(left, right)) return false;
  keep_watched(left, some_left_);
  keep_watched(right, some_right_);
  double t_left = 0.0, t_right = 0.0;
  if (!split_gaps(t_left, t_right)) return false;
  if (t_left > left.t) evaluate(t_left, left);
  evaluate(t_right, right);
  return any_crossed(right);
}

/// Where the first of the functions that cross would be zero if they were straight. The
/// scales (Illinois) draw the guess to an end that has been kept for too long. It keeps as far
/// from the ends as the functions resolve, so that both come close.
double EventLocator::guess(const Point& left, const Point& right, double left_scale,
                           double right_scale) const {
  const double width = right.t - left.t;
  double smallest = 1.0, margin = 0.5;
  for (std::size_t k = 0; k < watched_.size(); ++k) {
    if (!has_crossed(watched_[k], right.g[k])) continue;
    const double from = std::max(0.0, side_[watched_[k]] * left.g[k]);
    const double to = std::abs(right.g[k]);
    const double sum = from * left_scale + to * right_scale;
    if (sum > 0.0) smallest = std::min(smallest, from * left_scale / sum);
    const double resolved = 0.5 * system_.event_resolution(watched_[k]);
    margin = std::min(margin, from + to > 0.0 ? resolved / (from + to) : 0.5);
  }
  return left.t + std::clamp(smallest, margin, 1.0 - margin) * width;
}

/// Whether all that crosses between the two changes by no more than it resolves.
bool EventLocator::is_resolved(const Point& left, const Point& right) const {
  for (std::size_t k = 0; k < watched_.size(); ++k) {
    if (!has_crossed(watched_[k], right.g[k])) continue;
    const double change = std::abs(right.g[k] - left.g[k]);
    if (!(change <= system_.event_resolution(watched_[k]))) return false;
  }
  return true;
}

/// Shrinks [left, right], at whose right end something has crossed, to the earliest such
/// interval it finds that is as narrow as the functions or time resolve.
void EventLocator::narrow(Point& left, Point& right) {
  watch_crossed(right);
  keep_watched(left, some_left_);
  keep_watched(right, some_right_);
  Point &from = some_left_, &to = some_right_;
  const double resolution = time_resolution(right.t);
  double left_scale = 1.0;
  double right_scale = 1.0;
  double width_before = to.t - from.t;
  for (int iteration = 1; to.t - from.t > resolution && !is_resolved(from, to); ++iteration) {
    double t = guess(from, to, left_scale, right_scale);
    if (iteration % 3 == 0) {
      // Three guesses must do as well as two halvings, or a halving takes their place.
      if (to.t - from.t > 0.25 * width_before) t = 0.5 * (from.t + to.t);
      width_before = to.t - from.t;
    }
    t = std::clamp(t, from.t + 0.5 * resolution, to.t - 0.5 * resolution);
    if (!(t > from.t && t < to.t)) break;
    evaluate_watched(t, middle_);
    if (any_watched_crossed(middle_)) {
      std::swap(to, middle_);
      left_scale *= 0.5;
      right_scale = 1.0;
    } else {
      std::swap(from, middle_);
      right_scale *= 0.5;
      left_scale = 1.0;
    }
  }
  if (from.t > left.t) evaluate(from.t, left);
  if (to.t < right.t) evaluate(to.t, right);
}

}  // namespace carom
