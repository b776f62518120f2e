// Interpreters of tapes: one loop over the steps for every kind of number.
//
//   run_formula<double>(tape, load)             the value
//   run_formula<Jet<double, 2>>(tape, load)     with gradient and Hessian
//   run_formula<Interval>(tape, load)           bounds over a box
//   run_formula<Jet<Interval, 3>>(tape, load)   bounds of all of them
//
// `load(i)` gives variable i as such a number. Where a formula jumps within a box, the bounds of
// its derivatives are infinite; at a kink they hold the slopes of both sides.
//
// Where a part that counts is not a number, the formula is none: a comparison, `min` or `?:` must
// not turn log(-1) into a number again, or bounds, which leave out where a part is not defined,
// would leave out values. Parts that do not count: what `?:` does not choose, and what stands
// beside a false part of `&&` or a true one of `||`.
#pragma once

#include <array>
#include <cmath>

#include "carom/math/formula_tape.h"
#include "carom/math/interval.h"
#include "carom/math/jet.h"

namespace carom {

/// What one operation does to numbers of type T; specialised below for each type.
template <class T>
struct FormulaNumber;

template <>
struct FormulaNumber<double> {
  static double constant(double value) { return value; }
  static double unary(FormulaOp op, double x);
  static double with_constant(FormulaOp op, double x, double c);
  static double binary(FormulaOp op, double a, double b);
  static double choose(double condition, double a, double b) {
    return std::isnan(condition) ? condition : condition != 0.0 ? a : b;
  }
};

template <>
struct FormulaNumber<Interval> {
  static Interval constant(double value) { return value; }
  static Interval unary(FormulaOp op, const Interval& x);
  static Interval with_constant(FormulaOp op, const Interval& x, double c);
  static Interval binary(FormulaOp op, const Interval& a, const Interval& b);
  static Interval choose(const Interval& condition, const Interval& a, const Interval& b);
};

template <class T, std::size_t N>
struct FormulaNumber<Jet<T, N>> {
  using J = Jet<T, N>;
  static J constant(double value) { return J::constant(T(value)); }
  static J unary(FormulaOp op, const J& x);
  static J with_constant(FormulaOp op, const J& x, double c);
  static J binary(FormulaOp op, const J& a, const J& b);
  static J choose(const J& condition, const J& a, const J& b);
};

/// The registers of a run; they are written before they are read.
template <class T>
struct FormulaRun {
  std::array<T, kMaxFormulaRegisters> registers;

  template <class Load>
  void step(const FormulaStep& s, const Load& load) {
    using Number = FormulaNumber<T>;
    auto& r = registers;
    T& out = r[s.out];
    if (s.op >= FormulaOp::negate) {
      out = Number::unary(s.op, r[s.a]);
    } else if (s.op == FormulaOp::choose) {
      out = Number::choose(r[s.a], r[s.b], r[s.c]);
    } else if (s.op >= FormulaOp::add_constant) {
      out = Number::with_constant(s.op, r[s.a], s.value);
    } else if (s.op >= FormulaOp::add) {
      out = Number::binary(s.op, r[s.a], r[s.b]);
    } else if (s.op == FormulaOp::variable) {
      out = load(s.a);
    } else {
      out = Number::constant(s.value);
    }
  }
};

template <class T, class Load>
T run_formula(const FormulaTape& tape, const Load& load) {
  FormulaRun<T> run;
  for (const FormulaStep& step : tape.steps) run.step(step, load);
  return run.registers[tape.result];
}

/// Value, gradient and Hessian in the first N variables.
template <std::size_t N>
Jet<double, N> formula_jet(const FormulaTape& tape, const double (&x)[N]) {
  return run_formula<Jet<double, N>>(
      tape, [&](std::size_t i) { return Jet<double, N>::variable(x[i], i); });
}

/// Bounds of them over a box.
template <std::size_t N>
Jet<Interval, N> formula_bounds(const FormulaTape& tape, const Interval (&x)[N]) {
  return run_formula<Jet<Interval, N>>(
      tape, [&](std::size_t i) { return Jet<Interval, N>::variable(x[i], i); });
}

extern template struct FormulaNumber<Jet<double, 1>>;
extern template struct FormulaNumber<Jet<double, 2>>;
extern template struct FormulaNumber<Jet<double, 3>>;
extern template struct FormulaNumber<Jet<Interval, 2>>;
extern template struct FormulaNumber<Jet<Interval, 3>>;

}  // namespace carom
