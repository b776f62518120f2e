// The structure of the Jacobian, against entries found by moving every state by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/engine/evaluate.h"
#include "carom/engine/part_states.h"
#include "carom/engine/stepper.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/scene_system.h"

namespace carom {
namespace {

/// Boxes side by side on the floor, a little into each other; the last two are joined by a spring.
std::string leaning_row_of_boxes(int count) {
  std::string text =
      "carom: 1\nbodies:\n  floor: {fixed: true, material: steel, shapes: ["
      "{half_space: {}}]}\n";
  for (int i = 0; i < count; ++i) {
    text += "  b" + std::to_string(i) + ": {material: steel, shapes: [{box: {size: [0.1, 0.1, " +
            "0.1]}}], position: [" + std::to_string(0.09999 * i) +
            ", 0, 0.049995], velocity: [0.01, 0.02, -0.01], angular_velocity: [0.1, 0.2, 0.3]}\n";
  }
  return text +
         "forces:\n  tie: {spring: {from: b0, to: b1, stiffness: 100, length: 0.05}}\n"
         "contact: {friction: lugre}\nrun: {until: 1}\n";
}

struct BoxesAtStart {
  std::shared_ptr<const Model> model;
  std::unique_ptr<Workspace> w;
  std::vector<double> x;
};

BoxesAtStart boxes_at_start(const std::string& text) {
  Diagnostics diagnostics;
  BoxesAtStart s;
  s.model = compile(read_scene_text(text), diagnostics);
  if (!s.model) throw InputError(std::move(diagnostics));
  s.w = std::make_unique<Workspace>(s.model);
  s.x = s.model->initial;
  Stepper(*s.w).start(0.0, s.x);
  return s;
}

bool pattern_has_entry(const SparsePattern& p, std::size_t row, std::size_t column) {
  return std::ranges::binary_search(p.rows.begin() + p.start[column],
                                    p.rows.begin() + p.start[column + 1], static_cast<int>(row));
}

/// Every entry of the Jacobian that moving a state shows is in the pattern; how many were seen.
int count_seen_entries(const std::string& text) {
  BoxesAtStart s = boxes_at_start(text);
  SceneSystem system(*s.w);
  const SparsePattern& pattern = *system.jacobian_pattern();
  const std::size_t n = s.x.size();
  EXPECT_EQ(pattern.start.size(), n + 1);
  std::vector<double> f(n), moved_f(n), moved = s.x;
  EXPECT_EQ(calc_rates(*s.w, 0.0, s.x, f), Status::ok);
  const PartStates states = calc_part_states(*s.w);
  int found = 0;
  for (std::size_t j = 0; j < n; ++j) {
    moved[j] += 1e-9;
    EXPECT_EQ(calc_rates(*s.w, 0.0, moved, moved_f), Status::ok);
    moved[j] = s.x[j];
    for (std::size_t i = 0; i < n; ++i) {
      // The guard (contact_forces.cpp) reads an integral, which Newton's iteration may leave out.
      const bool follows = j >= s.model->size() && states.follows[j - s.model->size()] != 0;
      if (moved_f[i] == f[i] || follows) continue;
      ++found;
      EXPECT_TRUE(i == j || pattern_has_entry(pattern, i, j)) << "row " << i << ", column " << j;
    }
  }
  return found;
}

TEST(ScenePattern, HasEveryEntryThatMovingAStateShows) {
  EXPECT_GT(count_seen_entries(leaning_row_of_boxes(6)), 1000);
}

/// The sum of a drive's deviations moves its own joint, and no other.
TEST(ScenePattern, KnowsWhichJointTheStateOfADriveBelongsTo) {
  const std::string text = R"(
carom: 1
bodies:
  first: {mass: 1, inertia: [0.1, 0.1, 0.1], joint: {revolute: {axis: y}, q: 0.3, v: 1, drive: {position: 0.5, stiffness: 20, damping: 1, integral: 5}}}
  second: {mass: 1, inertia: [0.1, 0.1, 0.1], joint: {revolute: {axis: y}, q: 0.2, v: 2, drive: {position: 0.1, stiffness: 30, damping: 2, integral: 7}}}
run: {until: 1}
)";
  EXPECT_GE(count_seen_entries(text), 10);
}

/// A third body does not feel at once what two others do: entries grow with the bodies, not with
/// their square.
TEST(ScenePattern, GrowsWithTheNumberOfBodiesInARow) {
  const auto entries = [](int count) {
    BoxesAtStart s = boxes_at_start(leaning_row_of_boxes(count));
    SceneSystem system(*s.w);
    return static_cast<double>(system.jacobian_pattern()->rows.size());
  };
  const double few = entries(10), many = entries(20);
  EXPECT_LT(many, 2.2 * few);
}

}  // namespace
}  // namespace carom
