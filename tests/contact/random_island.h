// Random islands of rigid bodies, and Coulomb's law by code that shares nothing with the solver.
#pragma once

#include <algorithm>

#include "rigid_island.h"

namespace carom::testing {

/// Coulomb's law contact by contact, unscaled: worst violation over the largest force and speed.
inline double violation(const RigidIsland& island, const std::vector<double>& r) {
  const std::size_t n = island.q.size();
  const ConeProblem p = island.problem();
  std::vector<double> u(island.q);
  double force = 0.0, speed = 0.0, worst = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = std::abs(island.q[i]);
    for (std::size_t j = 0; j < n; ++j) {
      u[i] += island.W[i * n + j] * r[j];
      sum += std::abs(island.W[i * n + j] * r[j]);
    }
    force = std::max(force, std::abs(r[i])), speed = std::max(speed, sum);
  }
  for (std::size_t c = 0; c < p.mu.size(); ++c) {
    const double fn = r[3 * c] / force, un = u[3 * c] / speed;
    const double ft = std::hypot(r[3 * c + 1], r[3 * c + 2]) / force;
    const double ut = std::hypot(u[3 * c + 1], u[3 * c + 2]) / speed;
    const double along =
        (r[3 * c + 1] * u[3 * c + 1] + r[3 * c + 2] * u[3 * c + 2]) / (force * speed);
    worst = std::max({worst, -fn, -un, std::min(fn, un), ft - p.mu[c] * fn});
    // Sliding: the force is against the speed, and all of mu fn.
    worst = std::max(worst, along + p.mu[c] * fn * ut);
  }
  return worst;
}

inline Vec3 random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> number(-size, size);
  const double x = number(random), y = number(random), z = number(random);
  return {x, y, z};
}

/// 2 to 15 bodies with 1 to 8 points per pair, friction 0.1 to 1.5, masses over six decades.
inline RigidIsland random_island(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  RigidIsland island;
  const int bodies = 2 + static_cast<int>(14 * unit(random));
  std::vector<Vec3> centre;
  for (int i = 0; i < bodies; ++i) {
    const double mass = std::pow(10.0, -3.0 + 6.0 * unit(random));
    centre.push_back(random_vector(random, 0.5));
    island.add_box(mass, centre.back(), {0.1 + 0.2 * unit(random), 0.2, 0.1},
                   random_vector(random, 1.0) + Vec3{0, 0, -1});
  }
  const double mu = 0.1 + 1.4 * unit(random);
  for (int i = 0; i < bodies; ++i) {
    const int below = i == 0 ? -1 : static_cast<int>((i + 1) * unit(random)) - 1;
    const int other = below == i ? i - 1 : below;
    Vec3 n = other < 0
                 ? Vec3{0, 0, 1}
                 : centre[static_cast<std::size_t>(i)] - centre[static_cast<std::size_t>(other)];
    n = n / norm(n);
    const int points = 1 + static_cast<int>(8 * unit(random));
    const Vec3 t1 = any_perpendicular(n), t2 = cross(n, t1);
    for (int k = 0; k < points; ++k) {
      const Vec3 p = centre[static_cast<std::size_t>(i)] - 0.1 * n +
                     (0.2 * unit(random) - 0.1) * t1 + (0.2 * unit(random) - 0.1) * t2;
      island.touch(other, i, p, n, mu);
    }
  }
  return island;
}

}  // namespace carom::testing
