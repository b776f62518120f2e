// The torque-free asymmetric top against its solution in elliptic functions.
#include "free_top_solution.h"
#include "scene_runs.h"

namespace carom {
namespace {

using testing::FreeTopSolution;
using testing::jacobi_elliptic;

std::string free_top(const Vec3& w, double until) {
  const auto text = [](double x) { return std::to_string(x); };
  return "carom: 1\ngravity: off\nbodies: {top: {mass: 1, inertia: [1, 2, 3], angular_velocity: [" +
         text(w.x) + ", " + text(w.y) + ", " + text(w.z) + "]}}\nrun: {until: " + text(until) +
         ", tolerance: 1e-14, max_step: 0.02}\n";
}

TEST(EllipticFunctions, SatisfyTheirIdentities) {
  for (const long double m : {0.0L, 0.3L, 0.9L, 0.999L}) {
    const long double K = testing::quarter_period(m);
    EXPECT_NEAR(static_cast<double>(testing::incomplete_first_kind(0.5L * M_PIl, m) - K), 0.0,
                1e-14);
    const testing::JacobiElliptic half = jacobi_elliptic(0.5L * K, m);
    // sn²(K/2) = 1/(1 + k'), k' = sqrt(1 - m).
    EXPECT_NEAR(static_cast<double>(half.sn * half.sn * (1.0L + std::sqrt(1.0L - m))), 1.0, 1e-15);
    EXPECT_NEAR(static_cast<double>(jacobi_elliptic(K, m).cn), 0.0, 1e-15);
    // sn' = cn dn, by central differences of step h: error h²/6 of the third derivative.
    const long double h = 1e-5L, u = 0.7L;
    const long double slope =
        (jacobi_elliptic(u + h, m).sn - jacobi_elliptic(u - h, m).sn) / (2.0L * h);
    const testing::JacobiElliptic e = jacobi_elliptic(u, m);
    EXPECT_NEAR(static_cast<double>(slope - e.cn * e.dn), 0.0, 1e-10);
  }
}

// The solution itself is checked by what it must conserve and by its derivative.
TEST(FreeTopSolution, TurnsAsItsAngularVelocitySaysAndKeepsTheAngularMomentum) {
  for (const Vec3 w0 :
       {Vec3{0.5, 3, 0.2}, Vec3{-0.5, 3, 0.2}, Vec3{0.1, 1, -2}, Vec3{2, -1, 0.1}}) {
    const FreeTopSolution top({1, 2, 3}, w0);
    EXPECT_LE(norm(top.angular_velocity(0.0) - w0), 1e-14);
    const Vec3 L{w0.x, 2 * w0.y, 3 * w0.z};
    for (const double t : {0.4, 3.0, 47.0}) {
      const Vec3 w = top.angular_velocity(t);
      const Mat3 R = top.attitude(t);
      EXPECT_LE(norm(R * Vec3{w.x, 2 * w.y, 3 * w.z} - L), 1e-13 * norm(L)) << t;
      const double h = 1e-4;  // central difference: truncation h² |w|³/6, about 3e-8
      const Vec3 turn = quat_log(to_quat(transpose(R) * top.attitude(t + h))) -
                        quat_log(to_quat(transpose(R) * top.attitude(t - h)));
      EXPECT_LE(norm(turn / (2 * h) - w), 1e-7 * (1 + norm(w))) << t;
    }
  }
}

class FreeTop : public ::testing::TestWithParam<Vec3> {};

// About the axis of least inertia, of greatest inertia, and near the separatrix.
INSTANTIATE_TEST_SUITE_P(AboutAllAxes, FreeTop,
                         ::testing::Values(Vec3{0.5, 3, 0.2}, Vec3{0.1, 1, 2}, Vec3{-2, 1, 0.1}));

// 1e-10 rad after some fifty turns. Near the separatrix (the first case, parameter
// m = 0.986) the period depends steeply on the energy: an error of 1e-15 per step comes
// out as 1e-10 in the end, so steps are kept short enough for rounding to lead.
TEST_P(FreeTop, KeepsTheAttitudeOfTheEllipticSolutionFor100Seconds) {
  const FreeTopSolution solution({1, 2, 3}, GetParam());
  const RunResult r = testing::run_text(free_top(GetParam(), 100.0));
  const BodyState& top = testing::body(r, "top");
  const Mat3 R = to_matrix(top.orientation);
  EXPECT_LE(testing::turn_between(top.orientation, solution.attitude(100.0)), 1e-10);
  EXPECT_LE(norm(transpose_times(R, top.angular_velocity) - solution.angular_velocity(100.0)),
            1e-10);
}

}  // namespace
}  // namespace carom
