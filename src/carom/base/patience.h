// Whether somebody still waits for what a thread computes.
//
//   const Patience patience(&interrupt);      // while a step is taken
//   …
//   if (Patience::is_over()) return …;        // anywhere below, in what may take seconds
//
// Who gives up returns at once with whatever it has: everything that was computed since is thrown
// away by the one who holds the Patience. Nothing else may depend on it.
#pragma once

#include <atomic>

namespace carom {

class Patience {
 public:
  /// `over` may be null: then nothing gives up.
  explicit Patience(const std::atomic<bool>* over) : before_(over_) { over_ = over; }
  ~Patience() { over_ = before_; }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  static bool is_over() { return over_ && over_->load(std::memory_order_relaxed); }

 private:
  static inline thread_local const std::atomic<bool>* over_ = nullptr;
  const std::atomic<bool>* before_;
};

}  // namespace carom
