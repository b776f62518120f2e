// Forces of points of a pair that all stick, by their six numbers: those of least norm of all
// points.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "carom/engine/contact/rigid/rigid_patches.h"
#include "carom/math/dense.h"

namespace carom {
namespace {

struct Tower {
  std::size_t n = 0;
  std::vector<double> A, b;
  std::vector<RigidPatch> patches;
};

/// Cubes one on the other, of which each pair has `points` points with three rows each; of every
/// third one they lie in a line. The second right-hand side is none that forces can meet.
Tower make_tower(std::size_t cubes, std::size_t points, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const std::size_t width = 6 * cubes;
  std::vector<double> J, mobility;
  for (std::size_t k = 0; k < width; ++k) mobility.push_back(std::exp(3.0 * any(random)));
  Tower t;
  for (std::size_t pair = 0; pair < cubes; ++pair) {
    std::vector<PatchForce> forces;
    for (std::size_t i = 0; i < points; ++i) {
      Vec3 p{any(random), any(random), 0.0};
      if (pair % 3 == 2) p.y = 0.0;
      for (const Vec3& axis : {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) {
        forces.push_back({axis, p, false});
      }
      if (pair % 4 == 1) forces.push_back({{0, 0, 1}, p, true});
    }
    t.patches.push_back(make_patch(t.n, forces));
    t.n += forces.size();
    for (const PatchForce& f : forces) {
      std::vector<double> row(width, 0.0);
      const auto put = [&](std::size_t body, double sign, double height) {
        const Vec3 arm = f.p + Vec3{0.0, 0.0, height};
        const Vec3 force = f.is_torque ? Vec3{} : f.axis;
        const Vec3 moment = f.is_torque ? f.axis : cross(arm, f.axis);
        for (std::size_t k = 0; k < 3; ++k) {
          row[6 * body + k] += sign * force[k], row[6 * body + 3 + k] += sign * moment[k];
        }
      };
      put(pair, 1.0, -0.5);
      if (pair > 0) put(pair - 1, -1.0, 0.5);
      J.insert(J.end(), row.begin(), row.end());
    }
  }
  t.A.assign(t.n * t.n, 0.0);
  for (std::size_t i = 0; i < t.n; ++i) {
    for (std::size_t j = 0; j < t.n; ++j) {
      for (std::size_t k = 0; k < width; ++k) {
        t.A[i * t.n + j] += J[i * width + k] * mobility[k] * J[j * width + k];
      }
    }
  }
  std::vector<double> weight(width, 0.0);
  for (std::size_t k = 2; k < width; k += 6) weight[k] = 9.81;
  for (std::size_t i = 0; i < t.n; ++i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < width; ++k) sum += J[i * width + k] * weight[k];
    t.b.push_back(sum);
  }
  for (std::size_t i = 0; i < t.n; ++i) t.b.push_back(any(random));
  return t;
}

TEST(RigidPatches, AreTheForcesOfLeastNormOfAllPoints) {
  for (const std::size_t points : {2U, 4U, 8U}) {
    const Tower t = make_tower(6, points, static_cast<unsigned>(points));
    const std::vector<double> whole = solve_min_norm(t.A, t.b);
    const std::vector<double> patched = solve_by_patches(t.A, t.b, t.patches);
    ASSERT_EQ(patched.size(), 2 * t.n);
    for (std::size_t c = 0; c < 2; ++c) {
      double largest = 0.0;
      for (std::size_t i = 0; i < t.n; ++i) {
        largest = std::max(largest, std::abs(whole[c * t.n + i]));
      }
      // Condition of the masses and arms, 1e4, times rounding.
      for (std::size_t i = c * t.n; i < (c + 1) * t.n; ++i) {
        EXPECT_NEAR(patched[i], whole[i], 1e-10 * largest) << points << " points, row " << i;
      }
    }
  }
}

TEST(RigidPatches, OfManyPointsAreSixNumbers) {
  const Tower t = make_tower(6, 8, 3);
  for (std::size_t i = 0; i < t.patches.size(); ++i) {
    const RigidPatch& p = t.patches[i];
    EXPECT_EQ(p.width, i % 3 == 2 ? 5U : 6U) << i;  // nothing turns them about a line
    for (std::size_t k = 0; k < p.width; ++k) {
      for (std::size_t l = 0; l <= k; ++l) {
        double sum = 0.0;
        for (std::size_t r = 0; r < p.count; ++r) {
          sum += p.Q[r * p.width + k] * p.Q[r * p.width + l];
        }
        EXPECT_NEAR(sum, k == l ? 1.0 : 0.0, 1e-14) << i;
      }
    }
  }
}

TEST(RigidPatches, OfTwoPointsStayAsTheyAre) {
  const Tower t = make_tower(1, 2, 5);
  EXPECT_TRUE(t.patches.front().Q.empty());
  EXPECT_EQ(t.patches.front().width, 6U);
}

}  // namespace
}  // namespace carom
