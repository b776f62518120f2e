// A small adaptive Runge-Kutta pair (Dormand and Prince, order 5) for one-dimensional referees:
// an integrator of the tests' own, which shares nothing with the engine's.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace carom {

template <std::size_t N>
using State = std::array<double, N>;

template <std::size_t N, class Rhs>
class Ode {
 public:
  Ode(Rhs rhs, State<N> weights, double tolerance)
      : rhs_(rhs), weights_(weights), tolerance_(tolerance) {}

  double t = 0.0;
  State<N> x{};
  double h = 1e-6;

  /// One accepted step, not past `until`.
  void step(double until) {
    for (;;) {
      const bool last = t + h >= until;
      const double trial = last ? until - t : h;
      double error = 0.0;
      const State<N> next = attempt(trial, error);
      const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 4.0);
      if (error <= 1.0) {
        t = last ? until : t + trial, x = next;
        if (!last || factor < 1.0) h = trial * factor;
        return;
      }
      h = trial * factor;
    }
  }

  void run(double until) {
    while (t < until) step(until);
  }

  /// Steps until `g` falls through zero; ends there, or at `until` (false).
  template <class G>
  bool run_to_fall(G g, double until) {
    while (t < until) {
      const double t0 = t;
      const State<N> x0 = x;
      step(until);
      if (g(x0) <= 0.0 || g(x) > 0.0) continue;
      // Shorter steps from the same state, by bisection: as exact as the method.
      double low = 0.0, high = t - t0, error = 0.0;
      for (int i = 0; i < 200 && high - low > 1e-16 * t; ++i) {
        const double middle = 0.5 * (low + high);
        x = x0;
        (g(attempt(middle, error)) > 0.0 ? low : high) = middle;
      }
      x = x0;
      x = attempt(high, error);
      t = t0 + high;
      return true;
    }
    return false;
  }

 private:
  State<N> attempt(double dt, double& error) const {
    static constexpr double a[6][6] = {
        {1.0 / 5},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static constexpr double c[6] = {0.2, 0.3, 0.8, 8.0 / 9, 1.0, 1.0};
    static constexpr double e[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                    -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    State<N> k[7], y = x;
    k[0] = rhs_(t, x);
    for (std::size_t s = 0; s < 6; ++s) {
      for (std::size_t i = 0; i < N; ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j <= s; ++j) sum += a[s][j] * k[j][i];
        y[i] = x[i] + dt * sum;
      }
      k[s + 1] = rhs_(t + c[s] * dt, y);
    }
    error = 0.0;
    for (std::size_t i = 0; i < N; ++i) {
      double sum = 0.0;
      for (std::size_t j = 0; j < 7; ++j) sum += e[j] * k[j][i];
      error = std::max(error, std::abs(dt * sum) / (tolerance_ * weights_[i]));
    }
    return y;
  }

  Rhs rhs_;
  State<N> weights_;
  double tolerance_;
};

template <std::size_t N, class Rhs>
Ode<N, Rhs> make_ode(Rhs rhs, State<N> weights, double tolerance) {
  return {rhs, weights, tolerance};
}

}  // namespace carom
