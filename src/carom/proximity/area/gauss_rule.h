// Points and weights of Gauss's quadrature, up to sixteen.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace carom {

/// Gauss's points on [-1, 1] by Newton's method on Legendre's polynomials.
struct GaussRule {
  explicit GaussRule(int count) {
    for (int i = 0; i < count; ++i) {
      double z = std::cos(std::numbers::pi * (i + 0.75) / (count + 0.5)), slope = 1.0;
      for (int trial = 0; trial < 8; ++trial) {
        double p = 1.0, before = 0.0;
        for (int k = 1; k <= count; ++k) {
          const double last = before;
          before = p;
          p = ((2.0 * k - 1.0) * z * before - (k - 1.0) * last) / k;
        }
        slope = count * (z * p - before) / (z * z - 1.0);
        z -= p / slope;
      }
      const auto at = static_cast<std::size_t>(i);
      node[at] = -z, weight[at] = 2.0 / ((1.0 - z * z) * slope * slope);
    }
  }
  std::array<double, 16> node{}, weight{};
};

inline const GaussRule& gauss_rule(int count) {
  static const GaussRule kRules[] = {GaussRule(1),  GaussRule(2),  GaussRule(3),  GaussRule(4),
                                     GaussRule(5),  GaussRule(6),  GaussRule(7),  GaussRule(8),
                                     GaussRule(9),  GaussRule(10), GaussRule(11), GaussRule(12),
                                     GaussRule(13), GaussRule(14), GaussRule(15), GaussRule(16)};
  return kRules[std::clamp(count, 1, 16) - 1];
}

}  // namespace carom
