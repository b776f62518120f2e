// What the operations of a tape do to jets: first and second derivatives of every function.
#include <cmath>

#include "carom/math/formula_run.h"

namespace carom {
namespace {

template <class T>
struct Slopes {
  T first, second;
};

double power_of(double x, int n) {
  return FormulaNumber<double>::with_constant(FormulaOp::whole_power, x, n);
}
Interval power_of(const Interval& x, int n) { return power(x, n); }
double real_power_of(double x, double c) { return std::pow(x, c); }
Interval real_power_of(const Interval& x, double c) { return pow(x, c); }

/// Slopes of what jumps, where it does not: 0; over a box with a jump inside: anything.
Slopes<double> flat(const double&) { return {0.0, 0.0}; }
Slopes<Interval> flat(const Interval& value) {
  if (value.lo == value.hi) return {0.0, 0.0};
  return {Interval::entire(), Interval::entire()};
}
Slopes<double> of_absolute(const double& x) { return {x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0, 0.0}; }
Slopes<Interval> of_absolute(const Interval& x) {
  return {sign(x), x.lo < 0.0 && x.hi > 0.0 ? Interval::entire() : Interval(0.0)};
}

/// y = f(x), f'(x) and f''(x); y is known.
template <class T>
Slopes<T> slopes(FormulaOp op, const T& x, const T& y) {
  using std::cos, std::cosh, std::sin, std::sinh, std::sqrt;
  const T one(1.0);
  switch (op) {
    case FormulaOp::sine: return {cos(x), -y};
    case FormulaOp::cosine: return {-sin(x), -y};
    case FormulaOp::tangent: {
      const T s = one + power_of(y, 2);
      return {s, T(2.0) * y * s};
    }
    case FormulaOp::arcsine:
    case FormulaOp::arccosine: {
      const T w = one - power_of(x, 2);
      const T s = (op == FormulaOp::arcsine ? one : T(-1.0)) / sqrt(w);
      return {s, x * s / w};
    }
    case FormulaOp::arctangent: {
      const T s = one / (one + power_of(x, 2));
      return {s, T(-2.0) * x * power_of(s, 2)};
    }
    case FormulaOp::sinh: return {cosh(x), y};
    case FormulaOp::cosh: return {sinh(x), y};
    case FormulaOp::tanh: {
      const T s = one - power_of(y, 2);
      return {s, T(-2.0) * y * s};
    }
    case FormulaOp::asinh:
    case FormulaOp::acosh: {
      const T w = power_of(x, 2) + (op == FormulaOp::asinh ? one : T(-1.0));
      const T s = one / sqrt(w);
      return {s, -(x * s / w)};
    }
    case FormulaOp::atanh: {
      const T s = one / (one - power_of(x, 2));
      return {s, T(2.0) * x * power_of(s, 2)};
    }
    case FormulaOp::log:
    case FormulaOp::log2:
    case FormulaOp::log10: {
      const double base = op == FormulaOp::log ? 1.0 : op == FormulaOp::log2 ? M_LN2 : M_LN10;
      const T s = one / (T(base) * x);
      return {s, -(s / x)};
    }
    case FormulaOp::exp: return {y, y};
    case FormulaOp::sqrt: {
      const T s = T(0.5) / y;
      return {s, -(T(0.5) * s / x)};
    }
    case FormulaOp::absolute: return of_absolute(x);
    default: return flat(y);
  }
}

template <class T, std::size_t N>
Jet<T, N> whole_power_jet(const Jet<T, N>& x, int n) {
  const T second = n == 1 ? T(0.0) : T(static_cast<double>(n) * (n - 1)) * power_of(x.v, n - 2);
  return chain(x, power_of(x.v, n), T(n) * power_of(x.v, n - 1), second);
}

template <class T, std::size_t N>
Jet<T, N> quotient(const Jet<T, N>& a, const Jet<T, N>& b) {
  // f = a / b: f b = a, so that (2) of jet.h gives the derivatives of f one after the other.
  Jet<T, N> r;
  r.v = a.v / b.v;
  for (std::size_t i = 0; i < N; ++i) r.g[i] = (a.g[i] - r.v * b.g[i]) / b.v;
  std::size_t k = 0;
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = i; j < N; ++j, ++k) {
      r.h[k] = (a.h[k] - r.v * b.h[k] - (r.g[i] * b.g[j] + b.g[i] * r.g[j])) / b.v;
    }
  }
  return r;
}

/// a^b = exp(b ln a) for a > 0.
template <class T, std::size_t N>
Jet<T, N> power_jet(const Jet<T, N>& a, const Jet<T, N>& b) {
  using std::log;
  const T f = FormulaNumber<T>::binary(FormulaOp::power, a.v, b.v);
  const T l = log(a.v), s = b.v / a.v;
  return chain(a, b, f, f * s, f * l, f * s * (b.v - T(1.0)) / a.v, f * (T(1.0) + b.v * l) / a.v,
               f * power_of(l, 2));
}

template <class T, std::size_t N>
Jet<T, N> arctangent2_jet(const Jet<T, N>& y, const Jet<T, N>& x) {
  const T w = power_of(x.v, 2) + power_of(y.v, 2);
  const T fy = x.v / w, fx = -(y.v / w);
  const T mixed = power_of(fx, 2) - power_of(fy, 2);
  return chain(y, x, FormulaNumber<T>::binary(FormulaOp::arctangent2, y.v, x.v), fy, fx,
               T(2.0) * fx * fy, mixed, T(-2.0) * fx * fy);
}

template <std::size_t N>
Jet<double, N> lesser(const Jet<double, N>& a, const Jet<double, N>& b, bool least) {
  if (std::isunordered(a.v, b.v)) return std::isnan(a.v) ? a : b;
  return (least ? b.v < a.v : a.v < b.v) ? b : a;
}
/// Where either may be the lesser: slopes of both, and a kink between them.
template <std::size_t N>
Jet<Interval, N> lesser(const Jet<Interval, N>& a, const Jet<Interval, N>& b, bool least) {
  if (a.v.is_empty() || b.v.is_empty()) return a.v.is_empty() ? a : b;
  if (least ? a.v.hi < b.v.lo : a.v.lo > b.v.hi) return a;
  if (least ? b.v.hi < a.v.lo : b.v.lo > a.v.hi) return b;
  Jet<Interval, N> r;
  r.v = least ? min(a.v, b.v) : max(a.v, b.v);
  for (std::size_t i = 0; i < N; ++i) r.g[i] = hull(a.g[i], b.g[i]);
  for (Interval& x : r.h) x = Interval::entire();
  return r;
}

template <std::size_t N>
Jet<double, N> chosen(const Jet<double, N>& condition, const Jet<double, N>& a,
                      const Jet<double, N>& b) {
  if (std::isnan(condition.v)) return condition;
  return condition.v != 0.0 ? a : b;
}
template <std::size_t N>
Jet<Interval, N> chosen(const Jet<Interval, N>& condition, const Jet<Interval, N>& a,
                        const Jet<Interval, N>& b) {
  if (condition.v.is_empty()) return condition;
  if (!condition.v.contains(0.0)) return a;
  if (condition.v.lo == 0.0 && condition.v.hi == 0.0) return b;
  Jet<Interval, N> r;
  r.v = hull(a.v, b.v);
  for (Interval& x : r.g) x = Interval::entire();
  for (Interval& x : r.h) x = Interval::entire();
  return r;
}

}  // namespace

template <class T, std::size_t N>
Jet<T, N> FormulaNumber<Jet<T, N>>::unary(FormulaOp op, const J& x) {
  if (op == FormulaOp::negate) return -x;
  const T y = FormulaNumber<T>::unary(op, x.v);
  const Slopes<T> s = slopes(op, x.v, y);
  return chain(x, y, s.first, s.second);
}

template <class T, std::size_t N>
Jet<T, N> FormulaNumber<Jet<T, N>>::with_constant(FormulaOp op, const J& x, double c) {
  const T k(c);
  switch (op) {
    case FormulaOp::add_constant: {
      J r = x;
      r.v = x.v + k;
      return r;
    }
    case FormulaOp::from_constant: {
      J r = -x;
      r.v = k - x.v;
      return r;
    }
    case FormulaOp::scale:
    case FormulaOp::over_constant: {
      const bool times = op == FormulaOp::scale;
      J r;
      r.v = times ? x.v * k : x.v / k;
      for (std::size_t i = 0; i < N; ++i) r.g[i] = times ? x.g[i] * k : x.g[i] / k;
      for (std::size_t i = 0; i < J::kSecond; ++i) r.h[i] = times ? x.h[i] * k : x.h[i] / k;
      return r;
    }
    case FormulaOp::constant_over: {
      const T f = k / x.v, s = f / x.v;
      return chain(x, f, -s, T(2.0) * s / x.v);
    }
    case FormulaOp::whole_power: return whole_power_jet(x, static_cast<int>(c));
    default: break;
  }
  return chain(x, real_power_of(x.v, c), k * real_power_of(x.v, c - 1.0),
               T(c * (c - 1.0)) * real_power_of(x.v, c - 2.0));
}

template <class T, std::size_t N>
Jet<T, N> FormulaNumber<Jet<T, N>>::binary(FormulaOp op, const J& a, const J& b) {
  switch (op) {
    case FormulaOp::add: return a + b;
    case FormulaOp::subtract: return a - b;
    case FormulaOp::multiply: return a * b;
    case FormulaOp::divide: return quotient(a, b);
    case FormulaOp::power: return power_jet(a, b);
    case FormulaOp::arctangent2: return arctangent2_jet(a, b);
    case FormulaOp::minimum: return lesser(a, b, true);
    case FormulaOp::maximum: return lesser(a, b, false);
    default: break;
  }
  const T value = FormulaNumber<T>::binary(op, a.v, b.v);
  const Slopes<T> s = flat(value);
  J r = J::constant(value);
  for (T& x : r.g) x = s.first;
  for (T& x : r.h) x = s.second;
  return r;
}

template <class T, std::size_t N>
Jet<T, N> FormulaNumber<Jet<T, N>>::choose(const J& condition, const J& a, const J& b) {
  return chosen(condition, a, b);
}

template struct FormulaNumber<Jet<double, 1>>;
template struct FormulaNumber<Jet<double, 2>>;
template struct FormulaNumber<Jet<double, 3>>;
template struct FormulaNumber<Jet<Interval, 2>>;
template struct FormulaNumber<Jet<Interval, 3>>;

}  // namespace carom
