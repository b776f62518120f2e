// Same scene, same bits; the place of the origin does not matter.
#include "scene_runs.h"

namespace carom {
namespace {

using testing::body;
using testing::run_text;

std::string thrown(double x, double y) {
  return "carom: 1\nvalues: {x: " + std::to_string(x) + ", y: " + std::to_string(y) + R"yaml(}
bodies:
  hub: {mass: 3, inertia: [0.2, 0.3, 0.4], position: [$x, $y, 0], velocity: [1, 0, 2], angular_velocity: [1, 2, 3]}
  arm: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02], joint: {universal: {parent: hub, at: [0.3, 0, 0]}, name: wrist, damping: 0.1, spring: {stiffness: 5}}}
forces: {tie: {spring: {from: {body: world, at: [$x, $y, 1]}, to: hub, stiffness: 20, damping: 0.2, length: 0.5}}}
run: {until: 5, tolerance: 1e-9}
)yaml";
}

TEST(Determinism, TwoRunsOfASceneAgreeToTheLastBit) {
  for (const char* method : {"erk8", "cvode_bdf", "dirk5", "rk4"}) {
    const std::vector<std::string> overrides{std::string("run.integrator=") + method,
                                             "run.step=1e-3"};
    const RunResult a = run_text(thrown(0, 0), overrides), b = run_text(thrown(0, 0), overrides);
    EXPECT_EQ(body(a, "hub").position, body(b, "hub").position) << method;
    EXPECT_EQ(body(a, "arm").angular_velocity, body(b, "arm").angular_velocity) << method;
    EXPECT_EQ(a.statistics.counts.rhs_evaluations, b.statistics.counts.rhs_evaluations) << method;
  }
}

TEST(Determinism, AKilometreFromTheOriginTheMotionIsTheSame) {
  const RunResult near = run_text(thrown(0, 0)), far = run_text(thrown(1000, -1000));
  const Vec3 moved = body(far, "hub").position - Vec3{1000, -1000, 0};
  // Rounding of coordinates is 1e-13 there; the tolerance is 1e-9 of bodies of about 0.5 m.
  EXPECT_LE(norm(moved - body(near, "hub").position), 1e-8);
  EXPECT_LE(norm(body(far, "arm").velocity - body(near, "arm").velocity), 1e-7);
}

}  // namespace
}  // namespace carom
