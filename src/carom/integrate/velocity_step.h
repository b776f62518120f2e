// The door by which a method of steps that are no right-hand sides asks its System for the velocity
// problem of a step (math/step_problem.h), and hands the answer back:
//
//   step.begin(t, h, x);
//   for each island of step.problem():  do solve; while (step.revise(island));
//   step.finish(x_new);  if (step.missed(x_new)) from the beginning
//   if (step.sinks(x_new)) a shorter step is better, where there can be one
//
// The system remembers nothing of it until it is told that the step was accepted.
#pragma once

#include <cstdint>

#include "carom/base/status.h"
#include "carom/math/step_problem.h"

namespace carom {

class VelocityStep {
 public:
  virtual ~VelocityStep() = default;
  virtual Status begin(double t, double h, std::span<const double> x) = 0;
  virtual StepProblem& problem() = 0;
  /// True: the problem of this island has changed and is to be solved again.
  virtual bool revise(std::size_t island) = 0;
  virtual void finish(std::span<double> x_new) = 0;
  /// True: what became fast may have met what was not looked for; the step is to be begun again.
  virtual bool missed(std::span<const double> x_new) = 0;
  /// True: bodies have come into each other by more than the step knew of.
  virtual bool sinks(std::span<const double> x_new) = 0;
  /// Length of x, and the work of each of the system's powers over the step.
  virtual std::size_t size() const = 0;
  virtual void add_work(std::span<double> work) const = 0;
  /// Islands so far whose answer was cut to the energy that they had stored.
  virtual std::int64_t bank_actions() const = 0;
};

}  // namespace carom
