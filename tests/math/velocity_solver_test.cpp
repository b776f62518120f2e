// The velocity problem against closed forms, and against its own optimality conditions.
#include "carom/math/velocity_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace carom {
namespace {

/// Blocks of one velocity each.
struct Line {
  StepProblem p;
  explicit Line(double h) {
    p.h = h;
    p.tolerance = 1e-12;
  }
  int add_mass(double m, double v, double free) {
    p.blocks.push_back({p.v.size(), 1, p.mass.size(), m});
    p.mass.push_back(m), p.v.push_back(v), p.free.push_back(free);
    return static_cast<int>(p.blocks.size()) - 1;
  }
  /// A row between a (below) and b (above), and friction of the given bound across if asked for.
  RowGroup& add_contact(int a, int b, const NormalRow& row) {
    RowGroup g;
    g.a = a, g.b = b;
    g.first_normal = static_cast<int>(p.normals.size()), g.normals = 1;
    g.first_rub = static_cast<int>(p.rubs.size());
    g.jacobian = p.jacobian.size(), g.rows = 1;
    p.normals.push_back(row);
    if (a >= 0) p.jacobian.push_back(-1.0);
    if (b >= 0) p.jacobian.push_back(1.0);
    p.groups.push_back(g);
    return p.groups.back();
  }
  VelocityAnswer solve() {
    find_islands(p);
    VelocityAnswer worst;
    worst.converged = true;
    VelocitySolver solver;
    for (std::size_t i = 0; i < p.islands.size(); ++i) {
      const VelocityAnswer a = solver.solve(p, i);
      worst.converged &= a.converged;
      worst.iterations = std::max(worst.iterations, a.iterations);
    }
    return worst;
  }
};

double answer_of(const NormalRow& row, double h, double u) { return answer(row, h, u, 1.0).force; }

TEST(StepProblem, BallOnASpringTakesTheImplicitStep) {
  // m (v - v*) = h k (d - h v): linear, so one iteration and a closed form.
  Line line(1e-3);
  const double m = 0.3, k = 1e6, d = 1e-4, free = -0.2;
  const int ball = line.add_mass(m, 0.0, free);
  NormalRow row;
  row.depth = d, row.linear = k;
  line.add_contact(-1, ball, row);
  const VelocityAnswer answer = line.solve();
  EXPECT_TRUE(answer.converged);
  EXPECT_LE(answer.iterations, 1);
  const double h = 1e-3;
  EXPECT_NEAR(line.p.v[0], (m * free + h * k * d) / (m + h * h * k), 1e-12);
}

TEST(StepProblem, AGapThatIsNotClosedLeavesTheBodyFree) {
  Line line(1e-3);
  const int ball = line.add_mass(1.0, -0.5, -0.51);
  NormalRow row;
  row.depth = -1e-3, row.hertz = 1e9;
  line.add_contact(-1, ball, row);
  EXPECT_TRUE(line.solve().converged);
  EXPECT_DOUBLE_EQ(line.p.v[0], -0.51);
}

TEST(StepProblem, SecantForceKeepsTheEnergyOfAHertzBounce) {
  // Unknown is the mean velocity: mass 2 m, free (v + v*)/2. Kinetic and elastic energy together
  // stay to rounding at any step.
  const double m = 0.1, k = 1e8;
  NormalRow row;
  row.hertz = k, row.secant = true;
  for (const double h : {1e-5, 1e-4, 1e-3}) {  // the impact lasts 0.8 ms
    double depth = -0.3 * h, v = -1.0;
    const double energy = 0.5 * m;
    for (int i = 0; i < 200; ++i) {
      Line line(h);
      const int ball = line.add_mass(2.0 * m, v, v);
      row.depth = depth;
      line.add_contact(-1, ball, row);
      ASSERT_TRUE(line.solve().converged);
      depth -= h * line.p.v[0];
      v = 2.0 * line.p.v[0] - v;
      ASSERT_NEAR(0.5 * m * v * v + elastic_energy(row, depth), energy, 1e-9 * energy) << h;
    }
    EXPECT_NEAR(v, 1.0, 1e-9);
  }
}

TEST(StepProblem, SlidingBlockLosesTheImpulseOfFriction) {
  Line line(1e-2);
  const double m = 2.0, bound = 3.0;
  const int block = line.add_mass(m, 1.0, 1.0);
  RowGroup g;
  g.b = block, g.rubs = 1, g.rows = 1;
  line.p.jacobian = {1.0};
  RubRow rub;
  rub.size = 1, rub.bound = bound, rub.stiffness = 1e6;
  line.p.rubs.push_back(rub);
  line.p.groups.push_back(g);
  EXPECT_TRUE(line.solve().converged);
  EXPECT_NEAR(line.p.v[0], 1.0 - 1e-2 * bound / m, 1e-12);
}

TEST(StepProblem, BristleHoldsWhatIsBelowItsBound) {
  Line line(1e-3);
  const int block = line.add_mass(1.0, 0.0, 1e-3);
  RowGroup g;
  g.b = block, g.rubs = 1, g.rows = 1;
  line.p.jacobian = {1.0};
  RubRow rub;
  rub.size = 1, rub.bound = 2.0, rub.stiffness = 1e9;
  line.p.rubs.push_back(rub);
  line.p.groups.push_back(g);
  EXPECT_TRUE(line.solve().converged);
  // 1 N holds it: it creeps by the deflection of the bristle.
  EXPECT_NEAR(line.p.v[0], 1e-3 / (1.0 + 1e-6 * 1e9), 1e-12);
}

/// A grain that a large bound holds and that slips all the same: curvature along the slip that is
/// not there would hold it back, and take thousands of iterations.
TEST(StepProblem, LightBodySlipsUnderALargeBoundInAFewIterations) {
  Line line(1e-2);
  const double m = 1e-4, bound = 100.0, heavy = 1e3;
  const int grain = line.add_mass(m, 0.0, 0.0), plate = line.add_mass(heavy, 0.3, 0.3);
  for (const double drift : {0.0, -0.3}) {  // held by one plate, dragged over another
    RowGroup g;
    g.a = drift < 0.0 ? plate : -1, g.b = grain, g.rubs = 1, g.rows = 1;
    g.first_rub = static_cast<int>(line.p.rubs.size());
    g.jacobian = line.p.jacobian.size();
    if (g.a >= 0) line.p.jacobian.push_back(-1.0);
    line.p.jacobian.push_back(1.0);
    RubRow rub;
    rub.size = 1, rub.bound = drift < 0.0 ? bound : 2.0 * bound, rub.stiffness = 1e9;
    line.p.rubs.push_back(rub);
    line.p.groups.push_back(g);
  }
  const VelocityAnswer answer = line.solve();
  EXPECT_TRUE(answer.converged);
  EXPECT_LE(answer.iterations, 6);
  EXPECT_NEAR(line.p.v[1], 0.3 - 1e-2 * bound / heavy, 1e-9);
  EXPECT_LT(std::abs(line.p.v[0]), 1e-5);  // the bound of the plate at rest is twice as large
}

TEST(StepProblem, SlopesAreThoseOfDifferences) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const double h = 1e-3;
  for (int trial = 0; trial < 400; ++trial) {
    NormalRow row;
    row.depth = 1e-4 * unit(random), row.linear = 1e7, row.hertz = 1e9 * (unit(random) > 0.0);
    row.damping = std::max(0.0, unit(random)), row.viscous = 100.0 * std::max(0.0, unit(random));
    row.secant = trial % 3 == 0;
    const double u = 0.1 * unit(random), du = 1e-7;
    const RowAnswer low = answer(row, h, u - du, 1.0), high = answer(row, h, u + du, 1.0);
    if (!(low.force > 0.0 && high.force > 0.0)) continue;  // a kink is between
    const double slope = (high.force - low.force) / (2.0 * du);
    EXPECT_NEAR(answer(row, h, u, 1.0).slope, slope, 2e-4 * std::abs(slope)) << trial;
    RubRow rub;
    rub.stiffness = 1e6, rub.bound = 50.0, rub.lag = 1e-4 * (trial % 2);
    rub.bristle = {1e-5 * unit(random), 1e-5 * unit(random), 1e-5 * unit(random)};
    std::array<double, 3> v{0.1 * unit(random), 0.1 * unit(random), 0.1 * unit(random)};
    const RubAnswer middle = answer(rub, h, v, 1.0);
    for (std::size_t k = 0; k < 3; ++k) {
      const double there = v[k];
      v[k] = there + du;
      const RubAnswer more = answer(rub, h, v, 1.0);
      v[k] = there - du;
      const RubAnswer less = answer(rub, h, v, 1.0);
      v[k] = there;
      for (std::size_t i = 0; i < 3; ++i) {
        const double told =
            -middle.weight *
            ((i == k ? 1.0 : 0.0) - middle.along * middle.direction[i] * middle.direction[k]);
        EXPECT_NEAR((more.force[i] - less.force[i]) / (2.0 * du), told, 1e-3 * middle.weight);
      }
    }
  }
}

/// A column of masses that rest on each other: every row carries what is above it.
TEST(StepProblem, StackOfSteelCarriesItsWeightWhateverTheMasses) {
  for (const double light : {1.0, 1e-3, 1e-6}) {
    Line line(1e-2);
    const double g = 9.81, h = 1e-2, k = 1e10;
    std::vector<double> m(10, 1.0);
    m[5] = light;
    for (std::size_t i = 0; i < m.size(); ++i) line.add_mass(m[i], 0.0, -g * h);
    for (int i = 0; i < 10; ++i) {
      NormalRow row;
      row.linear = k;  // not loaded yet
      line.add_contact(i - 1, i, row);
    }
    ASSERT_TRUE(line.solve().converged) << light;
    double above = 0.0;
    for (std::size_t i = m.size(); i-- > 0;) {
      above += m[i] * g;
      std::vector<double> u(1);
      row_velocities(line.p, line.p.groups[i], line.p.v, u);
      EXPECT_NEAR(answer(line.p.normals[i], h, u[0], 1.0).force, above, 1e-4 * above) << i;
    }
  }
}

/// Random islands of bodies with six velocities each.
StepProblem random_problem(std::mt19937& random, int bodies, double ratio) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  StepProblem p;
  p.h = 1e-3;
  p.tolerance = 1e-9;
  for (int i = 0; i < bodies; ++i) {
    const double m = std::pow(ratio, 0.5 * unit(random));
    p.blocks.push_back({p.v.size(), 6, p.mass.size(), m});
    for (std::size_t r = 0; r < 6; ++r) {
      for (std::size_t c = 0; c < 6; ++c) p.mass.push_back(r == c ? (r < 3 ? 0.01 * m : m) : 0.0);
      p.v.push_back(unit(random));
      p.free.push_back(p.v.back() - 1e-2);
    }
  }
  std::uniform_int_distribution<int> body(-1, bodies - 1);
  for (int i = 0; i < 3 * bodies; ++i) {
    RowGroup g;
    g.a = body(random), g.b = body(random);
    if (g.a == g.b) continue;
    g.first_normal = static_cast<int>(p.normals.size()), g.normals = 2;
    g.first_rub = static_cast<int>(p.rubs.size()), g.rubs = 1;
    g.jacobian = p.jacobian.size(), g.rows = 5;
    for (int k = 0; k < 2; ++k) {
      NormalRow row;
      row.depth = 1e-4 * unit(random);
      row.linear = std::pow(10.0, 6.0 + 2.0 * unit(random)), row.hertz = 1e8;
      row.damping = std::max(0.0, unit(random));
      p.normals.push_back(row);
    }
    RubRow rub;
    rub.bound = std::abs(unit(random)) * 100.0, rub.stiffness = 1e6;
    rub.bristle = {1e-5 * unit(random), 1e-5 * unit(random), 0.0};
    p.rubs.push_back(rub);
    const std::size_t width = p.row_width(g);
    for (std::size_t k = 0; k < 5 * width; ++k) {
      p.jacobian.push_back(k % 6 < 3 ? 0.1 * unit(random) : unit(random));
    }
    p.groups.push_back(g);
  }
  find_islands(p);
  // What no group touches is no problem: it moves freely.
  std::vector<double> guess = p.v;
  p.v = p.free;
  for (const VelocityIsland& island : p.islands) {
    for (const int b : island.blocks) {
      const VelocityBlock& block = p.blocks[static_cast<std::size_t>(b)];
      for (std::size_t k = block.start; k < block.start + 6; ++k) p.v[k] = guess[k];
    }
  }
  return p;
}

/// M (v - v*) = h J'f, with forces from the answer alone.
double optimality_error(const StepProblem& p) {
  std::vector<double> g(p.v.size()), size(p.v.size(), 1e-12);
  for (const VelocityBlock& b : p.blocks) {
    for (std::size_t r = 0; r < b.size; ++r) {
      for (std::size_t c = 0; c < b.size; ++c) {
        const double term =
            p.mass[b.mass + r * b.size + c] * (p.v[b.start + c] - p.free[b.start + c]);
        g[b.start + r] += term, size[b.start + r] += std::abs(term);
      }
    }
  }
  for (const RowGroup& group : p.groups) {
    std::vector<double> u(static_cast<std::size_t>(group.rows)), f;
    row_velocities(p, group, p.v, u);
    for (int k = 0; k < group.normals; ++k) {
      f.push_back(
          answer(p.normals[static_cast<std::size_t>(group.first_normal + k)], p.h, u[f.size()], 1.0)
              .force);
    }
    const RubAnswer rub =
        answer(p.rubs[static_cast<std::size_t>(group.first_rub)], p.h, {&u[f.size()], 3}, 1.0);
    f.insert(f.end(), rub.force.begin(), rub.force.end());
    std::size_t at = group.jacobian;
    for (const double force : f) {
      for (const int block : {group.a, group.b}) {
        for (std::size_t k = 0; k < p.block_size(block); ++k, ++at) {
          const std::size_t i = p.blocks[static_cast<std::size_t>(block)].start + k;
          g[i] -= p.h * p.jacobian[at] * force;
          size[i] += std::abs(p.h * p.jacobian[at] * force);
        }
      }
    }
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < g.size(); ++i) worst = std::max(worst, std::abs(g[i]) / size[i]);
  return worst;
}

TEST(StepProblem, AnswersOfRandomIslandsAreOptimal) {
  std::mt19937 random(17);
  VelocitySolver solver;
  for (int trial = 0; trial < 40; ++trial) {
    const int bodies = 2 + trial % 20;
    StepProblem p = random_problem(random, bodies, trial % 2 ? 1e4 : 10.0);
    for (std::size_t i = 0; i < p.islands.size(); ++i) {
      ASSERT_TRUE(solver.solve(p, i).converged) << "trial " << trial;
    }
    // The tolerance of velocities over the least impulse that matters.
    EXPECT_LT(optimality_error(p), 1e-5) << "trial " << trial;
  }
}

TEST(StepProblem, ConjugateGradientsFindWhatFactorsFind) {
  std::mt19937 random(4);
  StepProblem p = random_problem(random, 60, 10.0);  // 360 velocities: too many for one factor
  VelocitySolver solver;
  int linear = 0;
  for (std::size_t i = 0; i < p.islands.size(); ++i) {
    const VelocityAnswer a = solver.solve(p, i);
    ASSERT_TRUE(a.converged);
    linear += a.linear_iterations;
  }
  EXPECT_GT(linear, 0);
  EXPECT_LT(optimality_error(p), 1e-5);
}

/// Twelve layers of masses that fall on a floor with a gap between each: nothing touches yet, and
/// at the end of the step everything does. By Newton's method alone it takes 21 iterations.
TEST(StepProblem, ManyLayersThatLandInOneStepTakeAFewIterations) {
  Line line(1e-2);
  constexpr int kColumns = 20, kLayers = 12;
  for (int c = 0; c < kColumns; ++c) {
    for (int i = 0; i < kLayers; ++i) {
      const int body = line.add_mass(1.0, -1.0 - 0.01 * c, -1.1 - 0.01 * c);
      NormalRow row;
      row.depth = -1e-4 * (1 + (7 * c + 3 * i) % 5), row.hertz = 1e9;
      line.add_contact(i == 0 ? -1 : body - 1, body, row);
      if (c == 0) continue;  // neighbours lean on each other: one island
      NormalRow side;
      side.depth = 1e-5, side.hertz = 1e8;
      line.add_contact(body - kLayers, body, side);
    }
  }
  line.p.tolerance = 1e-9;
  const VelocityAnswer answer = line.solve();
  ASSERT_EQ(line.p.islands.size(), 1u);
  EXPECT_TRUE(answer.converged);
  EXPECT_LE(answer.iterations, 14);
  double momentum = 0.0, impulse = 0.0;
  for (std::size_t i = 0; i < line.p.v.size(); ++i) momentum += line.p.v[i] - line.p.free[i];
  for (const RowGroup& g : line.p.groups) {
    if (g.a >= 0) continue;
    std::vector<double> u(1);
    row_velocities(line.p, g, line.p.v, u);
    impulse += line.p.h *
               answer_of(line.p.normals[static_cast<std::size_t>(g.first_normal)], line.p.h, u[0]);
  }
  EXPECT_NEAR(momentum, impulse, 1e-6 * impulse);  // all that the floor gave
}

TEST(StepProblem, IslandsAreWhatGroupsJoin) {
  Line line(1e-3);
  for (int i = 0; i < 5; ++i) line.add_mass(1.0, 0.0, 0.0);
  line.add_contact(0, 1, {});
  line.add_contact(-1, 2, {});
  line.add_contact(3, 1, {});
  find_islands(line.p);
  ASSERT_EQ(line.p.islands.size(), 2u);
  EXPECT_EQ(line.p.islands[0].blocks, (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(line.p.islands[1].blocks, (std::vector<int>{2}));
}

TEST(StepProblem, RowsNeverPushHarderWhenTheyPartFaster) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int i = 0; i < 300; ++i) {
    NormalRow row;
    row.depth = 1e-3 * (unit(random) - 0.5);
    row.linear = 1e6 * unit(random), row.hertz = 1e8 * unit(random);
    row.power = 1e5 * unit(random), row.exponent = 1.0 + 2.0 * unit(random);
    row.damping = 10.0 * unit(random), row.viscous = i % 3 ? 0.0 : 100.0 * unit(random);
    row.secant = i % 2;
    double last = answer(row, 1e-3, -2.0, 1.0).force;
    for (double u = -2.0; u < 2.0; u += 0.01) {
      const RowAnswer a = answer(row, 1e-3, u, 1.0);
      EXPECT_LE(a.force, last * (1.0 + 1e-9) + 1e-9) << i << " at " << u;
      EXPECT_LE(a.slope, 0.0);
      last = a.force;
    }
  }
}

}  // namespace
}  // namespace carom
