// Rows that push elsewhere than they measure: a ball that slides at the limit of friction.
#include "carom/engine/velocity_rows.h"

#include <gtest/gtest.h>

#include "carom/engine/events.h"
#include "carom/scene/read.h"

namespace carom {
namespace {

constexpr double kMu = 0.3, kRadius = 0.05, kMass = 0.4, kInertia = 4e-4, kStep = 1e-3;

std::string sliding_ball() {
  return R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball:
    material: steel
    mass: 0.4
    inertia: [4e-4, 4e-4, 4e-4]
    shapes: [{sphere: {radius: 0.05}}]
    position: [0, 0, 0.05]
    velocity: [2, 0, 0]
run: {until: 1}
)yaml";
}

// One row: no velocity along the normal, and an impulse along n - mu d with d the direction of
// slip. In closed form p = m g h, the ball loses mu g h of its speed and gains mu m g h r / I of
// spin.
TEST(VelocityRows, OfASlidingBallPushAlongNormalAndSlip) {
  Diagnostics diagnostics;
  const auto model = compile(read_scene_text(sliding_ball()), diagnostics);
  ASSERT_TRUE(model);
  Workspace w(model);
  std::vector<double> x = model->initial;
  initialise_modes(w, 0.0, x);
  RowBuffer buffer;
  ASSERT_EQ(assemble_velocity_problem(w, 0.0, x, kStep, buffer), Status::ok);
  ASSERT_FALSE(buffer.problem.has_pushes);  // elastic contacts measure where they push
  ASSERT_FALSE(w.modes.contacts.pairs.empty());
  const ContactPair pair = w.modes.contacts.pairs.front();
  buffer.problem.rows.clear(), buffer.problem.contacts.clear();
  const Vec3 n{0, 0, 1}, slip{1, 0, 0}, p{0, 0, 0};
  buffer.add(w, pair, {0, 0.01, 0}, n, {}, {});  // another, so that rows are copied
  buffer.add(w, pair, p, n, {}, {}, n - kMu * slip);
  const VelocityProblem& problem = buffer.problem;
  ASSERT_EQ(problem.rows.count(), 6u);
  ASSERT_EQ(problem.force_rows().count(), 6u);
  std::vector<double> push(model->nv(), 0.0), gained(model->nv(), 0.0);
  problem.force_rows().add_transposed(3, 1.0, push);
  inverse_mass_times(w, push, gained);
  const double impulse = -problem.rows.product(3, problem.free) / problem.rows.product(3, gained);
  EXPECT_NEAR(impulse, kMass * 9.81 * kStep, 1e-12);
  EXPECT_NEAR(problem.free[3] + impulse * gained[3], 2.0 - kMu * 9.81 * kStep, 1e-12);
  EXPECT_NEAR(impulse * gained[1], kMu * kMass * 9.81 * kStep * kRadius / kInertia, 1e-10);
  EXPECT_NEAR(problem.free[5] + impulse * gained[5], 0.0, 1e-12);
  // The first contact pushes where it measures.
  for (std::size_t row = 0; row < 3; ++row) {
    std::vector<double> j(model->nv(), 0.0), f(model->nv(), 0.0);
    problem.rows.add_transposed(row, 1.0, j);
    problem.force_rows().add_transposed(row, 1.0, f);
    EXPECT_EQ(j, f);
  }
}

}  // namespace
}  // namespace carom
