// What the operations of a tape do to numbers and to intervals.
#include <cmath>

#include "carom/math/formula_run.h"

namespace carom {
namespace {

/// By squaring where that is as good as the library, which it is for small exponents.
double whole_power(double x, int n) {
  if (n < 0) return 1.0 / whole_power(x, -n);
  if (n > 16) return std::pow(x, n);
  double result = 1.0;
  for (double square = x; n > 0; n >>= 1, square *= square) {
    if (n & 1) result *= square;
  }
  return result;
}

double truth(bool holds) { return holds ? 1.0 : 0.0; }
bool is_true(double x) { return x != 0.0 && !std::isnan(x); }

enum class Answer { no, yes, open };

Interval truth(Answer answer) {
  if (answer == Answer::open) return {0.0, 1.0};
  return answer == Answer::yes ? 1.0 : 0.0;
}

Answer is_less(const Interval& a, const Interval& b, bool or_equal) {
  if (or_equal ? a.hi <= b.lo : a.hi < b.lo) return Answer::yes;
  if (or_equal ? a.lo > b.hi : a.lo >= b.hi) return Answer::no;
  return Answer::open;
}

Answer is_equal(const Interval& a, const Interval& b) {
  if (a.hi < b.lo || b.hi < a.lo) return Answer::no;
  return a.lo == a.hi && b.lo == b.hi && a.lo == b.lo ? Answer::yes : Answer::open;
}

Answer holds(const Interval& x) {
  if (x.is_empty()) return Answer::open;
  if (!x.contains(0.0)) return Answer::yes;
  return x.lo == 0.0 && x.hi == 0.0 ? Answer::no : Answer::open;
}

Answer opposite(Answer answer) {
  if (answer == Answer::open) return answer;
  return answer == Answer::yes ? Answer::no : Answer::yes;
}

Interval joined(FormulaOp op, const Interval& a, const Interval& b) {
  const Answer p = holds(a), q = holds(b);
  const Answer decides = op == FormulaOp::both ? Answer::no : Answer::yes;
  if (p == decides || q == decides) return truth(decides);
  return truth(p == Answer::open || q == Answer::open ? Answer::open : p);
}

}  // namespace

double FormulaNumber<double>::unary(FormulaOp op, double x) {
  switch (op) {
    case FormulaOp::negate: return -x;
    case FormulaOp::sine: return std::sin(x);
    case FormulaOp::cosine: return std::cos(x);
    case FormulaOp::tangent: return std::tan(x);
    case FormulaOp::arcsine: return std::asin(x);
    case FormulaOp::arccosine: return std::acos(x);
    case FormulaOp::arctangent: return std::atan(x);
    case FormulaOp::sinh: return std::sinh(x);
    case FormulaOp::cosh: return std::cosh(x);
    case FormulaOp::tanh: return std::tanh(x);
    case FormulaOp::asinh: return std::asinh(x);
    case FormulaOp::acosh: return std::acosh(x);
    case FormulaOp::atanh: return std::atanh(x);
    case FormulaOp::log2: return std::log2(x);
    case FormulaOp::log10: return std::log10(x);
    case FormulaOp::log: return std::log(x);
    case FormulaOp::exp: return std::exp(x);
    case FormulaOp::sqrt: return std::sqrt(x);
    case FormulaOp::absolute: return std::abs(x);
    case FormulaOp::sign: return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : (x == 0.0 ? 0.0 : x);
    case FormulaOp::round: return std::floor(x + 0.5);
    default: return x;
  }
}

double FormulaNumber<double>::with_constant(FormulaOp op, double x, double c) {
  switch (op) {
    case FormulaOp::add_constant: return x + c;
    case FormulaOp::from_constant: return c - x;
    case FormulaOp::scale: return x * c;
    case FormulaOp::over_constant: return x / c;
    case FormulaOp::constant_over: return c / x;
    case FormulaOp::whole_power: return whole_power(x, static_cast<int>(c));
    default: return std::pow(x, c);
  }
}

double FormulaNumber<double>::binary(FormulaOp op, double a, double b) {
  switch (op) {
    case FormulaOp::add: return a + b;
    case FormulaOp::subtract: return a - b;
    case FormulaOp::multiply: return a * b;
    case FormulaOp::divide: return a / b;
    default: break;
  }
  // What decides alone does: `x > 0 && log(x) > 1` is false below 0.
  if (op == FormulaOp::both && (a == 0.0 || b == 0.0)) return 0.0;
  if (op == FormulaOp::either && (is_true(a) || is_true(b))) return 1.0;
  if (std::isunordered(a, b)) return a + b;
  switch (op) {
    case FormulaOp::power: return std::pow(a, b);
    case FormulaOp::arctangent2: return std::atan2(a, b);
    case FormulaOp::minimum: return std::min(a, b);
    case FormulaOp::maximum: return std::max(a, b);
    case FormulaOp::less: return truth(a < b);
    case FormulaOp::less_equal: return truth(a <= b);
    case FormulaOp::greater: return truth(a > b);
    case FormulaOp::greater_equal: return truth(a >= b);
    case FormulaOp::equal: return truth(a == b);
    case FormulaOp::unequal: return truth(a != b);
    default: return truth(op == FormulaOp::both);
  }
}

Interval FormulaNumber<Interval>::unary(FormulaOp op, const Interval& x) {
  switch (op) {
    case FormulaOp::negate: return -x;
    case FormulaOp::sine: return sin(x);
    case FormulaOp::cosine: return cos(x);
    case FormulaOp::tangent: return tan(x);
    case FormulaOp::arcsine: return asin(x);
    case FormulaOp::arccosine: return acos(x);
    case FormulaOp::arctangent: return atan(x);
    case FormulaOp::sinh: return sinh(x);
    case FormulaOp::cosh: return cosh(x);
    case FormulaOp::tanh: return tanh(x);
    case FormulaOp::asinh: return asinh(x);
    case FormulaOp::acosh: return acosh(x);
    case FormulaOp::atanh: return atanh(x);
    case FormulaOp::log2: return log2(x);
    case FormulaOp::log10: return log10(x);
    case FormulaOp::log: return log(x);
    case FormulaOp::exp: return exp(x);
    case FormulaOp::sqrt: return sqrt(x);
    case FormulaOp::absolute: return abs(x);
    case FormulaOp::sign: return sign(x);
    case FormulaOp::round: return rint(x);
    default: return x;
  }
}

Interval FormulaNumber<Interval>::with_constant(FormulaOp op, const Interval& x, double c) {
  switch (op) {
    case FormulaOp::add_constant: return x + c;
    case FormulaOp::from_constant: return Interval(c) - x;
    case FormulaOp::scale: return x * c;
    case FormulaOp::over_constant: return x / c;
    case FormulaOp::constant_over: return Interval(c) / x;
    case FormulaOp::whole_power: return power(x, static_cast<int>(c));
    default: return pow(x, c);
  }
}

Interval FormulaNumber<Interval>::binary(FormulaOp op, const Interval& a, const Interval& b) {
  if (op == FormulaOp::both || op == FormulaOp::either) return joined(op, a, b);
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  switch (op) {
    case FormulaOp::add: return a + b;
    case FormulaOp::subtract: return a - b;
    case FormulaOp::multiply: return a * b;
    case FormulaOp::divide: return a / b;
    case FormulaOp::power: return pow(a, b);
    case FormulaOp::arctangent2: return atan2(a, b);
    case FormulaOp::minimum: return min(a, b);
    case FormulaOp::maximum: return max(a, b);
    case FormulaOp::less: return truth(is_less(a, b, false));
    case FormulaOp::less_equal: return truth(is_less(a, b, true));
    case FormulaOp::greater: return truth(is_less(b, a, false));
    case FormulaOp::greater_equal: return truth(is_less(b, a, true));
    case FormulaOp::equal: return truth(is_equal(a, b));
    default: return truth(opposite(is_equal(a, b)));
  }
}

Interval FormulaNumber<Interval>::choose(const Interval& condition, const Interval& a,
                                         const Interval& b) {
  if (condition.is_empty()) return condition;
  const Answer answer = holds(condition);
  if (answer == Answer::open) return hull(a, b);
  return answer == Answer::yes ? a : b;
}

}  // namespace carom
