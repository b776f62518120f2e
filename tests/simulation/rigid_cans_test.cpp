// Round bodies on bodies with faces and on each other: as on a plane where that is all they touch,
// and closed forms where it is not.
#include "rigid_scenes.h"

namespace carom {
namespace {

using namespace carom::testing;

const std::string kUnderPlane = "{half_space: {}}";
const std::string kUnderTable = "{box: {size: [1, 0.8, 0.1]}, at: [0, 0, -0.05]}";

std::string can_scene(const std::string& below, const std::string& can, const std::string& run,
                      const std::string& contact = "restitution: 0.4, mu_k: 0.4") {
  return "carom: 1\nbodies:\n  below: {fixed: true, shapes: [" + below + "]}\n  can: {mass: 1, " +
         can + "}\ncontact: {method: rigid, " + contact + "}\nrun: {integrator: erk8, " + run +
         ", output: {step: 0.05}}\n";
}

const std::string kUprightCan = "shapes: [{cylinder: {radius: 0.05, length: 0.12}, axis: z}], ";

// Dropped flat, tilted, on its side, sliding and rolling: impacts, landings and what follows are
// those of a plane, to what the error control of a rolling body leaves after a second.
TEST(RigidCans, MoveOnATableAsOnAPlane) {
  for (const std::string& can :
       {kUprightCan + "position: [0, 0, 0.16]",
        kUprightCan + "position: [0, 0, 0.06], velocity: [0.5, 0, 0], angular_velocity: [0, 0, 3]",
        kUprightCan + "position: [0, 0, 0.2], rotation: [0.1, 0.2, 0]",
        kUprightCan + "position: [0, 0, 0.2], rotation: [0.5, 0.9, 0.1], velocity: [0.2, 0.1, 0]",
        kUprightCan +
            "position: [0, 0, 0.05], rotation: [1.5707963267948966, 0, 0], velocity: [0.3, 0, 0]",
        std::string("shapes: [{cone: {radius: 0.06, length: 0.1}}], position: [0, 0, 0.2], ") +
            "rotation: [0, -1.2, 0.3], velocity: [0.1, 0, 0]",
        std::string("shapes: [{beam: {length: 0.1, width: 0.05, thickness: 0.03}}], ") +
            "position: [0, 0, 0.2], rotation: [0.3, 0.5, 0], velocity: [0.1, 0, 0]"}) {
    SCOPED_TRACE(can);
    const std::string run = "until: 1, tolerance: 1e-10";
    const RunResult plane = run_text(can_scene(kUnderPlane, can, run));
    const RunResult table = run_text(can_scene(kUnderTable, can, run));
    ASSERT_EQ(table.status, RunStatus::completed) << table.reason;
    EXPECT_LT(norm(body(table, "can").position - body(plane, "can").position), 1e-7);
    EXPECT_LT(norm(body(table, "can").velocity - body(plane, "can").velocity), 1e-6);
    const std::vector<double> first = times_of(plane, "impact"), second = times_of(table, "impact");
    ASSERT_EQ(first.empty(), second.empty());
    for (std::size_t k = 0; k < std::min<std::size_t>({first.size(), second.size(), 3}); ++k) {
      EXPECT_NEAR(first[k], second[k], 1e-8);
    }
  }
}

// It stands as long as its centre is over the table, and tips where it is not.
TEST(RigidCans, TipOverTheEdgeOfATable) {
  const auto beyond = [](double x) {
    return run_text(can_scene(kUnderTable,
                              kUprightCan + "position: [" + text_of(0.5 + x) + ", 0.1, 0.06]",
                              "until: 1, tolerance: 1e-9"));
  };
  const RunResult stands = beyond(-1e-9), tips = beyond(1e-4);
  ASSERT_EQ(stands.status, RunStatus::completed) << stands.reason;
  EXPECT_NEAR(body(stands, "can").position.x, 0.5 - 1e-9, 1e-13);
  EXPECT_NEAR(body(stands, "can").position.z, 0.06, 1e-14);
  ASSERT_EQ(tips.status, RunStatus::completed) << tips.reason;
  EXPECT_LT(body(tips, "can").position.z, -0.1);
}

// A block that slides over an edge tips as soon as its centre is beyond; so does a can, though it
// is round: without friction both slide on at the speed they had.
TEST(RigidCans, SlideOverTheEdgeOfATableBeforeTheyTip) {
  const RunResult result = run_text(
      can_scene(kUnderTable, kUprightCan + "position: [0.4, 0, 0.06], velocity: [0.4, 0, 0]",
                "until: 0.25", "mu_k: 0"));
  ASSERT_EQ(result.status, RunStatus::completed) << result.reason;
  EXPECT_NEAR(body(result, "can").position.x, 0.5, 1e-12);
  EXPECT_NEAR(body(result, "can").position.z, 0.06, 1e-14);
  EXPECT_FALSE(times_of(result, "contact_moves").empty());  // part of it is over the edge
}

// a = 2/3 g sin of a cylinder that rolls.
TEST(RigidCans, RollDownAnInclinedPlank) {
  const double slope = 0.2;
  const std::string plank = "{box: {size: [2, 0.5, 0.1]}, at: [0, 0, -0.05]}";
  const RunResult result = run_text(
      "carom: 1\ngravity: [" + text_of(9.81 * std::sin(slope)) + ", 0, " +
      text_of(-9.81 * std::cos(slope)) + "]\nbodies:\n  plank: {fixed: true, shapes: [" + plank +
      "]}\n  roller: {mass: 1, shapes: [{cylinder: {radius: 0.05, length: 0.2}, axis: y}], "
      "position: [-0.5, 0, 0.05]}\ncontact: {method: rigid, restitution: 0, mu_k: 0.5}\nrun: "
      "{until: 0.8, integrator: erk8, tolerance: 1e-11, output: {step: 0.1}}\n");
  ASSERT_EQ(result.status, RunStatus::completed) << result.reason;
  const double way = 0.5 * (2.0 / 3.0) * 9.81 * std::sin(slope) * 0.64;
  EXPECT_NEAR(body(result, "roller").position.x, -0.5 + way, 1e-9);
  EXPECT_NEAR(body(result, "roller").position.z, 0.05, 1e-14);
}

// Over the edge of a table a smooth one falls like a body on a circle about that edge,
// v² = u² + 2 g R (1 - cos), and leaves it where v² = g R cos.
TEST(RigidCans, FallSmoothlyOverTheEdgeOfATable) {
  const double R = 0.05, u = 0.1, g = 9.81, way = 0.02;
  const RunResult result = run_text(
      "carom: 1\nbodies:\n  table: {fixed: true, shapes: [" + kUnderTable +
      "]}\n  roller: {mass: 1, shapes: [{cylinder: {radius: 0.05, length: 0.2}, axis: y}], "
      "position: [0.48, 0, 0.05], velocity: [0.1, 0, 0]}\ncontact: {method: rigid, restitution: 0, "
      "mu_k: 0}\nrun: {until: 0.5, integrator: erk8, tolerance: 1e-11, output: {step: 0.1}}\n");
  ASSERT_EQ(result.status, RunStatus::completed) << result.reason;
  const double last = std::acos((u * u / (g * R) + 2.0) / 3.0);
  double time = way / u;
  constexpr int kParts = 20000;  // the midpoint rule: 1e-9
  for (int k = 0; k < kParts; ++k) {
    const double angle = last * (k + 0.5) / kParts;
    time += R * last / kParts / std::sqrt(u * u + 2.0 * g * R * (1.0 - std::cos(angle)));
  }
  ASSERT_EQ(times_of(result, "lift_off").size(), 1u);
  EXPECT_NEAR(times_of(result, "lift_off")[0], time, 1e-8);
}

// Cans on each other, on their axes and beside them, and a rod across another.
TEST(RigidCans, StandOnEachOther) {
  for (const double beside : {0.0, 0.02}) {
    const RunResult result = run_text(
        "carom: 1\nbodies:\n  below: {fixed: true, shapes: [" + kUnderTable +
        "]}\n  lower: {mass: 1, " + kUprightCan + "position: [0, 0, 0.06]}\n  upper: {mass: 1, " +
        kUprightCan + "position: [" + text_of(beside) +
        ", 0, 0.18]}\ncontact: {method: rigid, restitution: 0.3, mu_k: 0.4}\n" +
        "run: {until: 10, integrator: erk8, output: {step: 1}}\n");
    ASSERT_EQ(result.status, RunStatus::completed) << result.reason;
    EXPECT_NEAR(body(result, "upper").position.z, 0.18, 1e-13);
    EXPECT_NEAR(body(result, "upper").position.x, beside, 1e-12);
    EXPECT_LT(norm(body(result, "upper").velocity), 1e-12);
  }
  const RunResult rods = run_text(
      "carom: 1\nbodies:\n  below: {fixed: true, shapes: [{cylinder: {radius: 0.05, length: 0.5}, "
      "axis: y}]}\n  can: {mass: 1, shapes: [{cylinder: {radius: 0.04, length: 0.3}, axis: "
      "x}], position: [0, 0, 0.09], velocity: [0.008, 0, 0], angular_velocity: [0, 0.2, "
      "0]}\ncontact: {method: rigid, "
      "restitution: 0, mu_k: 0.5}\nrun: {until: 2, integrator: erk8, tolerance: 1e-10, output: "
      "{step: 0.1}}\n");
  // It rocks about the one below: kinetic and potential energy are kept.
  ASSERT_EQ(rods.status, RunStatus::completed) << rods.reason;
  EXPECT_LT(std::abs(rods.energy.dissipated_normal + rods.energy.dissipated_friction), 1e-12);
  EXPECT_GT(body(rods, "can").position.z, 0.089);
  EXPECT_LT(std::abs(rods.energy.residual), 1e-8 * rods.turned_over);
}

// Rounded edges, which both ways see alike, over a post: error control agrees with time steps as
// these become shorter, to the first order in them.
TEST(RigidCans, FallOnAPostAsByTimeSteps) {
  const std::string can =
      "shapes: [{cylinder: {radius: 0.05, length: 0.12}, axis: z, edge_radius: 0.003}], position: "
      "[0.02, 0.01, 0.2], rotation: [0.4, 0.3, 0], angular_velocity: [1, 0, 0]";
  const std::string post = "{box: {size: [0.1, 0.08, 0.1]}, at: [0, 0, -0.05], edge_radius: 0.003}";
  const std::string contact = "restitution: 0, mu_k: 0.3";
  const RunResult events = run_text(can_scene(post, can, "until: 0.3, tolerance: 1e-9", contact));
  std::string steps = can_scene(post, can, "until: 0.3, step: 2e-5", contact);
  steps.replace(steps.find("erk8"), 4, "time_stepping");
  const RunResult stepped = run_text(steps);
  ASSERT_EQ(events.status, RunStatus::completed) << events.reason;
  EXPECT_FALSE(times_of(events, "impact").empty());
  EXPECT_LT(norm(body(events, "can").position - body(stepped, "can").position), 2e-5);
}

}  // namespace
}  // namespace carom
