#include "carom/scene/read/read.h"

#include <gtest/gtest.h>

#include "scene/everything.h"
#include "scene/scene_helpers.h"

namespace carom {
namespace {

void expect_finding(const std::string& text, const std::string& part) {
  const std::string findings = findings_of(text);
  EXPECT_NE(findings.find(part), std::string::npos) << text << "\nfindings:\n" << findings;
}

/// A scene with two bodies and something more.
std::string with(const std::string& more) {
  return "carom: 1\nbodies:\n  a: {mass: 1, markers: {tip: [1, 0, 0]}}\n  b: {mass: 1}\n" + more;
}

TEST(ReadScene, EveryExampleIsValidWithoutWarnings) {
  for (const std::string& file : example_files()) {
    Diagnostics findings;
    EXPECT_TRUE(read_scene_file(file, ReadOptions{}, findings)) << file;
    EXPECT_EQ(all_findings(findings), "");
  }
}

TEST(ReadScene, GivesWhatTheFileSays) {
  const Scene s = read_scene_text(kEverything);
  EXPECT_EQ(s.description, "Two lines,\nand a colon: here.\n");
  EXPECT_EQ(s.bodies.size(), 9u);
  EXPECT_EQ(s.bodies[1].shapes[0].shape.params[0], 0.05);
  EXPECT_EQ(s.bodies[1].orientation, (Quat{0.5, 0.5, 0.5, 0.5}));
  // Joints of bodies come first, in the order of the bodies.
  ASSERT_EQ(s.joints.size(), 8u);
  EXPECT_EQ(s.joints[0].name, "pivot");
  EXPECT_EQ(s.joints[0].parent, "table");
  EXPECT_EQ(s.joints[0].child, "arm");
  EXPECT_EQ(s.joints[0].q, std::vector<double>{0.3});
  EXPECT_EQ(s.joints[1].name, "finger_joint");
  const JointSpec& elbow = s.joints[2];
  EXPECT_EQ(elbow.dofs[0].stop_stiffness, 1e4);
  EXPECT_EQ(elbow.dofs[0].drive->reference.times, (std::vector<double>{0, 1}));
  EXPECT_EQ(elbow.dofs[0].drive->limit, 50.0);
  EXPECT_TRUE(elbow.collide);
  const JointSpec& spin = s.joints[5];
  EXPECT_EQ(spin.dofs[0].coulomb, 0.5);
  EXPECT_EQ(spin.dofs[1].coulomb, 0.0);
  EXPECT_FALSE(spin.dofs[0].upper);
  EXPECT_EQ(spin.dofs[1].upper, 0.3);
  EXPECT_TRUE(spin.dofs[0].drive && !spin.dofs[1].drive);
  EXPECT_TRUE(s.joints[7].loop);
  EXPECT_EQ(s.joints[7].active_until, 5.0);
  EXPECT_EQ(s.couplings[1].ratio, 0.02);
  EXPECT_EQ(s.couplings[1].first_dof, 1);
  EXPECT_EQ(s.couplings[2].offset, 0.25);
  EXPECT_EQ(s.forces[0].from.X_BK.p, (Vec3{0.4, 0.1, 0}));
  EXPECT_EQ(s.forces[0].signals[0].formula, "k*x+1e4*x^3+0.1*v");
  EXPECT_EQ(s.forces[3].signals[1].value, 50.0);  // "=k" without t is a number
  EXPECT_TRUE(s.forces[3].in_body_axes);
  EXPECT_EQ(s.forces[4].signals[0].formula, "ref");
  EXPECT_EQ(s.events[1].assignments[1].second, 100.0);
  EXPECT_EQ(s.initial.keep, std::vector<std::string>{"pivot"});
  EXPECT_EQ(s.run.max_steps, 1000);
  EXPECT_EQ(s.run.max_cpu, 3600.0);
  EXPECT_EQ(s.run.checkpoint, 0.5);
}

TEST(ReadScene, FindsAllErrorsInOnePass) {
  const std::string findings = findings_of(
      "carom: 1\n"
      "gravty: [0, 0, -9.81]\n"
      "bodies:\n"
      "  ball: {material: steal, shapes: [{sphere: {raduis: 0.1}}]}\n"
      "  box: {mass: -1, velocity: [1, 2]}\n"
      "  arm: {mass: 1, joint: {revolute: {parent: bax}}}\n"
      "run: {until: soon}\n");
  const char* expected[] = {
      "test.yaml:2:1: error: 'gravty' is not known in the scene\n  remedy: did you mean 'gravity'?",
      "test.yaml:4:20: error: bodies.ball.material: there is no material 'steal'\n  remedy: did "
      "you "
      "mean 'steel'?",
      "test.yaml:4:46: error: 'raduis' is not known in bodies.ball.shapes.0.sphere\n  remedy: did "
      "you mean 'radius'?",
      "bodies.ball.shapes.0.sphere lacks 'radius'",
      "test.yaml:5:15: error: bodies.box.mass is -1, it must be greater than 0 [kg]",
      "test.yaml:5:29: error: bodies.box.velocity is a list of 2, it must be a list of 3 numbers",
      "test.yaml:6:45: error: bodies.arm.joint.revolute.parent: there is no body 'bax'\n  remedy: "
      "did you mean 'box'?",
      "test.yaml:7:14: error: run.until is 'soon', it must be a number"};
  for (const char* part : expected) {
    EXPECT_NE(findings.find(part), std::string::npos) << part << "\nin\n" << findings;
  }
}

TEST(ReadScene, TheVersionIsRequiredAndChecked) {
  expect_finding("bodies: {}\n", "lacks 'carom'");
  expect_finding("carom: 2\n", "carom is 2");
  expect_finding("carom: one\n", "carom is 'one'");
  expect_finding("", "the scene is empty");
  expect_finding("[1, 2]", "the scene is a list");
}

TEST(ReadScene, NamesShareOneSpaceAndHaveRules) {
  expect_finding(with("joints: {a: {revolute: {child: b}}}\n"), "already that of a body");
  expect_finding(with("signals: {b: 1}\n"), "already that of a body");
  expect_finding(with("states: {s: {rate: 1}}\nsignals: {s: 1}\n"), "already that of a signal");
  expect_finding(with("values: {a: 1}\n"), "already that of a value");
  expect_finding("carom: 1\nbodies: {my-ball: {mass: 1}}\n", "it holds '-'");
  expect_finding("carom: 1\nbodies: {a.b: {mass: 1}}\n", "it holds '.'");
  expect_finding("carom: 1\nbodies: {2a: {mass: 1}}\n", "it begins with '2'");
  for (const char* word : {"world", "t", "pi", "e", "energy", "sin", "time"}) {
    expect_finding(std::string("carom: 1\nbodies: {") + word + ": {mass: 1}}\n",
                   "meaning of its own");
  }
}

TEST(ReadScene, TheTreeOfJointsIsChecked) {
  expect_finding(with("joints: {j: {revolute: {child: a}}, k: {revolute: {child: a}}}\n"),
                 "carried by two joints");
  expect_finding(with("joints: {j: {revolute: {parent: b, child: a}}, k: {revolute: {parent: a, "
                      "child: b}}}\n"),
                 "form a circle");
  expect_finding(with("joints: {j: {revolute: {parent: a, child: a}}}\n"), "with itself");
  expect_finding(with("joints: {j: {revolute: {parent: a, child: world}}}\n"), "carries the world");
  expect_finding("carom: 1\nbodies: {f: {fixed: true, joint: {revolute: {}}}}\n", "which is fixed");
  expect_finding(with("joints: {j: {revolute: {child: a}, active: {from: 1}}}\n"),
                 "closes no loop");
  expect_finding(
      "carom: 1\nbodies: {a: {mass: 1, position: [0, 0, 1], joint: {revolute: {}, q: "
      "1}}}\n",
      "has q, and body 'a' a position");
}

TEST(ReadScene, CoordinatesAndWhatActsAlongThemAreChecked) {
  const auto joint = [](const std::string& more) {
    return with("joints: {j: {cylindrical: {child: a}, " + more + "}}\n");
  };
  expect_finding(joint("q: 1"), "a list of 2 numbers");
  expect_finding(joint("q: [1, 2, 3]"), "a list of 2 numbers");
  expect_finding(joint("damping: [1]"), "a list of 2, one per coordinate");
  expect_finding(joint("damping: -1"), "at least 0");
  expect_finding(joint("limits: {lower: 2, upper: 1}"), "lower is not below upper");
  expect_finding(joint("limits: {}"), "neither lower nor upper");
  expect_finding(joint("friction: {coulomb: 2, static: 1}"), "static friction is below");
  expect_finding(joint("spring: {rest: 1}"), "lacks 'stiffness'");
  expect_finding(joint("drive: {position: 1, gain: 3}"), "has no meaning for a drive of position");
  expect_finding(joint("drive: {position: 1, velocity: 3}"), "both 'position' and 'velocity'");
  expect_finding(joint("drive: {stiffness: 1}"), "does not say what it is");
  expect_finding(joint("drive: {force: 1}, motion: 2"), "a drive and a prescribed motion");
  expect_finding(with("joints: {j: {fixed: {child: a}, damping: 1}}\n"), "acts on nothing");
  expect_finding(with("joints: {j: {spherical: {child: a}, q: [0, 0, 0, 0]}}\n"),
                 "zero quaternion");
  expect_finding(with("joints: {j: {spherical: {child: a}, q: [2, 0, 0, 0]}}\n"), "warning");
  expect_finding(with("joints: {j: {revolut: {child: a}}}\n"), "did you mean 'revolute'?");
  expect_finding(with("joints: {j: {revolute: {child: a}, name: k}}\n"), "the key is the name");
}

TEST(ReadScene, ReferencesAreChecked) {
  expect_finding(with("joints: {j: {revolute: {parent: a.tp, child: b}}}\n"),
                 "did you mean 'tip'?");
  expect_finding(with("forces: {s: {spring: {to: c, stiffness: 1}}}\n"), "there is no body 'c'");
  expect_finding(with("forces: {s: {spring: {from: a, to: a.tip, stiffness: 1}}}\n"),
                 "grips 'a' at both ends");
  expect_finding(with("couplings: {c: {gear: {joints: [x, y], ratio: 1}}}\n"),
                 "there is no joint 'x'");
  expect_finding(with("joints: {j: {planar: {child: a}}, k: {revolute: {child: b}}}\n"
                      "couplings: {c: {gear: {joints: [j, k], ratio: 1}}}\n"),
                 "has 3 coordinates");
  expect_finding(with("joints: {j: {planar: {child: a}}, k: {revolute: {child: b}}}\n"
                      "couplings: {c: {gear: {joints: [j.w, k], ratio: 1}}}\n"),
                 "has no coordinate 'w'");
  expect_finding(with("initial: {assemble: {keep: [nothing]}}\n"), "there is no joint 'nothing'");
}

TEST(ReadScene, SignalsAndFormulasAreChecked) {
  const auto load = [](const std::string& value) {
    return with(
        "signals: {ref: 1}\njoints: {j: {revolute: {child: b}}}\nforces: {f: {force: {body: "
        "a, value: [0, 0, " +
        value + "]}}}\n");
  };
  EXPECT_EQ(findings_of(load("\"=ref + j.q + a.position.x + a.tip.velocity.z + t\"")), "");
  expect_finding(load("\"=ref2\""), "did you mean 'ref'?");
  expect_finding(load("\"=c.position.x\""), "there is no 'c'");
  expect_finding(load("\"=j\""), "name one of them, such as j.q");
  expect_finding(load("\"=x\""), "there is no 'x'");
  expect_finding(load("\"=1, 2\""), "one result");
  expect_finding(load("\"=t=2\""), "cannot assign");
  expect_finding(load("reff"), "did you mean 'ref'?");
  expect_finding(load("{sine: {amplitud: 1}}"), "did you mean 'amplitude'?");
  expect_finding(load("{table: [[0, 1], [0, 2]]}"), "times must increase");
  expect_finding(load("{table: []}"), "an empty list");
  expect_finding(load("{table: {times: [0, 1], values: [1]}}"), "2 times and 1 values");
  expect_finding(load("{table: {points: [[0, 1]], times: [0]}}"), "points and times");
  expect_finding(load("[1]"), "it must be a signal");
  expect_finding(load(".nan"), "finite");
  expect_finding(load("{sine: {}, step: {}}"), "both 'sine' and 'step'");
  expect_finding(with("forces: {s: {spring: {to: a, law: {sine: {}}}}}\n"),
                 "a formula in the deflection x");
  expect_finding(with("events: {e: {when: \"t - \"}}\n"), "events.e.when is 't - '");
  expect_finding(with("events: {e: {when: t, do: jump}}\n"), "one of record, stop");
  expect_finding(with("events: {e: {when: t, do: {set: {joints.k.damping: 1}}}}\n"),
                 "there is no 'joints.k'");
}

TEST(ReadScene, TheRunIsChecked) {
  expect_finding(with("run: {until: -1}\n"), "until must be later than start");
  expect_finding(with("run: {tolerance: 0}\n"), "at least 1e-15");
  expect_finding(with("run: {max_steps: 1.5}\n"), "a whole number");
  expect_finding(with("run: {max_cpu: 0}\n"), "run.max_cpu");
  expect_finding(with("run: {output: {step: 1e-300}}\n"), "1e9 samples");
  expect_finding(with("run: {until: .inf}\n"), "a finite number");
  expect_finding(with("gravity: [0, 0, .nan]\n"), "a finite number");
  expect_finding(with("gravity: down\n"), "write [0, 0, -9.81] or off");
}

TEST(ReadScene, MeshFilesAreReadFromBelowTheScene) {
  const TemporaryFolder folder;
  const char* tetrahedron =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  folder.write("parts/part.obj", tetrahedron);
  folder.write("parts/part.yaml",
               "bodies: {m: {mass: 2, shapes: [{mesh: {file: part.obj, scale: 0.1}}]}}\n");
  const std::string path = folder.write("scene.yaml", "carom: 1\ninclude: parts/part.yaml\n");
  Diagnostics findings;
  const auto scene = read_scene_file(path, ReadOptions{}, findings);
  ASSERT_TRUE(scene) << all_findings(findings);
  const ShapeSpec& shape = scene->bodies[0].shapes[0];
  EXPECT_EQ(shape.file, "parts/part.obj");
  EXPECT_EQ(shape.scale, (Vec3{0.1, 0.1, 0.1}));
  // A corner of a cube: a sixth of its volume (vertices come as floats).
  EXPECT_NEAR(shape.shape.mesh->report.volume, 1e-3 / 6.0, 1e-9);

  const std::string outside = folder.write(
      "inner/scene.yaml",
      "carom: 1\nbodies: {m: {mass: 1, shapes: [{mesh: {file: ../parts/part.obj}}]}}\n");
  Diagnostics refused;
  EXPECT_FALSE(read_scene_file(outside, ReadOptions{}, refused));
  EXPECT_NE(all_findings(refused).find("scene.yaml:2:46: error: '../parts/part.obj' lies outside"),
            std::string::npos)
      << all_findings(refused);
}

TEST(ReadScene, FilesThatTheSceneCarriesNeedNoFolder) {
  ReadOptions options;
  options.carried = {{"parts/part.obj",
                      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"},
                     {"empty.obj", ""}};
  const auto scene_with = [](const std::string& file) {
    return "carom: 1\nbodies: {m: {mass: 1, shapes: [{mesh: {file: " + file + "}}]}}\n";
  };
  Diagnostics findings;
  const auto scene = read_scene_text(scene_with("parts/part.obj"), "test", options, findings);
  ASSERT_TRUE(scene) << all_findings(findings);
  EXPECT_EQ(scene->bodies[0].shapes[0].file, "parts/part.obj");
  EXPECT_NEAR(scene->bodies[0].shapes[0].shape.mesh->report.volume, 1.0 / 6.0, 1e-12);
  EXPECT_NE(findings_of(scene_with("empty.obj"), options).find("no triangles"), std::string::npos);
  EXPECT_NE(findings_of(scene_with("other.obj"), options).find("the scene has no folder"),
            std::string::npos);
}

TEST(ReadScene, GivesUpCountingErrorsAtSomePoint) {
  std::string text = "carom: 1\nbodies:\n";
  for (int i = 0; i < 3000; ++i) text += "  b" + std::to_string(i) + ": {mas: 1}\n";
  Diagnostics findings;
  EXPECT_FALSE(read_scene_text(text, "test.yaml", {}, findings));
  EXPECT_EQ(findings.all().size(), 500u);
}

}  // namespace
}  // namespace carom
