// Jets of second order: a value with its gradient and Hessian in N variables, carried through
// a computation exactly (forward mode). T is double, or Interval for bounds over a box.
//
//   f(u):     g = f' g_u,                     h = f' h_u + f'' g_u g_uᵀ                 (1)
//   u v:      g = u g_v + v g_u,              h = u h_v + v h_u + g_u g_vᵀ + g_v g_uᵀ   (2)
#pragma once

#include <cstddef>

namespace carom {

template <class T, std::size_t N>
struct Jet {
  static constexpr std::size_t kSecond = N * (N + 1) / 2;

  T v;
  T g[N];
  T h[kSecond];  ///< rows of the upper triangle: xx, xy, xz, yy, yz, zz

  static Jet constant(const T& value) {
    Jet j;
    j.v = value;
    for (T& x : j.g) x = T(0.0);
    for (T& x : j.h) x = T(0.0);
    return j;
  }
  static Jet variable(const T& value, std::size_t i) {
    Jet j = constant(value);
    if (i < N) j.g[i] = T(1.0);
    return j;
  }
  /// d²/dx_i dx_j.
  const T& second(std::size_t i, std::size_t j) const {
    if (i > j) return second(j, i);
    return h[i * N - i * (i + 1) / 2 + j];
  }
};

/// (1) with the value, slope and second derivative of f.
template <class T, std::size_t N>
Jet<T, N> chain(const Jet<T, N>& u, const T& f0, const T& f1, const T& f2) {
  Jet<T, N> r;
  r.v = f0;
  std::size_t k = 0;
  for (std::size_t i = 0; i < N; ++i) {
    r.g[i] = f1 * u.g[i];
    for (std::size_t j = i; j < N; ++j, ++k) r.h[k] = f1 * u.h[k] + f2 * (u.g[i] * u.g[j]);
  }
  return r;
}

/// f(u, v) with its first and second derivatives.
template <class T, std::size_t N>
Jet<T, N> chain(const Jet<T, N>& u, const Jet<T, N>& v, const T& f, const T& fu, const T& fv,
                const T& fuu, const T& fuv, const T& fvv) {
  Jet<T, N> r;
  r.v = f;
  std::size_t k = 0;
  for (std::size_t i = 0; i < N; ++i) {
    r.g[i] = fu * u.g[i] + fv * v.g[i];
    for (std::size_t j = i; j < N; ++j, ++k) {
      r.h[k] = fu * u.h[k] + fv * v.h[k] + fuu * (u.g[i] * u.g[j]) +
               fuv * (u.g[i] * v.g[j] + v.g[i] * u.g[j]) + fvv * (v.g[i] * v.g[j]);
    }
  }
  return r;
}

template <class T, std::size_t N>
Jet<T, N> operator+(const Jet<T, N>& u, const Jet<T, N>& v) {
  Jet<T, N> r;
  r.v = u.v + v.v;
  for (std::size_t i = 0; i < N; ++i) r.g[i] = u.g[i] + v.g[i];
  for (std::size_t i = 0; i < Jet<T, N>::kSecond; ++i) r.h[i] = u.h[i] + v.h[i];
  return r;
}
template <class T, std::size_t N>
Jet<T, N> operator-(const Jet<T, N>& u, const Jet<T, N>& v) {
  Jet<T, N> r;
  r.v = u.v - v.v;
  for (std::size_t i = 0; i < N; ++i) r.g[i] = u.g[i] - v.g[i];
  for (std::size_t i = 0; i < Jet<T, N>::kSecond; ++i) r.h[i] = u.h[i] - v.h[i];
  return r;
}
template <class T, std::size_t N>
Jet<T, N> operator-(const Jet<T, N>& u) {
  Jet<T, N> r;
  r.v = -u.v;
  for (std::size_t i = 0; i < N; ++i) r.g[i] = -u.g[i];
  for (std::size_t i = 0; i < Jet<T, N>::kSecond; ++i) r.h[i] = -u.h[i];
  return r;
}
template <class T, std::size_t N>
Jet<T, N> operator*(const Jet<T, N>& u, const Jet<T, N>& v) {
  Jet<T, N> r;
  r.v = u.v * v.v;
  std::size_t k = 0;
  for (std::size_t i = 0; i < N; ++i) {
    r.g[i] = u.v * v.g[i] + v.v * u.g[i];
    for (std::size_t j = i; j < N; ++j, ++k) {
      r.h[k] = u.v * v.h[k] + v.v * u.h[k] + (u.g[i] * v.g[j] + v.g[i] * u.g[j]);  // (2)
    }
  }
  return r;
}

}  // namespace carom
