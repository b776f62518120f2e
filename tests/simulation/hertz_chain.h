// Five equal balls in a row that touch, the first with speed 1: m x'' of a chain of Hertzian
// contacts F = k d^(3/2), by classical Runge-Kutta steps. Speeds after the impact do not depend
// on m and k, which are 1 here.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace carom::testing {

inline std::array<double, 5> hertz_chain_speeds() {
  using State = std::array<double, 10>;  // displacements, speeds
  const auto rate = [](const State& s) {
    State d{};
    for (std::size_t i = 0; i < 5; ++i) d[i] = s[5 + i];
    for (std::size_t i = 0; i + 1 < 5; ++i) {
      const double force = std::pow(std::max(0.0, s[i] - s[i + 1]), 1.5);
      d[5 + i] -= force;
      d[6 + i] += force;
    }
    return d;
  };
  const auto plus = [](State s, double h, const State& d) {
    for (std::size_t i = 0; i < s.size(); ++i) s[i] += h * d[i];
    return s;
  };
  State s{};
  s[5] = 1.0;
  const double h = 1e-3;  // the impact takes about 10; the error is below 1e-8
  for (int step = 0; step < 20000; ++step) {
    const State a = rate(s), b = rate(plus(s, h / 2, a)), c = rate(plus(s, h / 2, b));
    const State d = rate(plus(s, h, c));
    for (std::size_t i = 0; i < s.size(); ++i) s[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return {s[5], s[6], s[7], s[8], s[9]};
}

}  // namespace carom::testing
