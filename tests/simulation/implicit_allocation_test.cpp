// Implicit contact steps allocate nothing once contacts are steady: a loop at a given rate must not
// wait for the allocator.
#include <gtest/gtest.h>

#include "contact_runs.h"
#include "support/allocation_counter.h"

namespace carom {
namespace {

using namespace testing;

// Point, line and face, a stack, bristles and none.
const std::string kAtRest = R"(
carom: 1
name: at rest
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [2, 2, 0.1]}, at: [0, 0, -0.05]}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.05], velocity: [0.1, 0, 0]}
  box: {material: dry_wood, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0.3, 0, 0.05]}
  lid: {material: dry_wood, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0.32, 0.01, 0.15]}
  roll: {material: steel, shapes: [{cylinder: {radius: 0.05, length: 0.2}}], position: [-0.3, 0, 0.05], angular_velocity: [1, 0, 0]}
contact: {friction: lugre, pairs: [{between: [ball, table], friction: stribeck}]}
run: {until: 2, integrator: implicit_contact, step: 1e-3}
)";

// Two driven fingers hold a block; an input changes in every step.
const std::string kHeld = R"(
carom: 1
name: held
bodies:
  cube: {mass: 1, inertia: [1.7e-3, 1.7e-3, 1.7e-3], material: steel, shapes: [{box: {size: 0.1}}]}
  left: {mass: 1, material: steel, shapes: [{box: {size: [0.02, 0.2, 0.2]}}],
         joint: {prismatic: {axis: x, at: [-0.06, 0, 0]}, damping: 5, drive: {force: grip}}}
  right: {mass: 1, material: steel, shapes: [{box: {size: [0.02, 0.2, 0.2]}}],
          joint: {prismatic: {axis: x, at: [0.06, 0, 0]}, damping: 5, drive: {force: "=-grip"}}}
signals: {grip: 50}
contact: {law: exact, restitution: 0.3, friction: lugre, mu_k: 0.5, resistance: none}
run: {until: 2, integrator: implicit_contact, step: 1e-3}
)";

// Triangle surfaces: flat, round and hollow, at rest, spinning and on each other.
const std::string kMeshes = R"(
carom: 1
name: meshes
materials: {soft: {density: 1250, youngs_modulus: 2.1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  cube: {material: soft, shapes: [{box: {size: [0.2, 0.2, 0.2]}}], position: [0, 0, 0.0995]}
  ball: {material: soft, shapes: [{sphere: {radius: 0.1}}], position: [0.01, 0.02, 0.298]}
  ring: {material: soft, shapes: [{torus: {radius: 0.1, tube_radius: 0.03}}], position: [0.5, 0, 0.0295], angular_velocity: [0, 0, 3]}
  pipe: {material: soft, shapes: [{pipe: {outer_radius: 0.06, inner_radius: 0.04, length: 0.1}, axis: z}], position: [-0.5, 0, 0.0495]}
contact: {method: triangles, segments: 24, friction: lugre, restitution: 0.3}
run: {until: 2, integrator: implicit_contact, step: 1e-3}
)";

long allocations_when_steady(const std::string& text) {
  Simulation simulation(model_of(text));
  int k = 0;
  const auto go = [&](int steps) {
    for (const int end = k + steps; k < end;) {
      EXPECT_EQ(simulation.advance(1e-3 * ++k), AdvanceStatus::reached) << simulation.failure();
    }
  };
  go(text == kAtRest || text == kHeld ? 500 : 1000);
  const long before = allocation_count();
  go(200);
  return allocation_count() - before;
}

TEST(ImplicitStep, AllocatesNothingOnceContactsAreSteady) {
  if (!can_count_allocations()) GTEST_SKIP() << "another allocator is in the way";
  EXPECT_EQ(allocations_when_steady(kAtRest), 0);
  EXPECT_EQ(allocations_when_steady(kHeld), 0);
}

TEST(ImplicitStep, AllocatesNothingBesideWhatIsFrozen) {
  if (!can_count_allocations()) GTEST_SKIP() << "another allocator is in the way";
  // All but the ball, which rolls on, are frozen after half a second; at last all.
  std::string text = kAtRest;
  text.insert(text.rfind("}"), ", freeze: 1e-4");
  Simulation simulation(model_of(text));
  for (int k = 1; k <= 800; ++k) {
    ASSERT_EQ(simulation.advance(1e-3 * k), AdvanceStatus::reached) << simulation.failure();
  }
  const int frozen = simulation.statistics().frozen.bodies;
  EXPECT_GE(frozen, 2);
  const long before = allocation_count();
  for (int k = 801; k <= 1000; ++k) simulation.advance(1e-3 * k);
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_EQ(simulation.statistics().frozen.bodies, frozen);
}

TEST(TriangleStep, AllocatesNothingAfterTheFirstSecond) {
  if (!can_count_allocations()) GTEST_SKIP() << "another allocator is in the way";
  EXPECT_EQ(allocations_when_steady(kMeshes), 0) << "implicit_contact";
  const std::string explicit_steps =
      std::string(kMeshes).replace(kMeshes.find("integrator"), 40, "integrator: rk4, step: 1e-3");
  EXPECT_EQ(allocations_when_steady(explicit_steps), 0) << "rk4";
  for (const char* choice : {"detection: step", "depth: memory"}) {
    std::string text = explicit_steps;
    text.insert(text.find("friction: lugre"), std::string("triangles: {") + choice + "}, ");
    text.replace(text.find("segments: 24"), 12, "segments: 10");  // a memory looks through all
    EXPECT_EQ(allocations_when_steady(text), 0) << choice;
  }
}

}  // namespace
}  // namespace carom
