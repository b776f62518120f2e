// What the Stepper does around a step, call by call.
#include "carom/engine/stepper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/engine/events/contact_events.h"
#include "carom/scene/read/read.h"

namespace carom {
namespace {

struct Started {
  explicit Started(const std::string& text, const ReadOptions& options = {}) {
    Diagnostics diagnostics;
    model = compile(read_scene_text("carom: 1\n" + text + "run: {until: 1}\n", "scene", options),
                    diagnostics);
    w = std::make_unique<Workspace>(model);
    x = model->initial;
    Stepper(*w).start(0.0, x);
  }
  std::vector<double> functions() {
    std::vector<double> g(event_count(*w));
    event_functions(*w, 0.0, x, g);
    return g;
  }
  ContactPair& pair() { return w->modes.contacts.pairs.at(0); }
  std::shared_ptr<const Model> model;
  std::unique_ptr<Workspace> w;
  std::vector<double> x;
};

/// Two balls that meet at 2 m/s, `gap` apart.
std::string balls(double gap) {
  return "gravity: off\nbodies:\n"
         "  a: {material: steel, shapes: [{sphere: {radius: 0.05}}]}\n"
         "  b: {material: steel, shapes: [{sphere: {radius: 0.05}}], velocity: [-2, 0, 0], "
         "position: [" +
         std::to_string(0.1 + gap) + ", 0, 0]}\n";
}

TEST(StepKinds, SayHowContactsAreTaken) {
  Started s(balls(0.01));
  Stepper stepper(*s.w);
  stepper.set_kind({.locates_events = false, .fixed_step = 1e-3, .is_implicit = false, .order = 1});
  EXPECT_EQ(s.w->step.explicit_step, 1e-3);
  EXPECT_EQ(s.w->step.kick_step, 1e-3);
  EXPECT_EQ(s.w->step.look_ahead, 0.0);
  stepper.set_kind({.locates_events = false, .fixed_step = 1e-3, .is_implicit = false, .order = 4});
  EXPECT_EQ(s.w->step.explicit_step, 1e-3);
  EXPECT_EQ(s.w->step.kick_step, 0.0);
  stepper.set_kind({.locates_events = false, .fixed_step = 1e-3, .is_implicit = true, .order = 2});
  EXPECT_EQ(s.w->step.explicit_step, 0.0);
  EXPECT_EQ(s.w->step.look_ahead, 1e-3);
  EXPECT_EQ(stepper.longest_step(), kInf);
}

TEST(StepperCalls, FirstStepIsATwentiethOfDepthOverSpeed) {
  Started s(balls(1e-6));
  EXPECT_EQ(Stepper(*s.w).first_step(0.0), kInf);
  s.x[s.model->nq() - 3] -= 2e-6;
  EventOutcome outcome;
  ASSERT_TRUE(Stepper(*s.w).mend(0.0, s.x, s.functions(), outcome));
  EXPECT_DOUBLE_EQ(Stepper(*s.w).first_step(0.0), 0.05 * s.pair().expected_depth / 2.0);
  EXPECT_EQ(Stepper(*s.w).first_step(0.5), kInf);  // it began before
}

TEST(StepperCalls, MendNotesTheDepthOfContactsThatLast) {
  Started s(balls(1e-6));
  s.x[s.model->nq() - 3] -= 2e-6;
  EventOutcome outcome;
  ASSERT_TRUE(Stepper(*s.w).mend(0.0, s.x, s.functions(), outcome));
  Stepper(*s.w).begin(0.0, s.x);
  s.x[s.model->nq() - 3] -= 1e-4;
  EXPECT_FALSE(Stepper(*s.w).mend(0.0, s.x, s.functions(), outcome));
  EXPECT_NEAR(s.pair().deepest, 1.01e-4, 1e-9);
}

TEST(StepperCalls, ContactsFollowAtTheEndOfStepsThatDoNotLocate) {
  Started s(balls(1e-3));
  Stepper stepper(*s.w);
  stepper.set_kind({.locates_events = false, .fixed_step = 1e-4, .is_implicit = false, .order = 4});
  EventOutcome outcome;
  EXPECT_FALSE(stepper.switch_at_end(0.0, s.x, outcome));
  s.x[s.model->nq() - 3] -= 2e-3;
  EXPECT_TRUE(stepper.switch_at_end(0.1, s.x, outcome));
  ASSERT_EQ(outcome.events.size(), 1u);
  EXPECT_EQ(outcome.events[0].kind, "contact_begin");
  EXPECT_EQ(s.pair().mode, ContactMode::touching);
}

TEST(StepperCalls, AcceptedStepsAreRemembered) {
  Started s(
      "gravity: off\nbodies:\n"
      "  a: {material: steel, shapes: [{cylinder: {radius: 0.05, length: 0.1}}]}\n"
      "  b: {material: steel, shapes: [{cylinder: {radius: 0.05, length: 0.1}}], "
      "position: [0.02, 0.01, 0.103], rotation: [0.3, 0.5, 0.7]}\n");
  ASSERT_EQ(s.w->modes.contacts.pairs.size(), 1u);
  s.pair().warm = {};
  Stepper(*s.w).accept(0.0, s.x);
  EXPECT_GT(norm(s.pair().warm.n_A), 0.0);
}

TEST(StepperCalls, BooksStoredEnergyThatASwitchChanges) {
  Started s(
      "gravity: off\nbodies:\n  cart: {mass: 1, joint: {prismatic: {axis: x}, name: rail, q: 0.2, "
      "spring: {stiffness: 100}}}\n");
  const double before = s.w->modes.work;
  Stepper(*s.w).booked(0.0, s.x, [&] {
    s.w->parameters.dofs[0].stiffness = 300.0;
    return EventOutcome{};
  });
  EXPECT_NEAR(s.w->modes.work - before, 0.5 * 200.0 * 0.04, 1e-12);
}

/// A square plate of 128 triangles.
std::string plate() {
  std::string text = "solid plate\n";
  const auto facet = [&](int i, int j, int k, int l, int m, int n) {
    text += "facet normal 0 0 1\nouter loop\n";
    for (const auto& [a, b] : {std::pair{i, j}, std::pair{k, l}, std::pair{m, n}}) {
      text += "vertex " + std::to_string(0.1 * a) + " " + std::to_string(0.1 * b) + " 0\n";
    }
    text += "endloop\nendfacet\n";
  };
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      facet(i, j, i + 1, j, i + 1, j + 1), facet(i, j, i + 1, j + 1, i, j + 1);
    }
  }
  return text + "endsolid plate\n";
}

TEST(StepperCalls, StepsOfAMovingMeshAreNoLongerThanItsTrianglesBear) {
  const std::string mesh = plate();
  ReadOptions options;
  options.carried = {{"plate.stl", mesh}};
  const auto longest = [&](const char* velocity) {
    Started s(std::string("gravity: off\nbodies:\n"
                          "  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], "
                          "position: [0, 0, 3]}\n"
                          "  plate: {material: steel, mass: 1, inertia: [1, 1, 1], velocity: ") +
                  velocity + ", shapes: [{triangle_mesh: {file: plate.stl}, mass: off}]}\n",
              options);
    evaluate_kinematics(*s.w, 0.0, s.x);
    return Stepper(*s.w).longest_step();
  };
  const double slow = longest("[0, 0, 1]"), fast = longest("[0, 0, 10]");
  EXPECT_LT(slow, 1.0);
  EXPECT_NEAR(fast, 0.1 * slow, 1e-9);
}

}  // namespace
}  // namespace carom
