// Numbers that carry their derivatives along N directions (forward differentiation):
// what is computed with them brings its exact gradient, whatever branches it takes.
//
// Derivatives are kept in pairs as registers hold them. Stored one by one and loaded in pairs they
// would wait for the store each time: half of the time of an elastic contact went there.
#pragma once

#include <cmath>
#include <cstddef>

namespace carom {

template <std::size_t N>
struct Dual {
  using Pair = double __attribute__((vector_size(16)));
  static constexpr std::size_t kPairs = (N + 1) / 2;

  double v;
  Pair s[kPairs];  ///< derivatives 2k and 2k + 1; read them by d()

  /// Not set, as a plain number is not: arrays of them cost nothing until they are filled.
  Dual() = default;
  Dual(double value)
      : v(value), s{} {}  // NOLINT(google-explicit-constructor): constants are numbers
  static Dual variable(double value, std::size_t i) {
    Dual x(value);
    x.s[i / 2][i % 2] = 1.0;
    return x;
  }
  double d(std::size_t i) const { return s[i / 2][i % 2]; }

  Dual& operator+=(const Dual& b) {
    v += b.v;
    for (std::size_t k = 0; k < kPairs; ++k) s[k] += b.s[k];
    return *this;
  }
  Dual& operator-=(const Dual& b) {
    v -= b.v;
    for (std::size_t k = 0; k < kPairs; ++k) s[k] -= b.s[k];
    return *this;
  }
};

/// f(a) with the slope f' there.
template <std::size_t N>
Dual<N> chain(const Dual<N>& a, double value, double slope) {
  Dual<N> c;
  c.v = value;
  for (std::size_t k = 0; k < c.kPairs; ++k) c.s[k] = slope * a.s[k];
  return c;
}
template <std::size_t N>
Dual<N> operator+(Dual<N> a, const Dual<N>& b) {
  return a += b;
}
template <std::size_t N>
Dual<N> operator-(Dual<N> a, const Dual<N>& b) {
  return a -= b;
}
template <std::size_t N>
Dual<N> operator-(const Dual<N>& a) {
  return chain(a, -a.v, -1.0);
}
template <std::size_t N>
Dual<N> operator+(Dual<N> a, double b) {
  a.v += b;
  return a;
}
template <std::size_t N>
Dual<N> operator+(double b, Dual<N> a) {
  return a + b;
}
template <std::size_t N>
Dual<N> operator-(Dual<N> a, double b) {
  a.v -= b;
  return a;
}
template <std::size_t N>
Dual<N> operator-(double b, const Dual<N>& a) {
  return chain(a, b - a.v, -1.0);
}
template <std::size_t N>
Dual<N> operator*(const Dual<N>& a, const Dual<N>& b) {
  Dual<N> c;
  c.v = a.v * b.v;
  for (std::size_t k = 0; k < c.kPairs; ++k) c.s[k] = a.s[k] * b.v + a.v * b.s[k];
  return c;
}
template <std::size_t N>
Dual<N> operator*(double s, const Dual<N>& a) {
  return chain(a, s * a.v, s);
}
template <std::size_t N>
Dual<N> operator*(const Dual<N>& a, double s) {
  return s * a;
}
template <std::size_t N>
Dual<N> operator/(const Dual<N>& a, const Dual<N>& b) {
  const double k = 1.0 / b.v, q = a.v * k;
  Dual<N> c;
  c.v = q;
  for (std::size_t i = 0; i < c.kPairs; ++i) c.s[i] = k * (a.s[i] - q * b.s[i]);
  return c;
}
template <std::size_t N>
Dual<N> operator/(const Dual<N>& a, double b) {
  return (1.0 / b) * a;
}
/// Not where a is zero: there it has no slope.
template <std::size_t N>
Dual<N> sqrt(const Dual<N>& a) {
  const double r = std::sqrt(a.v);
  return chain(a, r, 0.5 / r);
}
template <std::size_t N>
Dual<N> square(const Dual<N>& a) {
  return chain(a, a.v * a.v, 2.0 * a.v);
}
template <std::size_t N>
Dual<N> sin(const Dual<N>& a) {
  return chain(a, std::sin(a.v), std::cos(a.v));
}
template <std::size_t N>
Dual<N> cos(const Dual<N>& a) {
  return chain(a, std::cos(a.v), -std::sin(a.v));
}
template <std::size_t N>
Dual<N> atan2(const Dual<N>& y, const Dual<N>& x) {
  const double k = 1.0 / (x.v * x.v + y.v * y.v);
  Dual<N> c;
  c.v = std::atan2(y.v, x.v);
  for (std::size_t i = 0; i < c.kPairs; ++i) c.s[i] = k * (x.v * y.s[i] - y.v * x.s[i]);
  return c;
}

}  // namespace carom
