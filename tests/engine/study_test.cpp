// Equilibrium, linearisation and inverse dynamics against closed forms.
#include "carom/engine/study/study.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/base/text.h"
#include "carom/engine/study/inverse.h"
#include "carom/engine/study/linearize.h"
#include "carom/scene/read/read.h"

namespace carom {
namespace {

std::shared_ptr<const Model> model_of(const std::string& text) {
  Diagnostics diagnostics;
  std::shared_ptr<const Model> model = compile(read_scene_text(text), diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  return model;
}

double q_of(const StudyState& s, const std::string& name) {
  for (const JointInfo& joint : s.model->joints) {
    if (joint.name == name) return s.x[static_cast<std::size_t>(joint.q0)];
  }
  throw std::runtime_error("no joint " + name);
}

Linearization linearized(StudyState& s, const std::vector<std::string>& outputs) {
  Diagnostics diagnostics;
  const std::vector<OutputChannel> channels = select_channels(*s.model, outputs, {}, diagnostics);
  return linearize(s.workspace, s.t, s.x, channels);
}

TEST(Equilibrium, OfASprungMassIsWhereTheSpringCarriesIt) {
  const StudyState s(model_of(R"yaml(
carom: 1
bodies: {mass: {mass: 3, joint: {prismatic: {axis: z}, name: slide, spring: {stiffness: 250, rest: 0.1}}}}
run: {until: 1}
)yaml"),
                     true);
  ASSERT_TRUE(s.equilibrium.found);
  EXPECT_NEAR(q_of(s, "slide"), 0.1 - 3 * 9.81 / 250, 1e-12);
}

// Ten equal links pulled sideways at the end by F: link i (from the top) carries the
// weight of all below, so its angle from the vertical is atan(F / (m g (n - i + 1/2))).
TEST(Equilibrium, OfAHangingChainPulledSidewaysFollowsTheRecursion) {
  std::string text = "carom: 1\nbodies:\n";
  for (int i = 0; i < 10; ++i) {
    const std::string parent = i == 0 ? "world" : "link" + std::to_string(i - 1);
    const std::string at = i == 0 ? "[0, 0, 0]" : "[0, 0, -0.3]";
    text += "  link" + std::to_string(i) +
            ": {mass: 0.5, com: [0, 0, -0.15], inertia: [0.01, 0.01, 0.001], joint: {revolute: "
            "{parent: " +
            parent + ", at: " + at + ", axis: y}, name: j" + std::to_string(i) + "}}\n";
  }
  text +=
      "forces: {pull: {force: {body: link9, at: [0, 0, -0.3], value: [4, 0, 0]}}}\nrun: {until: "
      "1}\n";
  const StudyState s(model_of(text), true);
  ASSERT_TRUE(s.equilibrium.found) << s.equilibrium.reason;
  double angle = 0.0;
  for (int i = 0; i < 10; ++i) {
    angle += q_of(s, "j" + std::to_string(i));
    const double carried = 0.5 * 9.81 * (10 - i - 0.5);
    // A turn about +y takes the hanging link towards -x.
    EXPECT_NEAR(-angle, std::atan2(4.0, carried), 1e-9) << "link " << i;
  }
}

TEST(Equilibrium, FromTheUpperRestRollsDownToTheStableOne) {
  const StudyState s(model_of(R"yaml(
carom: 1
bodies: {bob: {mass: 1, com: [0, 0, -1], joint: {revolute: {axis: y}, name: pivot, q: 3.0}}}
run: {until: 1}
)yaml"),
                     true);
  ASSERT_TRUE(s.equilibrium.found);
  EXPECT_NEAR(std::cos(q_of(s, "pivot")), 1.0, 1e-12);
}

TEST(Equilibrium, IsRefusedWhereNothingHoldsTheBody) {
  const StudyState s(
      model_of("carom: 1\nbodies: {ball: {mass: 1, inertia: [1, 1, 1]}}\nrun: {until: 1}\n"), true);
  EXPECT_FALSE(s.equilibrium.found);
  EXPECT_FALSE(s.equilibrium.reason.empty());
}

TEST(Linearization, OfADampedOscillatorHasItsEigenvalue) {
  StudyState s(model_of(R"yaml(
carom: 1
gravity: off
bodies: {mass: {mass: 2, joint: {prismatic: {axis: x}, name: slide, spring: {stiffness: 800}, damping: 8, drive: {force: u}}}}
signals: {u: {constant: 0}}
run: {until: 1}
)yaml"),
               false);
  const Linearization l = linearized(s, {"slide.q"});
  ASSERT_EQ(l.modes.size(), 2u);
  EXPECT_NEAR(l.modes[0].frequency, 20.0 / (2 * std::numbers::pi), 1e-7);
  EXPECT_NEAR(l.modes[0].damping_ratio, 8.0 / (2 * std::sqrt(2.0 * 800)), 1e-8);
  // y' = A y + B u with y = (q, v), and o = q. Differences are good to about 1e-9.
  const double A[] = {0, 1, -400, -4}, B[] = {0, 0.5}, C[] = {1, 0};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(l.A[static_cast<std::size_t>(i)], A[i], 1e-7);
  ASSERT_EQ(l.inputs, std::vector<std::string>{"u"});
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(l.B[static_cast<std::size_t>(i)], B[i], 1e-9);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(l.C[static_cast<std::size_t>(i)], C[i], 1e-9);
  EXPECT_NEAR(l.D[0], 0.0, 1e-9);
}

// Two equal point masses on massless rods: w² = (2 ± sqrt 2) g / l.
TEST(Linearization, OfTheDoublePendulumHasItsTwoFrequencies) {
  StudyState s(model_of(R"yaml(
carom: 1
bodies:
  a: {mass: 1, com: [0, 0, -1], joint: {revolute: {axis: y}, name: j1, q: 0.4}}
  b: {mass: 1, com: [0, 0, -1], joint: {revolute: {parent: a, axis: y, at: [0, 0, -1]}, name: j2, q: -0.2}}
run: {until: 1}
)yaml"),
               true);
  ASSERT_TRUE(s.equilibrium.found);
  const Linearization l = linearized(s, {"joints"});
  ASSERT_EQ(l.modes.size(), 4u);
  const double root = std::sqrt(2.0);
  EXPECT_NEAR(l.modes[0].frequency, std::sqrt((2 - root) * 9.81) / (2 * std::numbers::pi), 1e-8);
  EXPECT_NEAR(l.modes[2].frequency, std::sqrt((2 + root) * 9.81) / (2 * std::numbers::pi), 1e-8);
}

// A parallelogram swings like a point mass on an arm, with one freedom of four links.
TEST(Linearization, OfAClosedLoopHasOneModePerFreedom) {
  StudyState s(model_of(R"yaml(
carom: 1
bodies:
  left: {mass: 1e-6, com: [0, 0, -0.5], inertia: [1e-9, 1e-9, 1e-9], joint: {revolute: {axis: y}, name: l}}
  right: {mass: 1e-6, com: [0, 0, -0.5], inertia: [1e-9, 1e-9, 1e-9], joint: {revolute: {axis: y, at: [1, 0, 0]}, name: r}}
  bar: {mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1], joint: {revolute: {parent: left, at: [0, 0, -1], axis: y}, name: b}}
joints: {close: {revolute: {parent: bar, child: right, at: [1, 0, 0], child_at: [0, 0, -1], axis: y}, loop: true}}
run: {until: 1}
)yaml"),
               true);
  ASSERT_TRUE(s.equilibrium.found) << s.equilibrium.reason;
  const Linearization l = linearized(s, {"l.q"});
  ASSERT_EQ(l.modes.size(), 2u);
  EXPECT_NEAR(l.modes[0].frequency, std::sqrt(9.81) / (2 * std::numbers::pi),
              1e-5);  // rods of 1 mg
  EXPECT_EQ(count_freedom(s.model).degrees, 1u);
}

TEST(InverseDynamics, AsksForTheTorqueThatHoldsAndAccelerates) {
  StudyState s(model_of(R"yaml(
carom: 1
bodies: {arm: {mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.2], joint: {revolute: {axis: y}, name: j, damping: 0.5, v: 1}}}
run: {until: 1}
)yaml"),
               false);
  const double vdot[] = {3.0};
  const std::uint8_t named[] = {1};
  // Gravity pulls the arm towards +y rotation: 2 * 9.81 * 0.5 has to be held against it.
  EXPECT_NEAR(required_forces(s, vdot, named).forces[0],
              (0.2 + 2 * 0.25) * 3.0 - 2 * 9.81 * 0.5 + 0.5 * 1.0, 1e-12);
}

/// A parallelogram in the xz plane: arms of 1 m hang at 0.7 rad and carry a bar of 2 kg.
const char* kParallelogram = R"yaml(
carom: 1
bodies:
  left: {mass: 0.5, com: [0, 0, -0.5], inertia: [0.02, 0.02, 0.02], joint: {revolute: {axis: y}, name: l, q: 0.7, v: 1.5}}
  right: {mass: 0.5, com: [0, 0, -0.5], inertia: [0.02, 0.02, 0.02], joint: {revolute: {axis: y, at: [1, 0, 0]}, name: r, q: 0.7}}
  bar: {mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1], joint: {revolute: {parent: left, at: [0, 0, -1], axis: y}, name: b, q: -0.7}}
joints: {close: {revolute: {parent: bar, child: right, at: [1, 0, 0], child_at: [0, 0, -1], axis: y}, loop: true}}
initial: {assemble: {keep: [l]}}
run: {until: 1}
)yaml";

// The bar does not turn, so the linkage is a pendulum with the inertia of both arms about
// their pivots and of the bar as a point, and the moment of their weights. Its speed does no
// work against it.
TEST(InverseDynamics, OfALoopDrivesTheNamedJointAloneAndTheOthersFollow) {
  StudyState s(model_of(kParallelogram), false);
  const double inertia = 2 * (0.02 + 0.5 * 0.25) + 2 * 1.0;
  const double moment = 9.81 * (2 * 0.5 * 0.5 + 2 * 1.0) * std::sin(0.7);
  for (const std::size_t driven : {0u, 1u}) {
    std::vector<double> vdot(3, 0.0);
    std::vector<std::uint8_t> named(3, 0);
    const auto place = static_cast<std::size_t>(s.model->joints[driven].v0);
    vdot[place] = 3.0;
    named[place] = 1;
    const RequiredForces needed = required_forces(s, vdot, named);
    EXPECT_EQ(needed.reason, "");
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(needed.forces[i], i == place ? inertia * 3.0 + moment : 0.0, 1e-11) << i;
    }
  }
}

// Second referee: forward dynamics with that force as a drive accelerates as wanted.
TEST(InverseDynamics, OfALoopIsUndoneByForwardDynamics) {
  StudyState s(model_of(kParallelogram), false);
  const double vdot[] = {3.0, 0.0, 0.0};
  const std::uint8_t named[] = {1, 0, 0};
  ASSERT_EQ(s.model->joints[0].name, "l");
  const double force = required_forces(s, vdot, named).forces[0];
  std::string driven = kParallelogram;
  driven.replace(driven.find("v: 1.5"), 6, "v: 1.5, drive: {force: " + number_text(force) + "}");
  StudyState forward(model_of(driven), false);
  ASSERT_EQ(evaluate(forward.workspace, forward.t, forward.x), Status::ok);
  EXPECT_NEAR(forward.workspace.tree.vdot[0], 3.0, 1e-11);
}

TEST(InverseDynamics, SaysHowManyJointsOfALoopHaveToBeNamed) {
  StudyState s(model_of(kParallelogram), false);
  const double vdot[] = {0, 0, 0};
  const std::uint8_t none[] = {0, 0, 0}, two[] = {1, 1, 0};
  for (const std::uint8_t* named : {none, two}) {
    const RequiredForces needed = required_forces(s, vdot, {named, 3});
    EXPECT_NE(needed.reason.find("'close' has 1 degrees of freedom"), std::string::npos)
        << needed.reason;
  }
}

}  // namespace
}  // namespace carom
