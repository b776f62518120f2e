// Signals compiled for evaluation: closed forms, tables and formulas.
//
// Besides its value a signal knows its first two time derivatives where it is a
// function of time alone (prescribed motion needs them), and the instants at which
// it or a derivative jumps, where an integrator must not step across.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/multibody/formula.h"
#include "carom/multibody/signal_spec.h"

namespace carom {

struct SignalJet {
  double value = 0.0, rate = 0.0, acceleration = 0.0;
};

class Signal {
 public:
  /// Compiles; `t` and `find` say where formulas find their values. Without `jets` a formula
  /// has no jet(), and takes half the time to compile. Returns what is wrong, or an empty text.
  std::string compile(const SignalSpec& spec, const double* t, const FormulaLookup& find,
                      bool jets = true);

  /// The value at time t (formulas read their variables, including t, from where they
  /// were compiled to).
  double value(double t) const;
  /// Value and time derivatives; only for signals without measured quantities. The
  /// derivatives of a formula are its given `rate` and `acceleration`, or differences
  /// with a relative error of about 1e-11 and 1e-8.
  SignalJet jet(double t) const;

  bool is_constant() const { return spec_.kind == SignalSpec::Kind::constant; }
  bool is_formula() const { return spec_.kind == SignalSpec::Kind::formula; }
  /// The next instant after t at which the signal is not smooth; +inf if none.
  double next_break(double t) const;

 private:
  SignalJet table_jet(double t) const;
  double formula_at(const Formula& formula, double t) const;

  SignalSpec spec_;
  std::vector<double> slopes_;  ///< of a cubic table at its knots
  Formula formula_, rate_, acceleration_;
  std::shared_ptr<double> own_t_;  ///< the `t` of formulas evaluated by jet()
  Formula timed_, timed_rate_, timed_acceleration_;
};

}  // namespace carom
