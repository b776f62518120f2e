// Stiff problems, the error norm over groups, Jacobians and the sparse path.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "carom/integrate/column_colouring.h"
#include "carom/integrate/difference_jacobian.h"
#include "carom/integrate/group_norm.h"
#include "integrate/test_systems.h"

namespace carom {
namespace {

using namespace test;

// x' = -L (x - cos t) - sin t has the solution cos t, whatever L (Prothero & Robinson,
// Math. Comp. 28 (1974) 145-162). With L = 1e6 explicit methods would need 4e5 steps.
TEST(StiffProblem, ImplicitMethodsTakeStepsOfTheSmoothSolution) {
  constexpr double kStiffness = 1e6;
  FunctionSystem system(1, [](double t, std::span<const double> x, std::span<double> xdot) {
    xdot[0] = -kStiffness * (x[0] - std::cos(t)) - std::sin(t);
    return Status::ok;
  });
  for (const Method* method : method_catalogue()) {
    // Implicit contact steps are implicit in contacts alone.
    if (!method->implicit || method->name == std::string("implicit_contact")) continue;
    IntegratorSettings settings;
    settings.rtol = 1e-6;
    settings.atol = 1e-8;
    settings.fixed_step = 1e-2;
    const auto integrator = method->make(system, settings);
    integrator->start(0.0, std::vector<double>{1.5});  // off the solution: a fast transient
    ASSERT_TRUE(run_to(*integrator, 1.0)) << method->name << integrator->failure();
    // The fixed step of 1e-2 with order 2 errs by less than 1e-4 on cos t.
    EXPECT_NEAR(integrator->state()[0], std::cos(1.0), 1e-4) << method->name;
    EXPECT_LT(integrator->statistics().steps, 1500) << method->name;
  }
}

/// A vibration of 1000 rad/s that is driven, and overdamped until t = 1.
class DampedAtFirst : public System {
 public:
  std::size_t size() const override { return 2; }
  Status rhs(double t, std::span<const double> x, std::span<double> xdot) override {
    const double damping = 5e4 * (1.0 - std::tanh(100.0 * (t - 1.0)));
    xdot[0] = x[1];
    xdot[1] = -damping * x[1] - 1e6 * x[0] + 1e6 * std::cos(900.0 * t);
    return Status::ok;
  }
  bool may_vibrate() const override { return true; }
};

/// Evaluations of the last second of three, which nothing damps.
std::int64_t undamped_evaluations(const char* name) {
  DampedAtFirst system;
  IntegratorSettings settings;
  settings.rtol = settings.atol = 1e-9;
  const auto integrator = find_method(name)->make(system, settings);
  integrator->start(0.0, std::vector<double>{0.0, 0.0});
  EXPECT_TRUE(run_to(*integrator, 2.0)) << integrator->failure();
  const std::int64_t before = integrator->statistics().rhs_evaluations;
  EXPECT_TRUE(run_to(*integrator, 3.0)) << integrator->failure();
  return integrator->statistics().rhs_evaluations - before;
}

// BDF resolves such a vibration with many times the steps of an explicit method of order 8.
TEST(Switching, GoesBackToExplicitStepsWhereTheyCostLess) {
  EXPECT_LT(4 * undamped_evaluations("switching"), 5 * undamped_evaluations("erk8"));
}

// Samples of a controller end steps and start the method anew, evenly: no reason to take BDF.
TEST(Switching, TakesSamplesForNoStiffness) {
  class Pendulum : public System {
   public:
    std::size_t size() const override { return 2; }
    Status rhs(double, std::span<const double> x, std::span<double> xdot) override {
      xdot[0] = x[1], xdot[1] = -10.0 * std::sin(x[0]);
      return Status::ok;
    }
  } system;
  IntegratorSettings settings;
  settings.rtol = settings.atol = 1e-8;
  const auto integrator = find_method("switching")->make(system, settings);
  std::vector<double> x{1.0, 0.0};
  for (int k = 0; k < 100; ++k) {
    integrator->start(0.001 * k, x);
    ASSERT_TRUE(run_to(*integrator, 0.001 * (k + 1))) << integrator->failure();
    x.assign(integrator->state().begin(), integrator->state().end());
  }
  EXPECT_EQ(integrator->statistics().jacobian_evaluations, 0);
}

TEST(GroupNorm, IsTheLargestOfTheGroupsOwnNorms) {
  const std::vector<int> groups{1, 0, 1, -1, 0};
  const std::vector<double> x{3.0, 1.0, 4.0, 1e9, 2.0};
  const std::vector<double> w{1.0, 2.0, 1.0, 1.0, 0.5};
  const GroupNorm norm(5, groups);
  // Group 0: sqrt((2^2 + 1^2)/2); group 1: sqrt((9 + 16)/2); the fourth does not count.
  EXPECT_DOUBLE_EQ(norm(x.data(), w.data()), std::sqrt(12.5));
  const GroupNorm plain(2, {});
  EXPECT_DOUBLE_EQ(plain(x.data(), w.data()), std::sqrt((9.0 + 4.0) / 2.0));
  const std::vector<double> broken{3.0, std::nan(""), 4.0, 0.0, 2.0};
  EXPECT_TRUE(std::isnan(norm(broken.data(), w.data())));
}

/// A ball that meets a stiff spring, with any number of groups at rest beside it.
class ImpactAmongResting : public System {
 public:
  explicit ImpactAmongResting(std::size_t resting) : size_(2 + 2 * resting), groups_(size_) {
    for (std::size_t i = 0; i < size_; ++i) groups_[i] = static_cast<int>(i / 2);
  }
  std::size_t size() const override { return size_; }
  Status rhs(double, std::span<const double> x, std::span<double> xdot) override {
    xdot[0] = x[1];
    xdot[1] = -1e6 * x[0];  // in contact all the time: half a period of 1000 rad/s
    for (std::size_t i = 2; i < size_; ++i) xdot[i] = 0.0;
    return Status::ok;
  }
  std::span<const int> groups() const override { return groups_; }
  void error_weights(std::span<const double>, double rtol, double,
                     std::span<double> w) const override {
    // Positions against the greatest depth of 1e-3 m, velocities against 1 m/s.
    for (std::size_t i = 0; i < size_; ++i) w[i] = (i % 2 == 0 ? 1e3 : 1.0) / rtol;
  }
  const SparsePattern* jacobian_pattern() const override {
    if (pattern_.empty()) {
      pattern_.start.push_back(0);
      for (int i = 0; i < static_cast<int>(size_); ++i) {
        pattern_.rows.push_back(i - i % 2);
        pattern_.rows.push_back(i - i % 2 + 1);
        pattern_.start.push_back(2 * i + 2);
      }
    }
    return &pattern_;
  }

 private:
  std::size_t size_;
  std::vector<int> groups_;
  mutable SparsePattern pattern_;
};

TEST(GroupNorm, AnImpactIsAsAccurateAmong999RestingBodiesAsAlone) {
  for (const Method* method : method_catalogue()) {
    if (!method->error_controlled) continue;
    double errors[2] = {};
    int k = 0;
    for (const std::size_t resting : {0, 999}) {
      ImpactAmongResting system(resting);
      IntegratorSettings settings;
      settings.rtol = 1e-6;
      const auto integrator = method->make(system, settings);
      std::vector<double> x(system.size());
      x[1] = -1.0;
      integrator->start(0.0, x);
      const double t_end = std::numbers::pi / 1000.0;
      ASSERT_TRUE(run_to(*integrator, t_end)) << method->name << integrator->failure();
      errors[k++] = std::abs(integrator->state()[1] - 1.0) + 1e3 * std::abs(integrator->state()[0]);
    }
    EXPECT_LT(errors[1], 2.0 * errors[0]) << method->name;
    EXPECT_GT(errors[1], 0.5 * errors[0]) << method->name;
  }
}

TEST(ColumnColouring, ColumnsOfOneColourShareNoRow) {
  std::mt19937 generator(7);
  for (int trial = 0; trial < 20; ++trial) {
    const int n = 40;
    std::uniform_int_distribution<int> row(0, n - 1);
    SparsePattern pattern;
    pattern.start.push_back(0);
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < 3; ++k) pattern.rows.push_back(row(generator));
      pattern.start.push_back(static_cast<int>(pattern.rows.size()));
    }
    const SparsePattern full = with_diagonal(pattern);
    const ColumnColouring colouring = colour_columns(full);
    std::size_t seen = 0;
    for (std::size_t c = 0; c < static_cast<std::size_t>(colouring.count()); ++c) {
      std::vector<int> owner(n, -1);
      for (int p = colouring.start[c]; p < colouring.start[c + 1]; ++p) {
        const int j = colouring.columns[static_cast<std::size_t>(p)];
        ++seen;
        for (int k = full.start[static_cast<std::size_t>(j)];
             k < full.start[static_cast<std::size_t>(j) + 1]; ++k) {
          int& slot = owner[static_cast<std::size_t>(full.rows[static_cast<std::size_t>(k)])];
          EXPECT_EQ(slot, -1) << "columns " << slot << " and " << j << " share a row";
          slot = j;
        }
      }
    }
    EXPECT_EQ(seen, static_cast<std::size_t>(n));
  }
}

TEST(DifferenceJacobian, AgreesWithTheDerivativeAlsoFarFromTheOrigin) {
  // f = sin of the offset from a point a kilometre away; sizes are 0.1 by the weights.
  class Far : public System {
   public:
    std::size_t size() const override { return 2; }
    Status rhs(double, std::span<const double> x, std::span<double> xdot) override {
      xdot[0] = std::sin(3.0 * (x[0] - 1000.0) + x[1]);
      xdot[1] = (x[0] - 1000.0) * x[1];
      return Status::ok;
    }
    void error_weights(std::span<const double>, double rtol, double,
                       std::span<double> w) const override {
      for (double& value : w) value = 10.0 / rtol;
    }
  } system;
  IntegratorStatistics statistics;
  CheckedRhs rhs(system, statistics);
  DifferenceJacobian jacobian(rhs, statistics, 1e-6, 1e-8);
  const std::vector<double> x{1000.2, 0.3};
  std::vector<double> f(2);
  std::vector<double> J(4);
  ASSERT_EQ(rhs(0.0, x, f), Status::ok);
  ASSERT_EQ(jacobian.evaluate(0.0, x, f, J), Status::ok);
  const double slope = std::cos(3.0 * 0.2 + 0.3);
  // Rounding of x is eps 1000, the increment sqrt(eps 1000 0.1): 1e-6 remains.
  EXPECT_NEAR(J[0], 3.0 * slope, 5e-6);
  EXPECT_NEAR(J[1], 0.3, 5e-6);
  EXPECT_NEAR(J[2], slope, 5e-6);
  EXPECT_NEAR(J[3], 0.2, 5e-6);
  EXPECT_EQ(statistics.rhs_evaluations, 3);
}

/// Uncoupled damped oscillators of different frequencies.
class ManyOscillators : public System {
 public:
  explicit ManyOscillators(std::size_t count) : count_(count), groups_(2 * count) {
    pattern_.start.push_back(0);
    for (std::size_t i = 0; i < 2 * count; ++i) {
      groups_[i] = static_cast<int>(i / 2);
      const int first = static_cast<int>(i - i % 2);
      pattern_.rows.push_back(first);
      pattern_.rows.push_back(first + 1);
      pattern_.start.push_back(static_cast<int>(2 * i + 2));
    }
  }
  std::size_t size() const override { return 2 * count_; }
  Status rhs(double, std::span<const double> x, std::span<double> xdot) override {
    for (std::size_t i = 0; i < count_; ++i) {
      const double w = frequency(i);
      xdot[2 * i] = x[2 * i + 1];
      xdot[2 * i + 1] = -w * w * x[2 * i];
    }
    return Status::ok;
  }
  double frequency(std::size_t i) const { return 1.0 + static_cast<double>(i % 7); }
  std::span<const int> groups() const override { return groups_; }
  const SparsePattern* jacobian_pattern() const override { return &pattern_; }

 private:
  std::size_t count_;
  std::vector<int> groups_;
  SparsePattern pattern_;
};

TEST(SparsePath, WorkOfTenThousandOscillatorsGrowsOnlyWithTheirNumber) {
  for (const char* name : {"cvode_bdf", "dirk5", "sdirk2"}) {
    IntegratorStatistics counts[2];
    int k = 0;
    for (const std::size_t count : {10, 10000}) {  // dense and sparse
      ManyOscillators system(count);
      IntegratorSettings settings;
      settings.rtol = 1e-6;
      settings.fixed_step = 5e-3;
      const auto integrator = find_method(name)->make(system, settings);
      std::vector<double> x(2 * count);
      for (std::size_t i = 0; i < count; ++i) x[2 * i] = 1.0;
      integrator->start(0.0, x);
      ASSERT_TRUE(run_to(*integrator, 0.2)) << name << integrator->failure();
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_NEAR(integrator->state()[2 * i], std::cos(0.2 * system.frequency(i)), 2e-3);
      }
      counts[k++] = integrator->statistics();
    }
    // Groups repeat, so norm, steps and Jacobians are the same: evaluations must not grow.
    EXPECT_NEAR(static_cast<double>(counts[1].steps), static_cast<double>(counts[0].steps),
                0.02 * static_cast<double>(counts[0].steps) + 1.0)
        << name;
    EXPECT_LT(static_cast<double>(counts[1].rhs_evaluations),
              1.05 * static_cast<double>(counts[0].rhs_evaluations) + 5.0)
        << name;
    EXPECT_GT(counts[1].jacobian_evaluations, 0) << name;
  }
}

}  // namespace
}  // namespace carom
