// Jacobi's elliptic functions by the arithmetic-geometric mean [AbramowitzStegun 16.4].
//
//   a_n+1 = (a_n + b_n)/2,  b_n+1 = sqrt(a_n b_n),  c_n+1 = (a_n - b_n)/2,
//   phi_N = 2^N a_N u,  sin(2 phi_n-1 - phi_n) = (c_n/a_n) sin(phi_n),
//   sn u = sin(phi_0),  K(m) = pi/(2 a_N)                                       (1)
#pragma once

#include <cmath>
#include <numbers>

namespace carom::testing {

struct JacobiElliptic {
  long double sn, cn, dn;
};

/// At the argument u with the parameter 0 <= m < 1 (m = k²).
inline JacobiElliptic jacobi_elliptic(long double u, long double m) {
  long double a[16], c[16], b = std::sqrt(1.0L - m);
  a[0] = 1.0L;
  c[0] = std::sqrt(m);
  int n = 0;
  while (std::abs(c[n]) > 1e-20L && n < 15) {
    a[n + 1] = 0.5L * (a[n] + b);
    c[n + 1] = 0.5L * (a[n] - b);
    b = std::sqrt(a[n] * b);
    ++n;
  }
  long double phi = std::ldexp(a[n] * u, n);
  for (; n > 0; --n) phi = 0.5L * (phi + std::asin(c[n] / a[n] * std::sin(phi)));  // (1)
  const long double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1.0L - m * sn * sn)};
}

/// Quarter period K(m).
inline long double quarter_period(long double m) {
  long double a = 1.0L, b = std::sqrt(1.0L - m);
  while (std::abs(a - b) > 1e-19L) {
    const long double mean = 0.5L * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::numbers::pi_v<long double> / (2.0L * a);
}

/// Integral of f from a to b: panels of the five-point Gauss rule. Error falls with
/// the tenth power of the panel.
template <class Function>
long double integrate(Function f, long double a, long double b, int panels) {
  constexpr long double kNode[] = {0.538469310105683091036314420700208805L,
                                   0.906179845938663992797626878299392965L};
  constexpr long double kWeight[] = {0.568888888888888888888888888888888889L,
                                     0.478628670499366468041291514835638193L,
                                     0.236926885056189087514264040719917363L};
  const long double half = 0.5L * (b - a) / panels;
  long double sum = 0.0L;
  for (int i = 0; i < panels; ++i) {
    const long double mid = a + static_cast<long double>(2 * i + 1) * half;
    sum += kWeight[0] * f(mid);
    for (int k = 0; k < 2; ++k) {
      sum += kWeight[k + 1] * (f(mid - half * kNode[k]) + f(mid + half * kNode[k]));
    }
  }
  return half * sum;
}

/// u with am(u, m) = phi, the incomplete integral of the first kind.
inline long double incomplete_first_kind(long double phi, long double m) {
  return integrate(
      [m](long double s) { return 1.0L / std::sqrt(1.0L - m * std::sin(s) * std::sin(s)); }, 0.0L,
      phi, 400);
}

}  // namespace carom::testing
