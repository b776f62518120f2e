// Systems with known solutions, shared by the tests of the integrators.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "carom/integrate/integrator.h"
#include "carom/integrate/system.h"

namespace carom::test {

/// x' = f(t, x) from a function.
class FunctionSystem : public System {
 public:
  using Function = std::function<Status(double, std::span<const double>, std::span<double>)>;
  FunctionSystem(std::size_t size, Function f) : size_(size), f_(std::move(f)) {}

  std::size_t size() const override { return size_; }
  Status rhs(double t, std::span<const double> x, std::span<double> xdot) override {
    ++calls;
    return f_(t, x, xdot);
  }
  long calls = 0;

 private:
  std::size_t size_;
  Function f_;
};

/// q'' = -q: q = cos t, v = -sin t from (1, 0). q and v are told apart.
class Oscillator : public System {
 public:
  std::size_t size() const override { return 2; }
  Status rhs(double, std::span<const double> x, std::span<double> xdot) override {
    xdot[0] = x[1];
    xdot[1] = -x[0];
    return Status::ok;
  }
  std::size_t position_size() const override { return 1; }
  std::size_t velocity_size() const override { return 1; }
  void position_rates(double, std::span<const double> x, std::span<double> qdot) override {
    qdot[0] = x[1];
  }
};

/// The two-body problem in the plane, x = (r, v); with eccentricity e it starts at the
/// pericentre and returns there after 2 pi.
class Kepler : public System {
 public:
  std::size_t size() const override { return 4; }
  Status rhs(double, std::span<const double> x, std::span<double> xdot) override {
    const double r2 = x[0] * x[0] + x[1] * x[1];
    const double k = -1.0 / (r2 * std::sqrt(r2));
    xdot[0] = x[2];
    xdot[1] = x[3];
    xdot[2] = k * x[0];
    xdot[3] = k * x[1];
    return Status::ok;
  }
  std::size_t position_size() const override { return 2; }
  std::size_t velocity_size() const override { return 2; }
  void position_rates(double, std::span<const double> x, std::span<double> qdot) override {
    qdot[0] = x[2];
    qdot[1] = x[3];
  }
  static std::vector<double> pericentre(double e) {
    return {1.0 - e, 0.0, 0.0, std::sqrt((1.0 + e) / (1.0 - e))};
  }
  /// By Kepler's equation E - e sin E = t.
  static std::vector<double> exact(double e, double t) {
    double E = t;
    for (int k = 0; k < 60; ++k) E -= (E - e * std::sin(E) - t) / (1.0 - e * std::cos(E));
    const double b = std::sqrt(1.0 - e * e);
    const double rate = 1.0 / (1.0 - e * std::cos(E));
    return {std::cos(E) - e, b * std::sin(E), -std::sin(E) * rate, b * std::cos(E) * rate};
  }
};

/// The pendulum q'' = -sin q.
class Pendulum : public System {
 public:
  std::size_t size() const override { return 2; }
  Status rhs(double, std::span<const double> x, std::span<double> xdot) override {
    xdot[0] = x[1];
    xdot[1] = -std::sin(x[0]);
    return Status::ok;
  }
  std::size_t position_size() const override { return 1; }
  std::size_t velocity_size() const override { return 1; }
  void position_rates(double, std::span<const double> x, std::span<double> qdot) override {
    qdot[0] = x[1];
  }
  /// Period of the swing from rest at `amplitude`, 2 pi / agm(1, cos(amplitude/2)) (Gauss).
  static double period(double amplitude) {
    double a = 1.0;
    double g = std::cos(0.5 * amplitude);
    for (int k = 0; k < 40; ++k) {
      const double mean = 0.5 * (a + g);
      g = std::sqrt(a * g);
      a = mean;
    }
    return 2.0 * std::numbers::pi / a;
  }
};

/// Euler's equations of a free body in the form x' = y z, y' = -x z, z' = -m x y, whose
/// solution from (0, 1, 1) are Jacobi's functions sn, cn, dn of t with parameter m.
class JacobiElliptic : public System {
 public:
  static constexpr double kParameter = 0.51;
  std::size_t size() const override { return 3; }
  Status rhs(double, std::span<const double> x, std::span<double> xdot) override {
    xdot[0] = x[1] * x[2];
    xdot[1] = -x[0] * x[2];
    xdot[2] = -kParameter * x[0] * x[1];
    return Status::ok;
  }
  /// By arithmetic-geometric means (Abramowitz & Stegun 16.4).
  static std::vector<double> exact(double t) {
    double a[16], c[16];
    a[0] = 1.0;
    double b = std::sqrt(1.0 - kParameter);
    c[0] = std::sqrt(kParameter);
    int n = 0;
    while (c[n] > 1e-17 && n < 15) {
      a[n + 1] = 0.5 * (a[n] + b);
      c[n + 1] = 0.5 * (a[n] - b);
      b = std::sqrt(a[n] * b);
      ++n;
    }
    double angle = std::ldexp(a[n] * t, n);
    for (; n > 0; --n) angle = 0.5 * (angle + std::asin(c[n] / a[n] * std::sin(angle)));
    const double sn = std::sin(angle);
    return {sn, std::cos(angle), std::sqrt(1.0 - kParameter * sn * sn)};
  }
};

/// Steps to t_end; false when a step fails.
inline bool run_to(Integrator& integrator, double t_end) {
  while (integrator.time() < t_end) {
    if (integrator.step(t_end) == StepStatus::failed) return false;
  }
  return true;
}

inline double max_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// Slope of the straight line that fits (log x, log y) best.
inline double fitted_slope(std::span<const double> x, std::span<const double> y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double u = std::log(x[i]);
    const double v = std::log(y[i]);
    sx += u;
    sy += v;
    sxx += u * u;
    sxy += u * v;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace carom::test
