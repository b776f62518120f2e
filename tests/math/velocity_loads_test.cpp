// Friction in a large island goes by normal forces that are guessed before it is solved.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/math/velocity_solver.h"

namespace carom {
namespace {

constexpr double kRough = 0.5;
constexpr int kStacks = 30, kHeight = 4;

/// Columns of point masses in a plane, each with a velocity across and one upwards, that land on
/// the floor and on each other while they slide. Every second one of a column is so much heavier.
/// The damping is that of blows [s/m].
StepProblem landing_columns(double ratio = 1.0, double damping = 0.2, int stacks = kStacks,
                            int height = kHeight) {
  StepProblem p;
  p.h = 5e-3, p.tolerance = 5e-10;  // 1e-8 of what gravity brings
  const auto add_group = [&](int a, int b, double gap, bool is_upright) {
    RowGroup g;
    g.a = a, g.b = b;
    g.first_normal = static_cast<int>(p.normals.size()), g.normals = 1;
    g.first_rub = static_cast<int>(p.rubs.size()), g.rubs = 1;
    g.jacobian = p.jacobian.size(), g.rows = 2;
    NormalRow row;
    row.depth = -gap, row.hertz = 1e8, row.damping = damping;
    p.normals.push_back(row);
    RubRow rub;  // nothing is known of the load yet
    rub.size = 1, rub.bound_per_load = kRough, rub.stiffness_per_load = kRough / (p.h * 1e-2);
    p.rubs.push_back(at_load(rub, 0.0));
    for (const bool is_normal : {true, false}) {
      const bool along_z = is_normal == is_upright;
      for (const double sign : {-1.0, 1.0}) {
        if (sign < 0.0 && a < 0) continue;
        p.jacobian.push_back(along_z ? 0.0 : sign), p.jacobian.push_back(along_z ? sign : 0.0);
      }
    }
    p.groups.push_back(g);
  };
  for (int c = 0; c < stacks; ++c) {
    for (int i = 0; i < height; ++i) {
      const int body = static_cast<int>(p.blocks.size());
      const double mass = i % 2 == 0 ? 1.0 : ratio;
      p.blocks.push_back({p.v.size(), 2, p.mass.size(), mass});
      for (const double m : {mass, 0.0, 0.0, mass}) p.mass.push_back(m);
      const double across = 0.3 * std::sin(1.7 * c + i), up = -1.0 - 0.01 * c;
      p.v.push_back(across), p.v.push_back(up);
      p.free.push_back(across), p.free.push_back(up - 9.81 * p.h);
      add_group(i == 0 ? -1 : body - 1, body, 1e-4 * (1 + (7 * c + 3 * i) % 5), true);
      if (c > 0) add_group(body - height, body, -1e-5, false);
    }
  }
  find_islands(p);
  return p;
}

std::vector<double> normal_forces(const StepProblem& p) {
  std::vector<double> forces;
  for (const RowGroup& g : p.groups) {
    std::vector<double> u(2);
    row_velocities(p, g, p.v, u);
    forces.push_back(
        answer(p.normals[static_cast<std::size_t>(g.first_normal)], p.h, u[0], 1.0).force);
  }
  return forces;
}

TEST(VelocityLoads, AreThoseOfTheAnswerThatTheyLeadTo) {
  StepProblem p = landing_columns();
  ASSERT_EQ(p.islands.size(), 1u);
  VelocitySolver solver;
  ASSERT_TRUE(solver.predict(p, 0));
  std::vector<double> loads;
  for (std::size_t k = 0; k < p.groups.size(); ++k) {
    loads.push_back(solver.load_of(k));
    RubRow& rub = p.rubs[static_cast<std::size_t>(p.groups[k].first_rub)];
    rub = at_load(rub, loads[k]);
  }
  const VelocityAnswer answer = solver.solve(p, 0);
  ASSERT_TRUE(answer.converged);
  EXPECT_LE(answer.iterations, 12);
  const std::vector<double> forces = normal_forces(p);
  double sum = 0.0, error = 0.0;
  for (std::size_t k = 0; k < forces.size(); ++k) {
    sum += forces[k], error += std::abs(forces[k] - loads[k]);
  }
  // A contact is solved again where its load was wrong by a tenth: in the mean they are better.
  EXPECT_GT(sum, kStacks * kHeight / p.h);
  EXPECT_LT(error, 0.05 * sum);
}

// Damping makes the force of a row bend: from a force that is too large Newton's method for a
// single row ends far below its root. Sweeps that stop there go to and fro for ever, and a guess of
// theirs is no better than none.
TEST(VelocityLoads, AreFoundInAPileThatShakesAndIsDamped) {
  for (const double damping : {10.0, 100.0, 1000.0}) {
    StepProblem p = landing_columns(1.0, damping);
    for (NormalRow& row : p.normals) row.depth = 3e-5;
    for (std::size_t i = 0; i < p.v.size(); ++i) {
      p.v[i] = 0.05 * std::sin(2.3 * static_cast<double>(i * i));
      p.free[i] = p.v[i] - (i % 2 == 1 ? 9.81 * p.h : 0.0);
    }
    VelocitySolver solver;
    ASSERT_TRUE(solver.predict(p, 0)) << damping;
    std::vector<double> loads;
    for (std::size_t k = 0; k < p.groups.size(); ++k) loads.push_back(solver.load_of(k));
    const VelocityAnswer answer = solver.solve(p, 0);
    ASSERT_TRUE(answer.converged) << damping;
    EXPECT_LE(answer.iterations, 5) << damping;
    const std::vector<double> forces = normal_forces(p);
    double sum = 0.0, error = 0.0;
    for (std::size_t k = 0; k < forces.size(); ++k) {
      sum += forces[k], error += std::abs(forces[k] - loads[k]);
    }
    // A contact is solved again where its load was wrong by a tenth (a third: sweeps that stop
    // after three steps of Newton's method).
    EXPECT_LT(error, 0.1 * sum) << damping;
  }
}

// Sweeps hand a load on by a layer each. What is wrong of the loads here, by a twentieth in the
// mean, is three times as much where sweeps do not leap ahead.
TEST(VelocityLoads, ReachTheGroundOfAHighPile) {
  StepProblem p = landing_columns(1.0, 0.2, 10, 20);
  for (NormalRow& row : p.normals) row.depth = 3e-5;
  VelocitySolver solver;
  ASSERT_TRUE(solver.predict(p, 0));
  std::vector<double> loads;
  for (std::size_t k = 0; k < p.groups.size(); ++k) loads.push_back(solver.load_of(k));
  for (std::size_t k = 0; k < p.groups.size(); ++k) {
    RubRow& rub = p.rubs[static_cast<std::size_t>(p.groups[k].first_rub)];
    rub = at_load(rub, loads[k]);
  }
  ASSERT_TRUE(solver.solve(p, 0).converged);
  const std::vector<double> forces = normal_forces(p);
  double sum = 0.0, error = 0.0;
  for (std::size_t k = 0; k < forces.size(); ++k) {
    sum += forces[k], error += std::abs(forces[k] - loads[k]);
  }
  EXPECT_LT(error, 0.1 * sum);
}

TEST(VelocityLoads, AShareOfTheMotionIsAnErrorThatIsAllowed) {
  StepProblem exact = landing_columns(), loose = landing_columns();
  for (StepProblem* p : {&exact, &loose}) {
    for (RubRow& rub : p->rubs) rub = at_load(rub, 100.0);
  }
  loose.share_of_motion = 1e-3, loose.islands[0].speed = 1.0;
  VelocitySolver solver;
  const VelocityAnswer all = solver.solve(exact, 0), less = solver.solve(loose, 0);
  ASSERT_TRUE(all.converged && less.converged);
  EXPECT_LT(less.iterations, all.iterations);
  double worst = 0.0, motion = 0.0;
  for (std::size_t i = 0; i < exact.v.size(); ++i) {
    worst = std::max(worst, std::abs(loose.v[i] - exact.v[i]));
    motion = std::max(motion, std::abs(exact.v[i] - exact.free[i]));
  }
  // The residual is one of forces; stiff rows make less of it in velocities.
  EXPECT_GT(worst, 0.0);
  EXPECT_LT(worst, 1e-3 * motion);
}

// An iterate that has run away differs from v* by any number: what moved before is the measure.
TEST(VelocityLoads, AllowsNoErrorWhereNothingMoved) {
  StepProblem exact = landing_columns(), still = landing_columns();
  for (StepProblem* p : {&exact, &still}) {
    for (RubRow& rub : p->rubs) rub = at_load(rub, 100.0);
  }
  still.share_of_motion = 1e-3, still.islands[0].speed = 0.0;
  VelocitySolver().solve(exact, 0), VelocitySolver().solve(still, 0);
  EXPECT_EQ(still.v, exact.v);
}

// Bounds that follow their own normal forces make sweeps run away between masses far apart.
TEST(VelocityLoads, BringNoMoreEnergyThanThereIs) {
  for (const double ratio : {1e2, 1e4, 1e6}) {
    StepProblem p = landing_columns(ratio);
    const auto energy = [&](const std::vector<double>& v) {
      double sum = 0.0;
      for (const VelocityBlock& b : p.blocks) {
        sum += 0.5 * b.inertia * (std::pow(v[b.start], 2) + std::pow(v[b.start + 1], 2));
      }
      return sum;
    };
    VelocitySolver solver;
    const bool is_guessed = solver.predict(p, 0);
    // |v| <= |v*| + |v - v*|, the second at most twice the first and what depths of 10 um hold.
    EXPECT_LT(energy(p.v), 9.1 * energy(p.free)) << ratio;
    for (std::size_t k = 0; is_guessed && k < p.groups.size(); ++k) {
      EXPECT_LT(p.h * solver.load_of(k), 50.0 * kHeight * ratio) << ratio;
    }
  }
}

TEST(VelocityLoads, SmallIslandsAreNotGuessed) {
  StepProblem p = landing_columns();
  std::erase_if(p.groups, [](const RowGroup& g) { return g.b >= 2 * kHeight; });
  find_islands(p);
  VelocitySolver solver;
  EXPECT_FALSE(solver.predict(p, 0));
}

}  // namespace
}  // namespace carom
