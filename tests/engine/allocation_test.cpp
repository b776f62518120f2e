// Evaluating the right-hand side allocates nothing, whatever the scene holds.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/engine/events/contact_events.h"
#include "carom/scene/read/read.h"
#include "support/allocation_counter.h"

namespace carom {
namespace {

const char* kRich = R"yaml(
carom: 1
bodies:
  crank: {mass: 1, com: [0.05, 0, 0], inertia: [0.01, 0.01, 0.01], joint: {revolute: {}, name: crank_pivot, q: 1.0, drive: {velocity: {sine: {amplitude: 3, frequency: 1}}, damping: 2, integral: 1}}}
  coupler: {mass: 1, com: [0.15, 0, 0], inertia: [0.01, 0.01, 0.01], joint: {revolute: {parent: crank, at: [0.1, 0, 0]}, name: crank_end, q: -0.414}}
  rocker: {mass: 1, com: [0.12, 0, 0], inertia: [0.01, 0.01, 0.01], joint: {revolute: {at: [0.3, 0, 0]}, name: rocker_pivot, q: 1.555, friction: {coulomb: 0.1, static: 0.2}, limits: {lower: 0, upper: 3, stiffness: 1e4, damping: 1}}}
  weight: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}
  wheel: {mass: 1, inertia: [0.1, 0.1, 0.1], joint: {revolute: {at: [0, 1, 0]}, name: axle, motion: {sine: {frequency: 2}}}}
  gear: {mass: 1, inertia: [0.1, 0.1, 0.1], joint: {revolute: {at: [0, 2, 0]}, name: shaft}}
  pinion: {mass: 1, inertia: [0.1, 0.1, 0.1], joint: {revolute: {at: [0, 3, 0]}, name: spindle}}
joints: {coupler_end: {revolute: {parent: coupler, child: rocker, at: [0.3, 0, 0], child_at: [0.25, 0, 0]}, loop: true}}
couplings: {mesh: {gear: {joints: [shaft, spindle], ratio: -2}}}
forces:
  mount: {bushing: {from: world, to: weight, stiffness: 100, damping: 1, rotational_stiffness: 10, laws: [null, "=5*x^3", null, null, null, null]}}
  line: {spring: {from: crank, to: weight, stiffness: 10, law: "=10*x + 0.1*v"}}
  push: {force: {body: weight, value: [0, "=sin(3*t) - 0.1*weight.velocity.y", 0]}}
signals: {wave: "=2*sin(t)", mixed: "=wave + crank_pivot.q"}
states: {total: {rate: "=mixed"}}
events: {high: {when: "weight.position.z - 0.1"}}
run: {until: 1}
)yaml";

// Every way to touch: point, line and face, with bristles and without.
const char* kTouching = R"yaml(
carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [2, 2, 0.1]}, at: [0, 0, -0.05]}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.0499999], velocity: [0.1, 0, 0]}
  box: {material: dry_wood, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0.3, 0, 0.0499999]}
  lid: {material: dry_wood, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0.32, 0.01, 0.1499998]}
  roll: {material: steel, shapes: [{cylinder: {radius: 0.05, length: 0.2}}], position: [-0.3, 0, 0.0499999], angular_velocity: [1, 0, 0]}
contact: {friction: lugre, pairs: [{between: [ball, table], friction: stribeck}]}
run: {until: 1}
)yaml";

// Triangle surfaces: flat and round, hollow, on a half space, on each other and on a sheet.
const char* kSurfaces = R"yaml(
carom: 1
materials: {soft: {density: 1250, youngs_modulus: 2.1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  cube: {material: soft, shapes: [{box: {size: [0.2, 0.2, 0.2]}}], position: [0, 0, 0.0995]}
  ball: {material: soft, shapes: [{sphere: {radius: 0.1}}], position: [0.01, 0.02, 0.298]}
  ring: {material: soft, shapes: [{torus: {radius: 0.1, tube_radius: 0.03}}], position: [0.5, 0, 0.0295]}
  pipe: {material: soft, shapes: [{pipe: {outer_radius: 0.06, inner_radius: 0.04, length: 0.1}, axis: z}], position: [-0.5, 0, 0.0495]}
contact: {method: triangles, friction: lugre, restitution: 0.3}
run: {until: 1}
)yaml";

/// The bodies are moved a little from one evaluation to the next, so that everything is found anew.
void expect_no_allocation_in_motion(const char* scene, std::size_t contacts) {
  Diagnostics diagnostics;
  const auto model = compile(read_scene_text(scene), diagnostics);
  ASSERT_TRUE(model);
  Workspace w(model);
  std::vector<double> x = model->initial;
  initialise_modes(w, 0.0, x);
  ASSERT_EQ(w.contacts.touching.size(), contacts);
  x.resize(state_size(w), 0.0);
  const std::vector<double> start = x;
  std::vector<double> rates(x.size()), g(event_count(w));
  const auto evaluate_moved = [&](int i) {
    for (std::size_t k = 0; k < model->nq(); ++k) {
      x[k] = start[k] + 2e-4 * std::sin(0.1 * i + static_cast<double>(k));
    }
    calc_rates(w, 1e-3 * i, x, rates);
    event_functions(w, 1e-3 * i, x, g);
  };
  for (int i = 0; i < 1000; ++i) evaluate_moved(i);  // buffers grow to what this motion takes
  const auto before = testing::allocation_count();
  for (int i = 0; i < 1000; ++i) evaluate_moved(i);
  EXPECT_EQ(testing::allocation_count() - before, 0);
}

void expect_no_allocation(const char* scene, std::size_t contacts) {
  Diagnostics diagnostics;
  const auto model = compile(read_scene_text(scene), diagnostics);
  ASSERT_TRUE(model);
  Workspace w(model);
  std::vector<double> x = model->initial;
  initialise_modes(w, 0.0, x);
  ASSERT_EQ(w.contacts.touching.size(), contacts);
  x.resize(state_size(w), 0.0);
  std::vector<double> rates(x.size()), g(event_count(w));
  ASSERT_EQ(calc_rates(w, 0.0, x, rates), Status::ok);
  const auto before = testing::allocation_count();
  for (int i = 0; i < 1000; ++i) {
    calc_rates(w, 1e-3 * i, x, rates);
    event_functions(w, 1e-3 * i, x, g);
  }
  EXPECT_EQ(testing::allocation_count() - before, 0);
}

TEST(RightHandSide, AllocatesNothing) {
  if (!testing::can_count_allocations()) GTEST_SKIP() << "another allocator is in the way";
  expect_no_allocation(kRich, 0);
}

TEST(RightHandSide, AllocatesNothingInContact) {
  if (!testing::can_count_allocations()) GTEST_SKIP() << "another allocator is in the way";
  expect_no_allocation(kTouching, 4);
}

TEST(RightHandSide, AllocatesNothingBetweenTriangleSurfaces) {
  if (!testing::can_count_allocations()) GTEST_SKIP() << "another allocator is in the way";
  expect_no_allocation_in_motion(kSurfaces, 4);
}

}  // namespace
}  // namespace carom
