// Where a one-step method is: the two ends of its last step.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace carom {

struct StepRecord {
  double previous_time = 0.0;
  double time = 0.0;
  std::vector<double> previous;  ///< state at previous_time
  std::vector<double> state;     ///< state at time
  std::string failure;

  void start(double t, std::span<const double> x) {
    previous_time = time = t;
    state.assign(x.begin(), x.end());
    previous = state;
    failure.clear();
  }

  double length() const { return time - previous_time; }

  /// Whether `t` is reached already, up to rounding; a step to there is an empty one.
  bool reached(double t) const {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    return t - time <= 4.0 * eps * std::max(std::abs(t), std::abs(time));
  }

  void take_empty_step(double t) {
    previous_time = time;
    time = std::max(t, time);
    previous = state;
  }

  void finish_step(double t_end) {
    previous_time = time;
    time = t_end;
  }
};

}  // namespace carom
