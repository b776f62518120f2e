// The right-hand side as the methods call it: every evaluation is counted, and a
// value that is not finite is refused before it can spread through a step.
#pragma once

#include <string>

#include "carom/integrate/integrator.h"
#include "carom/integrate/system.h"

namespace carom {

class CheckedRhs {
 public:
  CheckedRhs(System& system, IntegratorStatistics& statistics)
      : system_(system), statistics_(statistics) {}

  /// A value that is not finite counts as recoverable: a smaller step may avoid it.
  Status operator()(double t, std::span<const double> x, std::span<double> xdot);

  System& system() const { return system_; }
  void forget_complaint() { status_ = Status::ok; }
  /// Forgets what was wrong at times that have been passed since.
  void forget_complaint_before(double t) {
    if (time_ <= t) forget_complaint();
  }
  bool complaint_is_recoverable() const { return status_ == Status::recoverable; }
  /// What was wrong with the last evaluation that was not ok, since it was forgotten.
  std::string complaint() const;

 private:
  System& system_;
  IntegratorStatistics& statistics_;
  Status status_ = Status::ok;
  double time_ = 0.0;
  bool not_finite_ = false;
  std::size_t component_ = 0;
};

}  // namespace carom
