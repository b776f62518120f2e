// Singular positions of loops: change points, where two motions meet, and dead centres,
// where a coordinate stands still.
#include <algorithm>
#include <numbers>

#include "loop_watch.h"

namespace carom {
namespace {

using testing::four_bar_gap;
using testing::joint;
using testing::run_text;
using testing::watch;

/// Tighter tolerances pass in shorter steps, with more of them near the singularity.
class SingularLoop : public ::testing::TestWithParam<const char*> {
 protected:
  double tolerance() const { return std::stod(GetParam()); }
  std::string setting() const { return std::string("run.tolerance=") + GetParam(); }
  /// N11: 100 rtol of what was turned over, per 10 s.
  double ledger(double seconds) const { return 100 * tolerance() * seconds / 10; }
};

INSTANTIATE_TEST_SUITE_P(Tolerances, SingularLoop, ::testing::Values("1e-6", "1e-8", "1e-10"));

// A parallelogram in line with its base may go on as a parallelogram or fold into an
// antiparallelogram. By its momentum it goes on, at a constant speed, so that its end is
// known: 1 + 3 * 100 rad.
TEST_P(SingularLoop, ParallelogramPassesItsChangePoints) {
  double gap = 0.0, end = 0.0;
  const RunResult r =
      watch(testing::kFourBar, {"crank_pivot", "crank_end", "rocker_pivot"},
            [&](std::span<const double> q) {
              gap = std::max(gap, four_bar_gap(0.1, 0.3, 0.1, 0.3, q[0], q[1], q[2]));
              end = q[0];
            },
            {"values.c=0.1", "joints.crank_end.q=-1", "joints.rocker_pivot.q=1", "run.until=100",
             setting()});
  EXPECT_NEAR(end, 301.0, ledger(100));
  EXPECT_LE(gap, 1e-9);
  EXPECT_LE(r.statistics.constraint_error, 1e-9);
  EXPECT_LE(r.largest_residual, ledger(100) * r.energy_scale);
}

/// Time that the slider-crank of equal lengths 0.3 m takes from 0.5 rad at 4 rad/s to `end`.
/// Crank and rod are mirror images, so it has one coordinate with the inertia I(angle), and
/// its energy I w²/2 is kept: the time is the integral of sqrt(I / I(0.5)) / 4 (Simpson).
double equal_slider_crank_time(double end) {
  const auto inertia = [](double a) {
    const double s2 = std::sin(a) * std::sin(a), c2 = 1.0 - s2;
    const double rod = 2e-3 + 0.3 * (0.45 * 0.45 * s2 + 0.15 * 0.15 * c2);
    return 1e-3 + rod + 0.6 * 0.6 * s2;
  };
  const double start = 0.5;
  const int n = 40000;
  const double h = (end - start) / n;
  double sum = 0.0;
  for (int i = 0; i <= n; ++i) {
    const double weight = i == 0 || i == n ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
    sum += weight * std::sqrt(inertia(start + h * i) / inertia(start));
  }
  return sum * h / 3.0 / 4.0;
}

// Crank and rod of equal lengths lie on each other at a right angle: there the slider may
// stay, or go on, and by its momentum it goes on.
TEST_P(SingularLoop, SliderCrankOfEqualLengthsPassesItsChangePoints) {
  const RunResult r =
      run_text(testing::kSliderCrank,
               {"bodies.rod.joint.revolute.at=[0.3, 0, 0]", "joints.shaft.q=0.5",
                "joints.big_end.q=-1", "joints.guide.q=0.5", "run.until=50", setting()});
  const double turned = joint(r, "shaft").q[0];
  EXPECT_NEAR(equal_slider_crank_time(turned), 50.0, ledger(50));
  EXPECT_NEAR(joint(r, "big_end").q[0], -2 * turned, 1e-9);
  EXPECT_NEAR(joint(r, "guide").q[0], 0.6 * std::cos(turned), 1e-9);
  EXPECT_LE(r.statistics.constraint_error, 1e-9);
  EXPECT_LE(r.largest_residual, ledger(50) * r.energy_scale);
}

TEST_P(SingularLoop, SliderCrankStartsFromAndPassesItsDeadCentres) {
  double most = 0.0, least = 1.0;
  const RunResult r =
      watch(testing::kSliderCrank, {"guide"},
            [&](std::span<const double> q) {
              most = std::max(most, q[0]);
              least = std::min(least, q[0]);
            },
            {"joints.shaft.q=0", "joints.big_end.q=0", "joints.big_end.v=-5.333333333333333",
             "joints.guide.q=0.4", "run.until=20", setting()});
  // Samples every 4 ms at 4 rad/s see the dead centres to 0.1 (0.008)² of the stroke.
  EXPECT_NEAR(most, 0.4, 1e-5);
  EXPECT_NEAR(least, 0.2, 1e-5);
  EXPECT_LE(r.statistics.constraint_error, 1e-9);
  EXPECT_LE(r.largest_residual, ledger(20) * r.energy_scale);
}

/// kSliderCrank at rest in its dead centre, its slider held by friction.
std::vector<std::string> at_dead_centre(const std::string& drive, const std::string& tolerance) {
  return {"joints.shaft.q=0",
          "joints.shaft.v=0",
          "joints.big_end.q=0",
          "joints.guide.q=0.4",
          "joints.guide.friction={coulomb: 0.5, static: 0.8}",
          "joints.shaft.drive={velocity: " + drive + ", damping: 5}",
          "run.until=5",
          tolerance};
}

/// How far the slider has gone when the crank has turned from 0 to `angle`.
double slider_path(double angle) {
  const auto place = [](double a) {
    return 0.1 * std::cos(a) + std::sqrt(0.09 - std::pow(0.1 * std::sin(a), 2));
  };
  const double strokes = std::floor(angle / std::numbers::pi);
  return 0.2 * strokes + std::abs(place(angle) - place(strokes * std::numbers::pi));
}

// At its dead centre the lever of the crank is infinitely long: any torque moves the slider,
// whatever its stiction, and friction takes 0.5 N times the path, always against the motion.
// One drive acts at once, the other begins at zero with zero slope.
TEST_P(SingularLoop, CrankTakesAStickingSliderOutOfItsDeadCentre) {
  for (const char* drive : {"4", "\"=4*t\""}) {
    const RunResult r = run_text(testing::kSliderCrank, at_dead_centre(drive, setting()));
    const double turned = joint(r, "shaft").q[0];
    EXPECT_GE(turned, 6 * std::numbers::pi) << drive;
    EXPECT_NEAR(r.energy.dissipated_friction, 0.5 * slider_path(turned), ledger(5) * r.energy_scale)
        << drive;
    EXPECT_LE(r.statistics.constraint_error, 1e-9) << drive;
    EXPECT_LE(r.largest_residual, ledger(5) * r.energy_scale) << drive;
    EXPECT_LE(r.statistics.events, 50u) << drive;  // a stick and a slip at each dead centre
  }
}

}  // namespace
}  // namespace carom
