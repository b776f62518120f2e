// The stiffness of Moisio's circumference over Hertz's.
#pragma once

#include <numbers>

namespace carom {

/// Kp d Lc Lr / 4 with Lc = 2π √(2 R d), over 4/3 Kp √R d^(3/2); 1 at Lr = 4 √2 / (3π) = 0.6002.
constexpr double circumference_factor(double Lr) {
  return 3.0 * std::numbers::pi / (4.0 * std::numbers::sqrt2) * Lr;
}

}  // namespace carom
