// Whether error control is worth its price in a crowd of contacts.
//
// A heap of bodies has an impact somewhere in every instant, and each one makes a method with error
// control start anew: its cost per simulated second has no bound that grows with the scene alone.
// Fixed steps of a twentieth of the shortest contact have one evaluation a step, whatever happens.
// The watch counts work in evaluations (an event costs as many as the restart after it) times
// bodies, and projects it to the end of the run:
//
//   error control   N bodies,  N = (evaluations + 50 events) / (t - t0) (t_end - t)        (1)
//   fixed steps     (t_end - t)/h bodies,  h = T/25                                        (2)
//
// Only where (1) is far too much, by two windows in a row, and more than twice (2), a run goes
// over. Counts decide, never clocks: a run is the same on every machine.
#pragma once

#include <cstdint>
#include <optional>

namespace carom {

class WorkWatch {
 public:
  /// Steps within the shortest contact so far: twenty, and a quarter more for what comes later.
  static constexpr double kStepsPerContact = 25.0;
  /// Times fewer evaluations that fixed steps must take.
  static constexpr double kLeastGain = 2.0;

  /// What was done up to now.
  struct Work {
    std::int64_t evaluations = 0, events = 0;
  };

  /// `patience`: times longer windows, where bursts of work pass.
  explicit WorkWatch(std::size_t bodies = 0, double patience = 1.0)
      : bodies_(static_cast<double>(bodies)), patience_(patience) {}

  /// Evaluations take as long as those of so many elastic bodies from here on.
  void weigh(double bodies) { bodies_ = bodies; }

  /// Forgets what it saw.
  void start(double t, const Work& work);
  /// The length of fixed steps that end the run much sooner, if there are any: `contact` is how
  /// long the shortest contact so far took [s].
  std::optional<double> step_instead(double t, double t_end, const Work& work, double contact);
  /// Work of (1), as last projected, in evaluations.
  double projected() const { return projected_; }

 private:
  double bodies_ = 0.0, patience_ = 1.0, begun_ = 0.0, projected_ = 0.0;
  Work at_begin_;
  int crowded_ = 0;  ///< windows in a row that say so
};

}  // namespace carom
