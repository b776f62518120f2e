// A one-step view of every integration method: step, then interpolate in the step.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "carom/base/param.h"
#include "carom/integrate/system.h"

namespace carom {

struct IntegratorSettings {
  double rtol = 1e-8;         ///< relative tolerance [-]
  double atol = 1e-10;        ///< absolute tolerance where a system does not set its own
  double max_step = kInf;     ///< [s]
  double initial_step = 0.0;  ///< [s]; 0: chosen by the method
  /// Of `switching`: looser tolerances count by the tenth root of what they are looser by. With
  /// them the error estimate of its explicit half sees an instability so late that steps swing
  /// about the border and stiffness is not found, and its implicit half loses energy.
  double loose = std::numeric_limits<double>::infinity();
  double fixed_step = 1e-3;  ///< [s]; of fixed-step methods
  long max_steps = 0;        ///< 0: no limit
  /// It takes up a run that another has brought here: starting must not add an error of its own.
  bool goes_on = false;
  /// Runge-Kutta methods with error control take `fixed_step` instead (for studies of order).
  bool without_error_control = false;
};

struct IntegratorStatistics {
  std::int64_t steps = 0;
  std::int64_t rejected_steps = 0;
  std::int64_t rhs_evaluations = 0;  ///< all of them: Jacobian columns included
  std::int64_t jacobian_evaluations = 0;
  std::int64_t restarts = 0;
  // Of implicit contact steps:
  std::int64_t newton_iterations = 0;
  std::int64_t linear_iterations = 0;  ///< of conjugate gradients
  std::int64_t unconverged_steps = 0;  ///< in some island
  std::int64_t bank_actions = 0;       ///< islands cut to the energy that they had stored

  IntegratorStatistics& operator+=(const IntegratorStatistics& b) {
    steps += b.steps, rejected_steps += b.rejected_steps;
    rhs_evaluations += b.rhs_evaluations, jacobian_evaluations += b.jacobian_evaluations;
    restarts += b.restarts;
    newton_iterations += b.newton_iterations, linear_iterations += b.linear_iterations;
    unconverged_steps += b.unconverged_steps, bank_actions += b.bank_actions;
    return *this;
  }
};

enum class StepStatus { ok, failed };

class Integrator {
 public:
  virtual ~Integrator() = default;

  /// (Re)starts at (t, x); forgets all history.
  virtual void start(double t, std::span<const double> x) = 0;

  /// The right-hand side has changed, the state has not: goes on from the end of the last step with
  /// its step size, and with its history where that can bear a kink.
  virtual void resume();

  /// A length that the next step should not exceed, where the caller knows more of what is
  /// to come than the slope tells; after start(). Fixed-step methods ignore it.
  virtual void suggest_step(double h) { (void)h; }

  /// One step of the method's own choice, ending at `t_limit` at the latest.
  /// After a failure the state is still that of the last good step.
  virtual StepStatus step(double t_limit) = 0;

  virtual double time() const = 0;           ///< end of the last step
  virtual double previous_time() const = 0;  ///< its beginning
  virtual std::span<const double> state() const = 0;

  /// Dense output: the state at t in [previous_time(), time()].
  virtual void interpolate(double t, std::span<double> x) = 0;
  /// Whether the interpolant is as accurate as the method, so that a restart may
  /// begin from it; otherwise the locator repeats the step to end there (N5).
  virtual bool interpolant_is_accurate() const = 0;
  /// Takes the last step again from its beginning, to end exactly at `t_end`.
  virtual StepStatus repeat_until(double t_end) = 0;
  /// Whether dense output is that of the repeated step then; otherwise there is none.
  virtual bool interpolates_repeated_step() const { return true; }

  /// Integrals of System::powers over [previous_time(), t] where the stages of the method give
  /// them for nothing, and the errors that it estimates over the whole step. False: it has none,
  /// and they are to be found on the dense output (power_quadrature.h).
  virtual bool integrate_powers(double t, std::span<double> work, std::span<double> error) {
    (void)t, (void)work, (void)error;
    return false;
  }

  /// Of explicit methods that measure it: h |lambda| of the last step, where lambda is the
  /// fastest rate of the system.
  virtual double stiffness() const { return 0.0; }
  /// Of BDF: how often since start() it has lowered its order because a vibration that it does not
  /// resolve was at the border of stability.
  virtual int lowered_orders() const { return 0; }

  virtual const IntegratorStatistics& statistics() const = 0;
  virtual std::string failure() const = 0;  ///< why the last step failed
};

/// A row of the catalogue in integrate/methods/.
struct Method {
  const char* name;
  const char* doc;
  bool error_controlled;
  bool implicit;
  bool handles_projection;  ///< usable with loops
  int order;                ///< convergence order (highest, for variable-order methods)
  std::unique_ptr<Integrator> (*make)(System& system, const IntegratorSettings& settings);
  /// Within a contact a corner comes to press, or ceases to, without an event: a kink that
  /// estimates of high order see too small. With contacts the tolerance is divided by this.
  double kink_factor = 1.0;
};

std::span<const Method* const> method_catalogue();
const Method* find_method(std::string_view name);

}  // namespace carom
