// A scalar function of time and measured quantities, as the user states it.
#pragma once

#include <string>
#include <vector>

#include "carom/base/diagnostic.h"

namespace carom {

/// One of the kinds in `signal_kinds()`. Plain value; compiled by the engine.
struct SignalSpec {
  enum class Kind { constant, step, ramp, sine, table, formula };
  enum class Interpolation { hold, linear, cubic };

  Kind kind = Kind::constant;
  double value = 0.0;  ///< constant

  // step: `before` until `start`, then `after`
  // ramp: from `before` at `start` to `after` at `start + duration`
  double before = 0.0, after = 1.0, start = 0.0, duration = 1.0;

  // sine: offset + amplitude sin(2 pi frequency (t - start) + phase)
  double offset = 0.0, amplitude = 1.0, frequency = 1.0, phase = 0.0;

  // table: values at strictly increasing times, held beyond its ends unless periodic
  std::vector<double> times, values;
  Interpolation interpolation = Interpolation::linear;
  bool periodic = false;

  // formula in t and channel names, such as "2*sin(t) - 0.1*pivot.v";
  // rate and acceleration (optional) are its derivatives, for prescribed motion
  std::string formula, rate, acceleration;

  SourcePos where;

  static SignalSpec constant(double v) {
    SignalSpec s;
    s.value = v;
    return s;
  }
};

}  // namespace carom
