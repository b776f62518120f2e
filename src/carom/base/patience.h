// Whether somebody still waits for what a thread computes.
//
//   const Patience patience(&interrupt, cpu_end);   // while a step is taken
//   …
//   if (Patience::is_over()) return …;              // anywhere below, in what may take seconds
//
// Who gives up returns at once with whatever it has: everything that was computed since is thrown
// away by the one who holds the Patience. Nothing else may depend on it.
//
// Processor time is asked of the system, which takes longer than some of what asks here. A thread
// never has more of it than has passed on the clock on the wall, which is asked without a call of
// the system: as long as less has passed than was left, nothing needs to be asked.
#pragma once

#include <time.h>

#include <atomic>
#include <limits>

#include "carom/base/cpu_time.h"

namespace carom {

class Patience {
 public:
  static constexpr double kForEver = std::numeric_limits<double>::infinity();

  /// `over` may be null: then nobody ends it. `cpu_end`: of thread_cpu_seconds() [s].
  explicit Patience(const std::atomic<bool>* over, double cpu_end = kForEver)
      : over_(over), cpu_end_(cpu_end), before_(innermost_) {
    innermost_ = this;
  }
  ~Patience() { innermost_ = before_; }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  static bool is_over() { return innermost_ && innermost_->has_ended(); }

 private:
  static double wall_seconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  bool has_ended() {
    if (over_ && over_->load(std::memory_order_relaxed)) return true;
    return cpu_end_ < kForEver && has_spent();
  }

  /// Once true it stays so, since processor time only grows.
  bool has_spent() {
    const double now = wall_seconds();
    if (now < next_look_) return false;
    const double left = cpu_end_ - thread_cpu_seconds();
    next_look_ = now + left;
    return left <= 0.0;
  }

  static inline thread_local Patience* innermost_ = nullptr;
  const std::atomic<bool>* over_;
  double cpu_end_;
  double next_look_ = -kForEver;  ///< of wall_seconds() [s]
  Patience* before_;
};

}  // namespace carom
