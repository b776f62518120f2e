// Numbers that carry their derivatives along N directions (forward differentiation):
// what is computed with them brings its exact gradient, whatever branches it takes.
#pragma once

#include <cmath>
#include <cstddef>

namespace carom {

template <std::size_t N>
struct Dual {
  double v = 0.0;
  double d[N] = {};

  Dual() = default;
  Dual(double value) : v(value) {}  // NOLINT(google-explicit-constructor): constants are numbers
  static Dual variable(double value, std::size_t i) {
    Dual x(value);
    x.d[i] = 1.0;
    return x;
  }

  Dual& operator+=(const Dual& b) {
    v += b.v;
    for (std::size_t i = 0; i < N; ++i) d[i] += b.d[i];
    return *this;
  }
  Dual& operator-=(const Dual& b) {
    v -= b.v;
    for (std::size_t i = 0; i < N; ++i) d[i] -= b.d[i];
    return *this;
  }
};

/// f(a) with the slope f' there.
template <std::size_t N>
Dual<N> chain(const Dual<N>& a, double value, double slope) {
  Dual<N> c(value);
  for (std::size_t i = 0; i < N; ++i) c.d[i] = slope * a.d[i];
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
  Dual<N> c(a.v * b.v);
  for (std::size_t i = 0; i < N; ++i) c.d[i] = a.d[i] * b.v + a.v * b.d[i];
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
  Dual<N> c(q);
  for (std::size_t i = 0; i < N; ++i) c.d[i] = k * (a.d[i] - q * b.d[i]);
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
  Dual<N> c(std::atan2(y.v, x.v));
  for (std::size_t i = 0; i < N; ++i) c.d[i] = k * (x.v * y.d[i] - y.v * x.d[i]);
  return c;
}

}  // namespace carom
