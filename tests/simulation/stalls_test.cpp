// Scenes in which a method can get stuck: counts of evaluations, which are the same on every
// machine. Bounds are about twice what the runs take. CPU seconds: benchmarks/stalls.py.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "carom/integrate/integrator.h"
#include "example_scenes.h"
#include "scene_runs.h"
#include "support/project_folder.h"

namespace carom {
namespace {

using testing::model_of;

struct Bound {
  const char* scene;
  double until;
  std::int64_t evaluations;
};

RunResult run_stall_scene(const char* name, double until, std::vector<std::string> settings = {}) {
  const auto folder = testing::project_folder() / "benchmarks/scenes/stalls";
  const std::ifstream file(folder / (std::string(name) + ".yaml"));
  std::ostringstream text;
  text << file.rdbuf();
  settings.push_back("run.until=" + std::to_string(until));
  settings.push_back("run.max_steps=50000");
  return run(model_of(text.str(), settings));
}

class Stalls : public ::testing::TestWithParam<Bound> {};

TEST_P(Stalls, TakesBoundedWork) {
  const auto& [scene, until, evaluations] = GetParam();
  const RunResult result = run_stall_scene(scene, until);
  EXPECT_EQ(result.status, RunStatus::completed) << result.reason;
  EXPECT_LT(result.statistics.counts.rhs_evaluations, evaluations);
  EXPECT_LT(std::abs(result.energy.residual), 1e-3 * result.energy_scale);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Stalls,
                         ::testing::Values(Bound{"stack_of_cylinders", 0.01, 1800},
                                           Bound{"six_shapes", 0.1, 7000},
                                           Bound{"heap_of_shapes", 0.08, 22000},
                                           Bound{"spin", 0.01, 23000}, Bound{"dominoes", 0.3, 5000},
                                           Bound{"ramp", 0.8, 30000}),
                         [](const auto& test) { return std::string(test.param.scene); });

// A box that tips over on one edge and slides: stiff, but not so that the explicit method's own
// measure of it passes the border. Without a trial of BDF it takes 15 evaluations every 0.3 ms.
TEST(Switching, TriesBdfWhereStepsStayShortForNoReason) {
  const RunResult result = run_stall_scene("dominoes", 0.35);
  ASSERT_EQ(result.status, RunStatus::completed) << result.reason;
  EXPECT_LT(result.statistics.counts.rhs_evaluations, 5500) << "9900 without";
}

// Where one contact of several ends, the slope tells nothing of how stiff the others are. A first
// step by the slope alone is a thousand times too long, and six attempts fail one after another.
TEST(Switching, StartsShortWhereOtherContactsTouch) {
  const RunResult result = run_stall_scene("heap_of_shapes", 0.15);
  ASSERT_EQ(result.status, RunStatus::completed) << result.reason;
  EXPECT_LT(result.statistics.counts.rejected_steps, 1180) << "1059 with, 1299 without";
}

// A contact that begins while BDF is in use needs no new Jacobian: its force begins at zero.
TEST(Switching, KeepsTheJacobianOverEvents) {
  const RunResult result = run_stall_scene("dominoes", 0.52);
  ASSERT_EQ(result.status, RunStatus::completed) << result.reason;
  EXPECT_LT(result.statistics.counts.jacobian_evaluations, 45) << "40 with, 50 without";
}

// BDF that had to lower its order gives way to order 2. Where a grip that began with a blow rests
// nothing asked whether that was still needed: one tolerance in ten took eight times the steps.
TEST(Switching, ComesBackFromOrderTwo) {
  for (const char* tolerance : {"1.3e-9", "1e-9", "7e-10"}) {
    const RunResult r =
        testing::run_example("gripper", {std::string("run.tolerance=") + tolerance});
    ASSERT_EQ(r.status, RunStatus::completed) << r.reason;
    EXPECT_LT(r.statistics.counts.steps, 10000) << tolerance << ": up to 28,225 without";
  }
}

// At loose tolerances the error estimate of the explicit method sees an instability late, and its
// steps swing about the border: 280,484 evaluations once, six times those at 1e-6.
TEST(Switching, TakesFewerEvaluationsAtALooserTolerance) {
  std::int64_t evaluations[2];
  for (const int tight : {0, 1}) {
    const RunResult result =
        run_stall_scene("cam", 0.2, {tight ? "run.tolerance=1e-6" : "run.tolerance=1e-4"});
    ASSERT_EQ(result.status, RunStatus::completed) << result.reason;
    evaluations[tight] = result.statistics.counts.rhs_evaluations;
  }
  EXPECT_LT(evaluations[0], evaluations[1]);
}

// A block is put on a table so that they touch, to the last bit. Where rounding lets them overlap
// and no spring presses yet, the largest of no forces was taken for one: dirk5 looked for the
// instant at which it would vanish in each of a million steps.
TEST(Stall, IsNoneWhereABlockIsPutExactlyOnATable) {
  const char* block = R"(
carom: 1
bodies:
  table: {fixed: true, material: dry_wood, shapes: [{box: {size: [1, 0.6, 0.04]}, at: [0, 0, -0.02]}]}
  block: {material: dry_wood, shapes: [{box: {size: [0.1, 0.1, 0.08]}, edge_radius: 0.004}], position: [0, 0, 0.04]}
contact: {k_red: 1e-3}
run: {until: 0.02, tolerance: 1e-6, max_steps: 2000}
)";
  for (const Method* method : method_catalogue()) {
    if (!method->error_controlled) continue;
    const RunResult result = run(model_of(block, {std::string("run.integrator=") + method->name}));
    EXPECT_EQ(result.status, RunStatus::completed) << method->name << ": " << result.reason;
  }
}

// A follower without restitution is hit and pressed on. Explicit steps at their border swing its
// force to zero, where it is cut: each step is an event, after which nothing was known of the last.
TEST(Switching, SeesStiffnessWhereEveryStepIsAnEvent) {
  const char* cam = R"(
carom: 1
values: {rpm: 1200, lift: 0.02}
bodies:
  cam:
    mass: 1
    inertia: [0.01, 0.01, 0.01]
    material: steel
    shapes: [{cylinder: {radius: 0.05, length: 0.03}, axis: y, at: [$lift, 0, 0], mass: false}]
    joint: {revolute: {axis: y}, name: shaft, motion: "=-rpm/60*2*pi*t"}
  follower:
    mass: 0.5
    inertia: [0.01, 0.01, 0.01]
    material: steel
    shapes: [{box: {size: [0.2, 0.05, 0.02]}, at: [0, 0, 0.01], mass: false}]
    joint: {prismatic: {axis: z}, name: slide, q: 0.05}
contact: {friction: none, resistance: none, restitution: 0}
run: {until: 0.0032, tolerance: 1e-6, integrator: switching}
)";
  std::int64_t evaluations = 0;
  for (const char* at : {"1200 0.02", "1700 0.02", "2300 0.01"}) {
    const std::string text(at);
    const std::size_t gap = text.find(' ');
    const RunResult r = testing::run_text(
        cam, {"values.rpm=" + text.substr(0, gap), "values.lift=" + text.substr(gap + 1)});
    ASSERT_EQ(r.status, RunStatus::completed) << r.reason;
    evaluations += r.statistics.counts.rhs_evaluations;
  }
  EXPECT_LT(evaluations, 5500) << "3,570 with, 8,570 without";
}

constexpr const char* kChip = R"(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  chip: {material: steel, shapes: [{box: {size: [1e-3, 1e-3, 1e-5]}}], position: [0, 0, 5e-6]}
run: {until: 1e4, tolerance: 1e-6, integrator: erk8}
)";

TEST(Stall, EndsTheRunAndNamesTheContactAndARemedy) {
  const RunResult result = run(model_of(kChip));
  EXPECT_EQ(result.status, RunStatus::failed);
  for (const char* part : {"stalls at t = ", "'floor' and 'chip'", "contact.k_red"}) {
    EXPECT_NE(result.reason.find(part), std::string::npos) << result.reason;
  }
  EXPECT_LT(result.statistics.counts.steps, 50000);
}

// The same under `auto`, which is free to choose: it goes on in steps that need not resolve what
// holds it up, and says so.
TEST(Stall, MakesAutoGoOnInImplicitSteps) {
  const RunResult result = run(
      model_of(kChip, {"run.integrator=auto", "run.until=30", "bodies.chip.velocity=[0.01,0,0]"}));
  ASSERT_EQ(result.status, RunStatus::completed) << result.reason;
  EXPECT_EQ(result.verdict.grade(), Grade::doubtful);
  ASSERT_FALSE(result.verdict.reasons.empty());
  const std::string& why = result.verdict.reasons.front().text;
  for (const char* part : {"went over to implicit_contact", "the run stalls at t = "}) {
    EXPECT_NE(why.find(part), std::string::npos) << why;
  }
  EXPECT_NEAR(result.bodies[1].position.z, 5e-6, 1e-12);
  EXPECT_LT(norm(result.bodies[1].velocity), 1e-12);
}

TEST(Stall, LeavesTheLimitOfStepsToWhoSetIt) {
  const RunResult result =
      run(model_of(kChip, {"run.integrator=auto", "run.until=30", "run.max_steps=2000",
                           "bodies.chip.velocity=[0.01,0,0]"}));
  EXPECT_EQ(result.status, RunStatus::failed);
  EXPECT_NE(result.reason.find("more than 2000 steps"), std::string::npos) << result.reason;
  EXPECT_EQ(result.statistics.integrator, "switching");
}

TEST(Stall, IsNotWhatAMethodDoesThatGetsThere) {
  const RunResult result =
      run(model_of(kChip, {"run.integrator=auto", "run.until=1", "run.max_steps=20000"}));
  EXPECT_EQ(result.status, RunStatus::completed) << result.reason;
}

// Steps of 1 ms are fifty times too long for the impact of an oak ball: an implicit method stops
// it, and the verdict tells; no step may throw it back with energy from nothing. Edges are stiffer,
// and a box is stopped by steps of up to 0.3 ms; beyond, the run fails with the step that it needs.
TEST(Sdirk2, SurvivesImpactsShorterThanItsStep) {
  for (const char* shape : {"sphere: {radius: 0.05}", "box: {size: 0.1}"}) {
    for (const char* step : {"5e-5", "1e-4", "3e-4", "1e-3", "3e-3"}) {
      if (shape[0] == 'b' && std::stod(step) > 3e-4) continue;
      const std::string scene = std::string(R"(
carom: 1
bodies:
  floor: {fixed: true, material: oak, shapes: [{half_space: {}}]}
  ball: {material: oak, shapes: [{)") +
                                shape + R"(}], position: [0, 0, 0.1], velocity: [0.1, 0, 0]}
run: {until: 1, integrator: sdirk2}
)";
      const RunResult result = run(model_of(scene, {std::string("run.step=") + step}));
      ASSERT_EQ(result.status, RunStatus::completed) << result.reason << " " << shape << step;
      EXPECT_NEAR(result.bodies[1].position.z, 0.05, 0.055) << shape << step;
      EXPECT_GT(result.bodies[1].position.z, 0.045) << shape << step;
      if (shape[0] == 'b') continue;
      // The energy of a ball on a plane is a function of its depth: no law does work. Twelve
      // times the residual stood in both rows, with opposite signs.
      EXPECT_EQ(result.energy.model_work, 0.0) << step;
      if (std::stod(step) >= 3e-4) {
        EXPECT_NE(result.verdict.grade(), Grade::sound) << step;
      }
    }
  }
}

// Where no stage has a solution the contact is too stiff for the step, and the step that is named
// takes the run on.
TEST(Sdirk2, NamesTheContactAndTheStepItNeedsWhereNoStateIsFound) {
  const char* boxes = R"(
carom: 1
bodies:
  floor: {fixed: true, material: glass, shapes: [{half_space: {}}]}
  b0: {material: glass, shapes: [{box: {size: [0.06602, 0.06765, 0.06602]}}], position: [0, 0, 0.4], velocity: [0.751, 0, -4.16], angular_velocity: [21.5, -11.4, 1]}
  b1: {material: glass, shapes: [{cylinder: {radius: 0.2391, length: 0.3404}}], position: [0.03912, 0, 0.9], velocity: [0.121, 0, -0.897], angular_velocity: [5.44, -16.9, 1]}
run: {until: 0.09, integrator: sdirk2, step: 0.00963}
)";
  const RunResult failed = run(model_of(boxes));
  ASSERT_EQ(failed.status, RunStatus::failed);
  const std::string words = "too long for the contact of 'floor' and 'b0', it needs one of ";
  const std::size_t at = failed.reason.find(words);
  ASSERT_NE(at, std::string::npos) << failed.reason;
  const std::string step = std::to_string(std::stod(failed.reason.substr(at + words.size())));
  const RunResult result = run(model_of(boxes, {"run.step=" + step}));
  EXPECT_EQ(result.status, RunStatus::completed) << result.reason;
}

TEST(Sdirk2, SaysInCheckWhatItCannotDo) {
  for (const char* method : {"sdirk2", "auto"}) {
    ReadOptions options;
    options.overrides = {std::string("run.integrator=") + method, "run.step=1e-4"};
    Diagnostics findings;
    ASSERT_TRUE(compile(read_scene_text(kChip, "test", options), findings));
    bool says = false;
    for (const Diagnostic& finding : findings.all()) {
      says |= finding.message.find("sdirk2 cannot follow") != std::string::npos;
    }
    EXPECT_EQ(says, std::string(method) == "sdirk2") << method;
  }
}

TEST(Sdirk2, IsRefusedWhereTrianglesTouch) {
  for (const char* method : {"sdirk2", "implicit_contact"}) {
    ReadOptions options;
    options.overrides = {std::string("run.integrator=") + method, "run.step=1e-4",
                         "contact={method: triangles}"};
    Diagnostics findings;
    EXPECT_EQ(compile(read_scene_text(kChip, "test", options), findings) == nullptr,
              std::string(method) == "sdirk2");
  }
}

TEST(MaxCpu, EndsARunThatWouldTakeLonger) {
  const RunResult result = run(model_of(kChip, {"run.max_cpu=0.05", "run.until=0.5"}));
  EXPECT_EQ(result.status, RunStatus::interrupted);
  EXPECT_NE(result.reason.find("run.max_cpu"), std::string::npos) << result.reason;
  EXPECT_GT(result.time, 0.0);
}

/// A row of balls that touch, and one that strikes it at t = 0.4 s: pair after pair, thousands of
/// times in this one instant, which takes a second of sixty balls.
std::string struck_row(int balls) {
  std::string text =
      "carom: 1\nname: row\ngravity: [0, 0, 0]\nbodies:\n"
      "  b: {mass: 1, shapes: [{sphere: {radius: 0.05}}], position: [-0.5, 0, 0], "
      "velocity: [1, 0, 0]}\n";
  for (int i = 0; i < balls; ++i) {
    text += "  b" + std::to_string(i) + ": {mass: " + std::to_string(2 - i % 2) +
            ", shapes: [{sphere: {radius: 0.05}}], position: [" + std::to_string(0.1 * i) +
            ", 0, 0]}\n";
  }
  return text +
         "contact: {method: rigid, restitution: 0.9, rigid: {impact: {resolution: sequential}}}\n"
         "run: {until: 0.5, tolerance: 1e-9}\n";
}

TEST(MaxCpu, EndsARunWithinAnEventWhichIsUndone) {
  constexpr double kMost = 0.05;
  const RunResult result = run(model_of(struck_row(60), {"run.max_cpu=0.05"}));
  EXPECT_EQ(result.status, RunStatus::interrupted);
  EXPECT_NE(result.reason.find("run.max_cpu"), std::string::npos) << result.reason;
  EXPECT_LT(result.statistics.cpu_seconds, 6.0 * kMost);  // the event alone takes twenty times it
  EXPECT_NEAR(result.time, 0.4, 1e-12);
  EXPECT_NEAR(result.energy.kinetic, 0.5, 1e-12);
  EXPECT_TRUE(result.events.empty());
}

TEST(MaxCpu, LetsTheEventHappenWhereTheRunGoesOn) {
  const auto model = model_of(struck_row(20));
  Simulation whole(model), cut(model);
  ASSERT_EQ(whole.advance(0.5), AdvanceStatus::reached);
  std::atomic<bool> is_over = false;
  cut.interrupt_with(&is_over);
  cut.before_events([&](double, std::span<const double>) { is_over = true; });
  ASSERT_EQ(cut.advance(0.5), AdvanceStatus::interrupted);
  EXPECT_NEAR(cut.ledger().kinetic, 0.5, 1e-12);
  is_over = false;
  cut.before_events({});
  ASSERT_EQ(cut.advance(0.5), AdvanceStatus::reached);
  ASSERT_EQ(whole.state().size(), cut.state().size());
  for (std::size_t i = 0; i < whole.state().size(); ++i) {
    EXPECT_NEAR(whole.state()[i], cut.state()[i], 1e-12);
  }
  EXPECT_LT(whole.ledger().kinetic, 0.49);
}

}  // namespace
}  // namespace carom
