// The parabola through three points: its vertex, its values and their integral.
//
//   f(t) = f0 + d (t - t0) + c (t - t0)(t - t1)                                        (1)
#pragma once

#include <array>

namespace carom {

class Parabola {
 public:
  Parabola(const std::array<double, 3>& t, const std::array<double, 3>& f)
      : t0_(t[0]), t1_(t[1]), f0_(f[0]), slope_((f[1] - f[0]) / (t[1] - t[0])) {
    const double next = (f[2] - f[1]) / (t[2] - t[1]);
    curvature_ = (next - slope_) / (t[2] - t[0]);
  }

  bool has_top() const { return curvature_ < 0.0; }
  double top() const { return 0.5 * (t0_ + t1_) - 0.5 * slope_ / curvature_; }
  double operator()(double t) const {
    return f0_ + slope_ * (t - t0_) + curvature_ * (t - t0_) * (t - t1_);
  }
  /// Simpson's rule, which is exact for (1).
  double integral(double from, double to) const {
    const double middle = 0.5 * (from + to);
    return (to - from) / 6.0 * ((*this)(from) + 4.0 * (*this)(middle) + (*this)(to));
  }

 private:
  double t0_, t1_, f0_, slope_, curvature_ = 0.0;
};

}  // namespace carom
