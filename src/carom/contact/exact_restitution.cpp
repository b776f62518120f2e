#include "carom/contact/exact_restitution.h"

#include <cmath>

namespace carom {
namespace {

constexpr int kMaxIterations = 100;

/// Small c, restitution near 1: the logarithms of (1) as series, divided by c²,
///   sum over k >= 2 of (e^k - (-1)^k) c^(k-2) / k = 0,
/// whose first terms cancel exactly where those of (1) leave rounding only.
double near_elastic(double e) {
  double c = 1.5 * (1.0 - e) / (1.0 - e + e * e);
  for (int i = 0; i < kMaxIterations; ++i) {
    double value = 0.0, slope = 0.0, power = 1.0, previous = 0.0, e_k = e * e, sign = 1.0;
    for (int k = 2; k < 30; ++k) {
      const double a = (e_k - sign) / k;
      value += a * power;
      slope += a * (k - 2) * previous;
      previous = power, power *= c, e_k *= e, sign = -sign;
    }
    const double step = value / slope;
    c -= step;
    if (std::abs(step) <= 1e-15 * c) break;
  }
  return c;
}

}  // namespace

double exact_damping_factor(double e) {
  if (e >= 1.0) return 0.0;
  if (e > 0.95) return near_elastic(e);
  // In y = -ln(1 - c e), because 1 - c e itself is below rounding from e = 0.03 down:
  //   f(y) = ln(1 + c) + y - c (1 + e),   c = (1 - exp(-y)) / e.
  // f is convex from the root to the start, f(start) > 0: Newton falls onto the root.
  double y = (1.0 + e) / e;
  for (int i = 0; i < kMaxIterations; ++i) {
    const double c = -std::expm1(-y) / e, dc = std::exp(-y) / e;
    const double f = std::log1p(c) + y - c * (1.0 + e);
    const double step = f / (dc / (1.0 + c) + 1.0 - dc * (1.0 + e));
    y -= step;
    if (std::abs(step) <= 1e-15 * y) break;
  }
  return -std::expm1(-y) / e;
}

}  // namespace carom
