// Stronge's impact of one point: restitution is a share of energy.
//
// Velocities follow the normal impulse p as through a short contact,
//
//   du/dp = W (1, r_t),   r_t = -mu u_t/|u_t| where it slides                              (1)
//                         r_t with u_t' = 0 where it sticks and |r_t| <= mu
//
// Compression ends where u_n = 0. By then the normal force has taken A = -int u_n dp; restitution
// ends where it has given e^2 A back. Energy never grows, whatever the slip does on the way.
//
// [W. J. Stronge, Rigid body collisions with friction, Proc. R. Soc. Lond. A 431 (1990)]
#pragma once

#include <span>

namespace carom {

/// W is 3 × 3, row by row: normal and two tangents; u the velocity before, u_n < 0. P gets the
/// impulse. False where it does not end: friction pushes the bodies into each other for ever.
bool solve_energetic(std::span<const double> W, std::span<const double> u, double mu,
                     double restitution, std::span<double> P);

}  // namespace carom
