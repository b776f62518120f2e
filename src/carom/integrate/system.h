// The abstract system that integrators see: x' = f(t, x), with everything an
// error-controlled method needs to know about it. `integrate` knows no bodies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/base/status.h"

namespace carom {

/// Columns of a sparse matrix: rows of column j are rows[start[j]] … rows[start[j+1]-1].
struct SparsePattern {
  std::vector<int> start;
  std::vector<int> rows;
  bool empty() const { return start.empty(); }
};

class VelocityStep;

class System {
 public:
  virtual ~System() = default;

  virtual std::size_t size() const = 0;

  /// x' at (t, x): a pure function of its arguments between two calls of `accept`.
  virtual Status rhs(double t, std::span<const double> x, std::span<double> xdot) = 0;

  /// Functions at whose zeros the right-hand side has kinks that are no events, as the last
  /// `rhs` found them: smooth where one is positive, while below zero a term sets in. A method
  /// may choose its steps by them (kink_pacing.h).
  virtual std::span<const double> kinks() const { return {}; }
  /// Whether there may be others, of which nothing tells, where the last `rhs` was evaluated.
  virtual bool hides_kinks() const { return false; }
  /// A number that is another one behind a kink, where the last `rhs` was evaluated. That it stays
  /// the same says nothing.
  virtual std::uint64_t sides() const { return 0; }

  /// Powers whose integrals the caller wants to know, as the last `rhs` found them [W]. Nothing
  /// depends on the integrals, so they are no states.
  virtual std::size_t power_count() const { return 0; }
  virtual void powers(std::span<double> p) const { (void)p; }
  /// The energy against which errors of these integrals count [J].
  virtual double power_scale() const { return 1.0; }

  /// Weights w of the error norm, each the inverse of an absolute tolerance.
  /// The default is 1/(rtol |x_i| + atol); bodies need better ones (N6).
  virtual void error_weights(std::span<const double> x, double rtol, double atol,
                             std::span<double> w) const;

  /// Sizes s on which each component matters, for increments of differences: x' is about
  /// linear over a small share of it. The default is what the weights say, 1/(rtol w).
  virtual void sizes(std::span<const double> x, double rtol, double atol,
                     std::span<double> s) const;

  /// The norm is the maximum over groups of the weighted RMS within a group.
  /// groups()[i] is the group of component i, -1 for "does not count";
  /// an empty span means one group. Constant between restarts.
  virtual std::span<const int> groups() const { return {}; }

  /// Structure of df/dx for coloured differences and a sparse solver; empty: dense.
  virtual const SparsePattern* jacobian_pattern() const { return nullptr; }

  /// x = [q | v | z]: sizes of q and v, for methods that treat them apart.
  virtual std::size_t position_size() const { return 0; }
  virtual std::size_t velocity_size() const { return 0; }
  /// q' = N(q) v of the state x, into the first position_size() entries of qdot.
  virtual void position_rates(double t, std::span<const double> x, std::span<double> qdot);

  /// Whether an implicit method may pay off; false where motion is certainly smooth and slow.
  virtual bool may_be_stiff() const { return true; }

  /// Whether vibrations that matter to nobody may keep steps short: bodies rest on stiff contacts.
  virtual bool may_vibrate() const { return false; }

  /// Steps that are not right-hand sides (math/velocity_step.h); null: there are none.
  virtual VelocityStep* velocity_step() { return nullptr; }

  /// Whether x lies on a manifold to which `project` returns (loops, N12).
  virtual bool has_projection() const { return false; }
  /// Moves x to the manifold; `error` (may be empty) is an error estimate to be
  /// projected onto its tangent space.
  virtual Status project(double t, std::span<double> x, std::span<double> error);

  /// Event functions: a sign change is located. Never fails. The count may change
  /// in `accept`.
  virtual std::size_t event_count() const { return 0; }
  virtual void events(double t, std::span<const double> x, std::span<double> g);
  /// Those that `which` names, ascending, into g in this order: narrowing an event must not cost
  /// what all functions cost.
  virtual void some_events(double t, std::span<const double> x, std::span<const std::size_t> which,
                           std::span<double> g);
  /// What function i resolves where it was evaluated last: |g| up to this is rounding, not a
  /// value. 0: it is as exact as a number.
  virtual double event_resolution(std::size_t i) const;
  /// Whether function i is positive as long as a mode lasts, and within its resolution the mode
  /// still does; others take the side to which they leave zero.
  virtual bool event_ends_mode(std::size_t i) const;
  /// Which crossings of function i count: +1 rising, -1 falling, 0 both.
  virtual int event_direction(std::size_t i) const;
  /// A bound of |dg_i/dt| in [t0, t1], a part of the last step; infinity: unknown, then
  /// only a change of sign between the ends of a step is seen (N4).
  virtual double event_rate_bound(std::size_t i, double t0, double t1) const;
  /// Whether the right-hand side has a kink where function i is zero. A step across it must
  /// not be interpolated there.
  virtual bool event_is_kink(std::size_t i) const;

  /// Called with every accepted step, after events in it were handled; the only
  /// place where a system may change its memory. Returns true if the right-hand
  /// side changed beyond rounding, so that the method must restart.
  virtual bool accept(double t, std::span<const double> x);
  /// Whether event functions are the same after the last `accept` as before it, up to what they
  /// resolve: then their values at the end of the step are those at the begin of the next.
  virtual bool keeps_events() const { return false; }
};

}  // namespace carom
