// Scenes far from the origin: the plane under a body sees no more rounding there.
#include <cmath>

#include "scene_runs.h"

namespace carom {
namespace {

using testing::run_text;

/// A ball whose centre of mass is off its centre rolls over steel, frictionless.
std::string rolling_ball(double x) {
  return R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball:
    mass: 1.7886989585853672
    com: [0.0016205866152546561, 0.010426346565001483, 0.00032223741749322647]
    inertia: [0.00033886059127854112, 0.00033886059127854112, 0.00033886059127854112]
    material: steel
    shapes: [{sphere: {radius: 0.021762656609181606}, mass: off}]
    orientation: [0.98510135748687011, -0.081305774001303302, 0.15154103929818705, 0]
    velocity: [-0.57735215162636244, 0.55677981547204713, 0]
    angular_velocity: [-5.6559954384537683, -13.44096270885753, -3.8371839777571033]
    position: [)yaml" +
         std::to_string(x) + R"yaml(, 0, 0.02176279]
contact: {restitution: 0.99277667420215199, resistance: none, friction: none}
run: {until: 0.08, tolerance: 1.5e-9, integrator: cvode_bdf}
)yaml";
}

// At a kilometre 256 units in the last place of x are 3e-11 m, a third of the depth at rest. The
// height has its own.
TEST(FarAway, ABallThatRollsOverAPlaneKeepsItsEnergy) {
  for (const double x : {0.0, 1000.0, 10000.0}) {
    const RunResult r = run_text(rolling_ball(x));
    ASSERT_EQ(r.status, RunStatus::completed);
    EXPECT_LT(r.largest_residual, 100.0 * 1.5e-9 * r.energy_scale) << x;
  }
}

}  // namespace
}  // namespace carom
