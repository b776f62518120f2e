// A run judges itself: what is sound is called so, and what is not is named.
#include "carom/simulation/verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/record/memory_writer.h"
#include "carom/scene/read/read.h"
#include "scene_runs.h"

namespace carom {
namespace {

using testing::model_of;

bool has_reason(const Verdict& v, const std::string& name) {
  return std::ranges::any_of(v.reasons, [&](const Finding& f) { return f.name == name; });
}

EnergyWatch watch_of(double residual, double model) {
  EnergyWatch watch;
  Ledger l;
  l.kinetic = 10.0;
  watch.begin(l);
  l.residual = residual, l.model_work = model;
  watch.note(l, 0.0);
  return watch;
}

TEST(Verdict, GradesEnergyByWhatWasTurnedOver) {
  const auto grade = [](double residual, double model, double tolerance) {
    return judge(watch_of(residual, model), tolerance, 0.0, {}).grade();
  };
  EXPECT_EQ(grade(0.099, 0.0, 1e-8), Grade::sound);
  EXPECT_EQ(grade(-0.101, 0.0, 1e-8), Grade::doubtful);
  EXPECT_EQ(grade(0.0, -0.101, 1e-8), Grade::doubtful);
  EXPECT_EQ(grade(0.0, 0.49, 1e-8), Grade::doubtful);
  EXPECT_EQ(grade(0.51, 0.0, 1e-8), Grade::broken);
  EXPECT_EQ(grade(0.3, 0.21, 1e-8), Grade::broken);
  EXPECT_EQ(grade(-5.0, 0.0, 1e-8), Grade::doubtful);  // lost, not from nothing
  EXPECT_EQ(grade(0.15, 0.0, 1e-3), Grade::sound);     // 100 tolerances are 10 %
  EXPECT_EQ(grade(0.0, 0.0, 1e-8), Grade::sound);
}

TEST(Verdict, FrictionThatGivesEnergyIsFromNothing) {
  EnergyWatch watch;
  Ledger l;
  l.kinetic = 10.0;
  watch.begin(l);
  l.dissipated_friction = 1.0, l.dissipated_normal = 0.5;
  watch.note(l, 0.0);
  l.dissipated_friction = 0.6, l.dissipated_normal = 0.6;
  watch.note(l, 0.0);
  EXPECT_NEAR(watch.gain, 0.3, 1e-12);
  EXPECT_EQ(judge(watch, 1e-8, 0.0, {}).grade(), Grade::doubtful);
  l.dissipated_friction = -0.2;
  watch.note(l, 0.0);
  EXPECT_EQ(judge(watch, 1e-8, 0.0, {}).grade(), Grade::broken);
}

/// What a changing load does to bristles is no work of the motion: beyond what friction takes, it
/// brings energy from nothing.
TEST(Verdict, BristlesThatALoadChargesGiveEnergyFromNothing) {
  EnergyWatch watch;
  Ledger l;
  l.kinetic = 10.0;
  watch.begin(l);
  l.bristle_work = 0.6, l.dissipated_friction = 0.55;
  watch.note(l, 0.0);
  EXPECT_EQ(judge(watch, 1e-8, 0.0, {}).grade(), Grade::sound);
  l.bristle_work = 0.85;
  watch.note(l, 0.0);
  EXPECT_NEAR(watch.given, 0.3, 1e-12);
  EXPECT_EQ(judge(watch, 1e-8, 0.0, {}).grade(), Grade::doubtful);
  l.bristle_work = 1.15;
  watch.note(l, 0.0);
  EXPECT_EQ(judge(watch, 1e-8, 0.0, {}).grade(), Grade::broken);
}

TEST(Verdict, CountsWhatWasPutInAndFallenThrough) {
  EnergyWatch watch;
  Ledger l;
  l.kinetic = 1.0, l.elastic = 2.0, l.potential = 50.0;
  watch.begin(l);
  l.potential = 46.0, l.drive_work = 3.0;
  watch.note(l, 0.5);
  l.potential = 48.0, l.drive_work = 1.0;
  watch.note(l, 0.0);
  EXPECT_DOUBLE_EQ(watch.turned_over(), 3.0 + 4.0 + 3.0 + 0.5);
}

TEST(Verdict, KeepsTheWorseOfTwoFindings) {
  std::vector<Finding> findings;
  add_finding(findings, {"depth", "a", 2.0, 1.0, Grade::doubtful, ""});
  add_finding(findings, {"depth", "a", 3.0, 1.0, Grade::doubtful, ""});
  add_finding(findings, {"depth", "b", 1.5, 1.0, Grade::doubtful, ""});
  add_finding(findings, {"contact_duration", "a", 0.5, 1.0, Grade::doubtful, ""});
  add_finding(findings, {"contact_duration", "a", 0.2, 1.0, Grade::doubtful, ""});
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].value, 3.0);
  EXPECT_EQ(findings[2].value, 0.2);
}

const std::string kBall = R"(
carom: 1
bodies:
  floor: {fixed: true, material: oak, shapes: [{half_space: {}}]}
  ball: {material: oak, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.1], velocity: [0.1, 0, 0]}
)";

TEST(Verdict, IsSoundForABallThatBounces) {
  const RunResult r = testing::run_text(kBall + "run: {until: 0.5}\n");
  EXPECT_EQ(r.verdict.grade(), Grade::sound);
  EXPECT_TRUE(r.warnings.empty());
}

class ExplodingSteps : public ::testing::TestWithParam<const char*> {};

/// Steps of 1 ms are ten times too long: the ball leaves with energy from nothing.
TEST_P(ExplodingSteps, ThatExplodeFailWithTheContactAndTheTime) {
  const std::string settings = "run: {until: 1, step: 0.001, integrator: ";
  const RunResult r = run(model_of(kBall + settings + GetParam() + "}\n"));
  EXPECT_EQ(r.status, RunStatus::failed);
  EXPECT_NE(r.reason.find("energy from nothing at t = "), std::string::npos) << r.reason;
  EXPECT_NE(r.reason.find("'floor' and 'ball'"), std::string::npos) << r.reason;
  EXPECT_NE(r.reason.find("it needs one of "), std::string::npos) << r.reason;
  EXPECT_LT(r.time, 0.2);
  EXPECT_EQ(r.verdict.grade(), Grade::broken);
  EXPECT_TRUE(has_reason(r.verdict, "contact_duration"));
  EXPECT_TRUE(has_reason(r.verdict, "energy_from_nothing"));
}

INSTANTIATE_TEST_SUITE_P(Methods, ExplodingSteps, ::testing::Values("semi_implicit_euler", "rk4"),
                         [](const auto& of) { return std::string(of.param); });

TEST(FixedStepRuns, ThatAreShortEnoughAreSound) {
  const RunResult r = testing::run_text(kBall + "run: {until: 0.2, step: 1e-5, integrator: rk4}\n");
  EXPECT_EQ(r.verdict.grade(), Grade::sound);
}

TEST(FixedStepRuns, FailWhereABulletIsThrownOutOfAPlate) {
  const RunResult r = run(model_of(R"(
carom: 1
gravity: off
bodies:
  plate: {fixed: true, material: steel, shapes: [{box: {size: [0.01, 1, 1]}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.005}}], position: [-1, 0, 0], velocity: [100, 0, 0]}
run: {until: 0.05, integrator: semi_implicit_euler, step: 0.001}
)"));
  EXPECT_EQ(r.status, RunStatus::failed);
  EXPECT_EQ(r.verdict.grade(), Grade::broken);
}

TEST(Verdict, IsBrokenWhereAGrainFarAwayFallsThroughTheFloor) {
  const RunResult r = run(model_of(R"(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  b: {material: steel, shapes: [{sphere: {radius: 1e-6}}], position: [3000, 0, 1e-5]}
run: {until: 0.01}
)"));
  EXPECT_NE(r.verdict.grade(), Grade::sound);
}

TEST(Verdict, DoubtsABallThatSinksInTooDeep) {
  const RunResult r = testing::run_text(R"(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: rubber, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 2]}
run: {until: 0.7}
)");
  EXPECT_EQ(r.verdict.grade(), Grade::doubtful);
  ASSERT_TRUE(has_reason(r.verdict, "depth"));
  EXPECT_NEAR(r.verdict.reasons[0].limit, 0.005, 1e-12);
}

/// Rubber that was made a thousand times softer: the finger goes through the rod.
TEST(Verdict, IsBrokenWhereAFingerPassesThroughWhatItGrips) {
  const std::string scene = R"(
carom: 1
gravity: off
bodies:
  rod: {fixed: true, material: steel, shapes: [{cylinder: {radius: 0.006, length: 0.05}, axis: y}]}
  finger:
    material: rubber
    shapes: [{box: {size: [0.01, 0.02, 0.05]}, edge_radius: 0.002}]
    joint: {prismatic: {at: [-0.02, 0, 0], axis: x}, name: slide, damping: 50, drive: {force: 20}}
contact: {k_red: 1e-3}
run: {until: 0.2, tolerance: 1e-6}
)";
  Diagnostics found;
  ASSERT_TRUE(read_scene_text(scene, "scene", {}, found));
  EXPECT_TRUE(std::ranges::any_of(found.all(), [](const Diagnostic& d) {
    return d.severity == Severity::warning && d.message.find("soft already") != std::string::npos;
  }));
  const RunResult r = run(model_of(scene));
  EXPECT_EQ(r.verdict.grade(), Grade::broken);
  ASSERT_TRUE(has_reason(r.verdict, "passed_through"));
  EXPECT_EQ(r.verdict.reasons[0].subject, "contact of 'rod' and 'finger'");
}

/// Two balls of one size are never found deeper in each other than they measure: there the shortest
/// way out changes its side, and the one that moves leaves on the other.
TEST(Verdict, IsBrokenWhereABallComesOutOnTheOtherSide) {
  const RunResult r = run(model_of(R"(
carom: 1
gravity: off
materials: {soft: {density: 1000, youngs_modulus: 1e5, poissons_ratio: 0.3}}
bodies:
  a: {fixed: true, material: soft, shapes: [{sphere: {radius: 0.05}}]}
  b: {material: soft, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.11],
      velocity: [0, 0, -60]}
contact: {friction: none, resistance: none, restitution: 1}
run: {until: 0.01}
)"));
  EXPECT_LT(r.bodies[1].position.z, -0.1);
  EXPECT_EQ(r.verdict.grade(), Grade::broken);
  ASSERT_TRUE(has_reason(r.verdict, "passed_through"));
  EXPECT_NEAR(r.verdict.reasons[0].limit, 0.09, 1e-12);
  EXPECT_LT(r.verdict.reasons[0].value, 0.1);
}

/// A cube of 0.1 m on its corner measures 0.173 m: deeper than that nothing of it is above the
/// floor.
TEST(Verdict, HoldsADepthAgainstWhatABodyMeasuresAsItLies) {
  const auto verdict = [](const std::string& speed) {
    return run(model_of(R"(
carom: 1
gravity: off
materials: {soft: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  cube: {material: soft, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0, 0, 0.09],
         rotation: [0.8880738339771153, 0.3250575836718681, -0.3250575836718681, 0],
         velocity: [0, 0, -)" +
                        speed +
                        R"(]}
contact: {friction: none, resistance: none, restitution: 1}
run: {until: 0.05}
)"))
        .verdict;
  };
  // The second is pressed in to beyond its middle, and thrown back all the same.
  for (const auto& [speed, depth] : {std::pair{"8", 0.05}, std::pair{"30", 0.09}}) {
    const Verdict pressed = verdict(speed);
    EXPECT_EQ(pressed.grade(), Grade::doubtful);
    ASSERT_TRUE(has_reason(pressed, "depth"));
    EXPECT_GT(pressed.reasons[0].value, depth);
    EXPECT_LT(pressed.reasons[0].value, 0.1 * std::sqrt(3.0));
  }
  const Verdict passed = verdict("100");
  EXPECT_EQ(passed.grade(), Grade::broken);
  ASSERT_TRUE(has_reason(passed, "passed_through"));
  // Its corners are round, by a hundredth of its side.
  const double root = std::sqrt(3.0);
  EXPECT_NEAR(passed.reasons[0].limit, 0.1 * root - 0.002 * (root - 1.0), 1e-6);
}

/// The same with a factor that is meant for other materials, and with one for this pair.
TEST(Verdict, WarnsOfReducedStiffnessOnlyWhereSoftMaterialsMeetIt) {
  const auto warns = [](const std::string& contact) {
    Diagnostics found;
    read_scene_text(
        "carom: 1\nbodies:\n  a: {material: steel, shapes: [{sphere: {radius: 0.1}}]}\n"
        "  b: {material: rubber, shapes: [{sphere: {radius: 0.1}}], position: [1, 0, 0]}\n"
        "contact: " +
            contact + "\nrun: {until: 1}\n",
        "scene", {}, found);
    return std::ranges::any_of(found.all(), [](const Diagnostic& d) {
      return d.message.find("soft already") != std::string::npos;
    });
  };
  EXPECT_TRUE(warns("{k_red: 0.01}"));
  EXPECT_FALSE(warns("{k_red: 1}"));
  EXPECT_FALSE(warns("{material_pairs: [{between: [steel, steel], k_red: 0.01}]}"));
  EXPECT_TRUE(warns("{material_pairs: [{between: [steel, rubber], k_red: 0.01}]}"));
  EXPECT_FALSE(warns("{k_red: 0.01, material_pairs: [{between: [steel, rubber], k_red: 1}]}"));
}

/// A blow of 0.2 ms between rows 10 ms apart: without peaks nobody sees its force.
TEST(Verdict, DoubtsForcesThatRowsDoNotResolve) {
  const std::string scene = kBall + "contact: {watch: [[floor, ball]]}\nrun: {until: 0.3, output: ";
  const auto verdict = [&](const std::string& output) {
    MemoryWriter memory;
    RunOptions options;
    options.recorder = &memory;
    return run(model_of(scene + output + "}\n"), options).verdict;
  };
  EXPECT_EQ(verdict("{step: 0.01}").grade(), Grade::sound);
  const Verdict coarse = verdict("{step: 0.01, peaks: off}");
  EXPECT_EQ(coarse.grade(), Grade::doubtful);
  EXPECT_TRUE(has_reason(coarse, "unresolved_force"));
  EXPECT_EQ(verdict("{step: 0.00001, peaks: off}").grade(), Grade::sound);
  EXPECT_EQ(verdict("{step: 0.01, peaks: off, channels: [ball.position]}").grade(), Grade::sound);
}

/// What a run has shown of itself is part of its state.
/// A ball that rests stores next to nothing; one that is put 0.4 mm into steel holds tons.
TEST(Verdict, TellsOfTheEnergyOfAnOverlapAtTheStart) {
  const auto tells = [](double height) {
    const RunResult r = testing::run_text(
        "carom: 1\nbodies:\n  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n"
        "  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, " +
        std::to_string(height) + "]}\nrun: {until: 1e-6}\n");
    return std::ranges::any_of(
        r.warnings, [](const std::string& w) { return w.find("at the start holds") != w.npos; });
  };
  EXPECT_TRUE(tells(0.0496));
  EXPECT_FALSE(tells(0.049999));
  EXPECT_FALSE(tells(0.05));
}

TEST(Verdict, OutlivesARestore) {
  const auto model = model_of(R"(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: rubber, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 2]}
run: {until: 1}
)");
  Simulation simulation(model), other(model);
  simulation.advance(0.7);
  const RunState state = run_state_from_bytes(to_bytes(simulation.save()));
  EXPECT_EQ(other.verdict().grade(), Grade::sound);
  other.restore(state);
  EXPECT_EQ(other.verdict().grade(), Grade::doubtful);
  EXPECT_TRUE(has_reason(other.verdict(), "depth"));
  other.reset();
  EXPECT_EQ(other.verdict().grade(), Grade::sound);
}

/// In a heap the guard may hold back the forces of hundreds of pairs.
TEST(Verdict, TellsTheLargestNotesOfAKindAndHowManyMoreThereAre) {
  std::vector<Finding> findings;
  for (int i = 0; i < 40; ++i) {
    add_finding(findings, {"held_back", "pair " + std::to_string(i), double(i), 0.0, Grade::sound,
                           std::to_string(i)});
  }
  add_finding(findings, {"held_back", "pair 3", 100.0, 0.0, Grade::sound, "100"});
  add_finding(findings, {"held_back", "pair 3", 50.0, 0.0, Grade::sound, "50"});
  add_finding(findings, {"start_overlap", "a", 1.0, 1.0, Grade::sound, "overlap"});
  const Verdict verdict = judge(EnergyWatch{}, 1e-8, 1.0, findings);
  ASSERT_EQ(verdict.notes.size(), 7u);
  EXPECT_EQ(verdict.notes[0].text, "100");
  EXPECT_EQ(verdict.notes[1].text, "39");
  EXPECT_EQ(verdict.notes[4].text, "36");
  EXPECT_EQ(verdict.notes[5].value, 35.0);
  EXPECT_NE(verdict.notes[5].text.find("35 more"), std::string::npos);
  EXPECT_EQ(verdict.notes[6].text, "overlap");
}

}  // namespace
}  // namespace carom
