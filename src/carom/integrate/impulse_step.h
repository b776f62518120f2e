// The door by which a method of time stepping asks its System for a step with impulses: contacts
// that cannot be crossed are met within it, and velocities jump. What the problem is and how it is
// solved the system knows; the method knows when steps are taken, and how long.
//
// The system remembers nothing of a step until it is told that it was accepted.
#pragma once

#include <cstdint>
#include <span>

#include "carom/base/status.h"

namespace carom {

/// What the steps so far took.
struct ImpulseCounts {
  std::int64_t sweeps = 0;      ///< over all contacts of an island
  std::int64_t iterations = 0;  ///< of Newton's method
  std::int64_t unsolved = 0;    ///< steps in which the impulses of some island were not found
  std::int64_t guarded = 0;     ///< islands whose answer was cut because it would have made energy
};

class ImpulseStep {
 public:
  virtual ~ImpulseStep() = default;
  /// The state at t + h. `may_shorten`: the step asks to be taken again and shorter where bodies
  /// have come into each other (recoverable).
  virtual Status take(double t, double h, bool may_shorten, std::span<const double> x,
                      std::span<double> x_new) = 0;
  /// Length of x, and the work of each of the system's powers over the step.
  virtual std::size_t size() const = 0;
  virtual void add_work(std::span<double> work) const = 0;
  virtual ImpulseCounts counts() const = 0;
};

}  // namespace carom
