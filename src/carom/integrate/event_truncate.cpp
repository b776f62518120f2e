// How EventLocator ends a step at an event.
//
// Where the interpolant is not as good as the method, or the step has a kink at the event, the step
// is repeated to end there. Repeated steps err, each in its own way, so that g at their ends is a
// noisy function of the instant: a bracket of instants is kept, [low, high], from whose upper end
// on the function has crossed, and the best end of all is taken. A secant finds it; every third
// instant halves the bracket; as long as one of its ends is not known, instants move by strides
// that double. None goes beyond another event, and the end of the step is no refuge: a state far
// behind the event would be taken for one at it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/integrate/event_locator.h"

namespace carom {
namespace {

constexpr int kMostRepetitions = 40;

}  // namespace

double EventLocator::slope_before(std::size_t i, double t) {
  const double span = std::min(1e-4 * (end_.t - begin_.t), 0.5 * (t - begin_.t));
  watched_.assign(1, i);
  evaluate_watched(t - span, some_left_);
  evaluate_watched(t, some_right_);
  return (some_right_.g[0] - some_left_.g[0]) / span;
}

/// Whether the step has a kink anywhere: then its interpolant is not to be trusted.
bool EventLocator::crosses_kink() const {
  for (std::size_t i = 0; i < count_; ++i) {
    const double end = begin_side_[i] * end_.g[i];
    if (begin_side_[i] != 0 && end <= 0.0 && system_.event_is_kink(i)) return true;
  }
  const auto is_kink = [&](const EventCrossing& c) { return system_.event_is_kink(c.function); };
  return std::ranges::any_of(event_.crossings, is_kink);
}

/// Whether a function has crossed at the end of the repeated step that has no part in the event.
bool EventLocator::passes_another(double t) {
  middle_.g.resize(count_);
  system_.events(t, integrator_.state(), middle_.g);
  const std::vector<double>& g = middle_.g;
  for (std::size_t i = 0; i < count_; ++i) {
    if (event_side_[i] == 0 || event_side_[i] * g[i] > 0.0) continue;
    const auto is_i = [&](const EventCrossing& c) { return c.function == i; };
    if (std::ranges::none_of(event_.crossings, is_i)) return true;
  }
  return false;
}

bool EventLocator::improves(const Candidate& next, const Candidate& best) const {
  if (next.has_crossed != best.has_crossed) return next.has_crossed;
  return std::abs(next.g) < std::abs(best.g);
}

/// The instant to try next, t where there is none.
double EventLocator::next_instant(Bracket& b, double t, double newton, double resolved) const {
  b.stride = b.stride > 0.0 ? 2.0 * b.stride : resolved;
  const bool is_closed = std::isfinite(b.high) && b.low > begin_.t;
  const bool is_inside = newton > b.low && newton < b.high;
  if (is_closed) {
    return is_inside && ++b.tries % 3 != 0 ? newton : 0.5 * (b.low + b.high);
  }
  if (std::isfinite(b.high)) {
    return std::max(is_inside ? std::min(newton, b.high - b.stride) : b.high - b.stride, begin_.t);
  }
  return std::max(t, std::min(std::max(newton, b.low + b.stride), end_.t));
}

/// Repeats the step until its end is at the zero of the k-th function of the event.
StepStatus EventLocator::repeat_to_event(std::size_t k) {
  const auto [i, direction] = event_.crossings[k];
  double slope = slope_before(i, event_.time);
  Bracket bracket{begin_.t, std::numeric_limits<double>::infinity()};
  Candidate best{false, event_.time, std::numeric_limits<double>::infinity()};
  double t = event_.time, t_before = t, g_before = 0.0;
  watched_.assign(1, i);
  for (int repetition = 1; repetition <= kMostRepetitions; ++repetition) {
    if (integrator_.repeat_until(t) == StepStatus::failed) return StepStatus::failed;
    double g = 0.0;
    system_.some_events(t, integrator_.state(), watched_, {&g, 1});
    const Candidate next{direction * g >= 0.0, t, g};
    const bool is_beyond = t > event_.time && passes_another(t);
    if (!is_beyond && improves(next, best)) {
      best = next;
      std::ranges::copy(integrator_.state(), event_state_.begin());
    }
    (next.has_crossed || is_beyond ? bracket.high : bracket.low) = t;
    if (repetition > 1 && next.g != g_before) slope = (next.g - g_before) / (t - t_before);
    t_before = t, g_before = next.g;
    const double gamma = system_.event_resolution(i), steepness = std::abs(slope);
    const double resolved = time_resolution(t) + (steepness > 0.0 ? gamma / steepness : 0.0);
    event_level_[k] = std::max(gamma, steepness * time_resolution(t));
    if (!is_beyond && std::abs(next.g) <= (next.has_crossed ? event_level_[k] : gamma)) break;
    if (bracket.high - bracket.low <= resolved) break;
    t = next_instant(bracket, t, steepness > 0.0 ? t - next.g / slope : t, resolved);
    if (t == t_before) break;
  }
  if (!std::isfinite(best.g)) return StepStatus::failed;
  event_.time = best.time;
  event_g_.resize(count_);
  system_.events(best.time, event_state_, event_g_);  // all others once, not with every repetition
  if (!best.has_crossed && std::abs(best.g) > system_.event_resolution(i)) ++unlocated_count_;
  return StepStatus::ok;
}

/// What has crossed in the truncated state belongs to the event, for the next step begins behind
/// it; what has not will cross in the next step. The k-th function is why the step ends here.
void EventLocator::take_crossings(std::size_t k) {
  const EventCrossing cause = event_.crossings[k];
  const double level = event_level_[k];
  event_.crossings.clear();
  event_level_.clear();
  for (std::size_t i = 0; i < count_; ++i) {
    const bool has_crossed = event_side_[i] != 0 && event_side_[i] * event_g_[i] <= 0.0;
    const int wanted = system_.event_direction(i);
    const bool counts = wanted == 0 || wanted == -event_side_[i];
    if (i != cause.function && !(has_crossed && counts)) continue;
    event_.crossings.push_back(i == cause.function ? cause : EventCrossing{i, -event_side_[i]});
    event_level_.push_back(i == cause.function ? level : system_.event_resolution(i));
  }
}

StepStatus EventLocator::truncate() {
  event_state_.resize(x_.size());
  is_truncated_ = true;
  const auto is_kink = [&](const EventCrossing& c) { return system_.event_is_kink(c.function); };
  const auto kink = std::ranges::find_if(event_.crossings, is_kink);
  if (integrator_.interpolant_is_accurate() && !crosses_kink()) {
    integrator_.interpolate(event_.time, event_state_);
    event_g_ = end_of_event_.g;
    return StepStatus::ok;
  }
  const bool has_kink = kink != event_.crossings.end();
  const auto k = static_cast<std::size_t>(has_kink ? kink - event_.crossings.begin() : 0);
  if (repeat_to_event(k) == StepStatus::failed) return StepStatus::failed;
  take_crossings(k);
  return StepStatus::ok;
}

}  // namespace carom
