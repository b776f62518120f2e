// Regularised absolute values: what a velocity is divided by to give a direction that goes
// to zero with it.
#pragma once

#include <algorithm>

namespace carom {

/// Modia3D: x from x_small on, below it a cubic with the least value x_small / 3 at x = 0;
/// twice continuously differentiable for x > 0.
inline double regularised(double x, double x_small) {
  if (x >= x_small) return x;
  return x * x / x_small * (1.0 - x / (3.0 * x_small)) + x_small / 3.0;
}

/// Otter 2005: x / saturated(x) grows linearly to 1 at x_min and stays there.
inline double saturated(double x, double x_min) { return std::max(x, x_min); }

}  // namespace carom
