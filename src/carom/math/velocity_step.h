// The one door for steps that are no right-hand sides: a method asks its System for the velocity
// problem of a step, has it solved, and takes the state that its answer leads to.
//
//   do {
//     step.begin(t, h, x);       // mass, free velocity, and rows of all that may touch
//     step.solve();              // or a solver of the method's own, see problem()
//     step.finish(x_new);
//   } while (step.missed(x_new));
//   if (step.sinks(x_new)) …     // a shorter step is better, where there can be one
//
// Rows answer by potentials (elastic contact, step_problem.h) or lie within cones (rigid contact,
// contact/cones/). Loops, prescribed and stuck velocities are inside the mass, so rows are of
// contacts, joints with friction and elements between bodies alone. The system remembers nothing of
// a step until it is told that the step was accepted.
#pragma once

#include <cstdint>
#include <span>

#include "carom/base/status.h"
#include "carom/math/step_problem.h"

namespace carom {

/// What the steps so far took.
struct VelocityCounts {
  std::int64_t iterations = 0;  ///< of Newton's method
  std::int64_t sweeps = 0;      ///< over all rows of an island, or of conjugate gradients
  std::int64_t cut = 0;         ///< islands whose answer was cut because it would have made energy
};

class VelocityStep {
 public:
  virtual ~VelocityStep() = default;

  virtual Status begin(double t, double h, std::span<const double> x) = 0;
  /// False where some island did not converge.
  virtual bool solve() = 0;
  virtual void finish(std::span<double> x_new) = 0;
  /// True: what became fast may have met what was not looked for; the step is to be begun again.
  virtual bool missed(std::span<const double> x_new) = 0;
  /// True: bodies have come into each other by more than the step knew of, or had to stay where
  /// they were.
  virtual bool sinks(std::span<const double> x_new) = 0;

  /// What solve() solves, for a method that brings a solver: it puts v+ of an island into `v` for
  /// as long as revise() says that the island has changed by it. Null: rows lie within cones, and
  /// are found while they are solved.
  virtual StepProblem* problem() { return nullptr; }
  virtual bool revise(std::size_t island) { return (void)island, false; }

  /// Length of x, and the work of each of the system's powers over the step.
  virtual std::size_t size() const = 0;
  virtual void add_work(std::span<double> work) const = 0;
  virtual VelocityCounts counts() const = 0;
};

}  // namespace carom
