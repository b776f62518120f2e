// Signals compiled for evaluation: closed forms, tables and formulas.
//
// Besides its value a signal knows its first two time derivatives where it is a
// function of time alone (prescribed motion needs them), and the instants at which
// it or a derivative jumps, where an integrator must not step across.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/math/formula.h"
#include "carom/multibody/signal_spec.h"

namespace carom {

struct SignalJet {
  double value = 0.0, rate = 0.0, acceleration = 0.0;
};

class Signal {
 public:
  /// Compiles; `t` and `find` say where formulas find their values. Returns what is wrong, or an
  /// empty text.
  std::string compile(const SignalSpec& spec, const double* t, const FormulaLookup& find);

  /// The value at time t (formulas read their variables, including t, from where they
  /// were compiled to).
  double value(double t) const;
  /// Value and time derivatives; only for signals without measured quantities. The
  /// derivatives of a formula are its given `rate` and `acceleration`, or its own, exactly.
  SignalJet jet(double t) const;
  /// Where a formula reads its values; empty for other signals.
  std::span<const double* const> reads() const { return formula_.variables(); }
  /// Slope of a formula by one of these, the others held.
  double slope(const double* location) const { return formula_.jet(location, *location).g[0]; }

  bool is_constant() const { return spec_.kind == SignalSpec::Kind::constant; }
  bool is_formula() const { return spec_.kind == SignalSpec::Kind::formula; }
  /// The next instant after t at which the signal is not smooth; +inf if none.
  double next_break(double t) const;

 private:
  SignalJet table_jet(double t) const;
  SignalSpec spec_;
  std::vector<double> slopes_;  ///< of a cubic table at its knots
  Formula formula_, rate_, acceleration_;
  const double* t_ = nullptr;  ///< where the formulas read the time
};

}  // namespace carom
