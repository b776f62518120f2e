// Elastic and rigid contacts in one scene: what is stiff in one must not hold up the other.
#include "rigid_scenes.h"

namespace carom {
namespace {

using testing::run_text;

/// Soft eggs roll on steel waves while rigid ones land and lift off. BDF, which the soft ones ask
/// for, begins every step after an event at order 1, and a body that lifts off by the cube of the
/// time was led back into the waves: one event after the other, 20,000 of them in 8 µs.
TEST(MixedMethods, RigidBodiesLiftOffWhileBdfIsInUse) {
  const RunResult result = run_text(R"yaml(
carom: 1
bodies:
  ground: {fixed: true, material: steel, shapes: [{graph: {z: "0.0126*cos(24.91*x)*cos(23.35*y)", x: [-0.5, 0.5], y: [-0.5, 0.5]}}]}
  soft_1: {material: rubber, shapes: [{ellipsoid: {radii: [0.03687, 0.03937, 0.02705]}}], position: [0.0043, 0.0143, 0.074],
           rotation: [1.424, 1.054, 2.556], velocity: [-0.862, -0.347, -0.327]}
  hard_1: {material: aluminium, shapes: [{ellipsoid: {radii: [0.03448, 0.05258, 0.05103]}}], position: [-0.0442, -0.0079, 0.1724],
           rotation: [-1.148, 0.246, 0.853], velocity: [0.453, -0.642, 0.407], angular_velocity: [-19.74, 21.87, 25.77]}
  soft_2: {material: rubber, shapes: [{ellipsoid: {radii: [0.06515, 0.04321, 0.04001]}}], position: [0.0351, 0.0484, 0.3156],
           rotation: [2.969, 0.014, -2.414], velocity: [0.486, -0.712, 0.622], angular_velocity: [1.39, -16.8, -7.68]}
  hard_2: {material: rubber, shapes: [{ellipsoid: {radii: [0.03858, 0.02884, 0.03906]}}], position: [0.0307, -0.0023, 0.4482],
           rotation: [2.726, -2.523, -1.841], velocity: [0.709, 1.0, -0.25], angular_velocity: [7.97, 17.44, -27.97]}
  hard_3: {material: aluminium, shapes: [{ellipsoid: {radii: [0.02634, 0.02955, 0.0242]}}], position: [0.0138, 0.0129, 0.5318],
           velocity: [-0.152, -0.883, -0.051], angular_velocity: [-7.09, 11.48, -1.89]}
contact:
  restitution: 0
  mu_k: 0.6
  mu_r: 0
  groups: {hard: [hard_1, hard_2, hard_3]}
  pairs:
    - {between: [ground, hard], method: rigid}
run: {until: 0.4, tolerance: 1e-6, output: {step: 0.01}}
)yaml");
  EXPECT_EQ(result.reason, "");
  EXPECT_EQ(result.verdict.grade(), Grade::sound);
  EXPECT_LT(result.statistics.counts.rhs_evaluations, 30000);
}

}  // namespace
}  // namespace carom
