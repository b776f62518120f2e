#include <gtest/gtest.h>

#include <random>

#include "carom/multibody/joint_kind.h"
#include "scene/scene_helpers.h"

namespace carom {
namespace {

/// A scene with bodies a and b and one joint between them.
JointSpec joint_of(const std::string& kind, const std::string& fields,
                   const std::string& more = "") {
  const Scene scene = read_scene_text(
      "carom: 1\nbodies:\n  a: {mass: 1, markers: {k: {at: [1, 2, 3], rotation: [0.3, -0.4, "
      "0.5]}}}\n"
      "  b: {mass: 1, markers: {l: {at: [-1, 0.5, 0], rotation: [1, 0.2, 0.1]}}}\n"
      "joints:\n  j: {" +
      kind + ": {parent: a, child: b" + fields + "}" + more + "}\n");
  return scene.joints[0];
}

/// X_PB of the child in the parent for coordinates q.
Pose child_in_parent(const JointSpec& joint, const std::vector<double>& q) {
  Pose X_FM;
  find_joint_kind(joint.kind)->evaluate(q.data(), joint.params.data(), &X_FM, nullptr);
  return joint.X_PF * X_FM * inverse(joint.X_BM);
}

void expect_pose(const Pose& a, const Pose& b) {
  // Products of a few rotations: some eps.
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(a.R.m[i], b.R.m[i], 2e-15) << i;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a.p[i], b.p[i], 1e-14) << i;
}

TEST(JointFrames, AtZeroTheChildsAxesAreTheParentsTurnedByRotation) {
  const JointSpec joint =
      joint_of("revolute",
               ", at: [1, 2, 3], child_at: [0.1, 0.2, 0.3], axis: [1, -2, 0.5], rotation: "
               "[0.4, 0.5, -0.6]");
  const Mat3 R = cardan_xyz({0.4, 0.5, -0.6});
  expect_pose(child_in_parent(joint, {0.0}), {R, Vec3{1, 2, 3} - R * Vec3{0.1, 0.2, 0.3}});
}

TEST(JointFrames, ARevoluteTurnsAboutItsAxisThroughItsPlace) {
  const Vec3 axis = normalized(Vec3{1, -2, 0.5});
  const JointSpec joint = joint_of("revolute", ", at: [1, 2, 3], axis: [1, -2, 0.5]");
  const Mat3 R = axis_angle(axis, 0.7);
  expect_pose(child_in_parent(joint, {0.7}), {R, {1, 2, 3}});
}

TEST(JointFrames, EveryAxisWordMeansItsVector) {
  const std::pair<const char*, Vec3> axes[] = {{"x", {1, 0, 0}},   {"y", {0, 1, 0}},
                                               {"z", {0, 0, 1}},   {"-x", {-1, 0, 0}},
                                               {"-y", {0, -1, 0}}, {"-z", {0, 0, -1}}};
  for (const auto& [word, axis] : axes) {
    const JointSpec turn = joint_of("revolute", std::string(", axis: ") + word);
    expect_pose(child_in_parent(turn, {0.3}), {axis_angle(axis, 0.3), {}});
    const JointSpec slide = joint_of("prismatic", std::string(", axis: ") + word);
    expect_pose(child_in_parent(slide, {0.3}), Pose::translation(0.3 * axis));
  }
}

TEST(JointFrames, DefaultAxesAreZAndForASlideX) {
  expect_pose(child_in_parent(joint_of("revolute", ""), {0.3}), {rotation_z(0.3), {}});
  expect_pose(child_in_parent(joint_of("prismatic", ""), {0.3}), Pose::translation({0.3, 0, 0}));
}

TEST(JointFrames, MarkersStandForFramesOfTheirBodies) {
  const Scene scene = read_scene_text(
      "carom: 1\nbodies:\n  a: {mass: 1, markers: {k: {at: [1, 2, 3], rotation: [0.3, -0.4, "
      "0.5]}}}\n"
      "  b: {mass: 1, markers: {l: {at: [-1, 0.5, 0], rotation: [1, 0.2, 0.1]}}}\n"
      "joints:\n  j: {revolute: {parent: a.k, child: b.l, axis: y}}\n");
  const Pose X_AK = scene.bodies[0].markers[0].X_BK, X_BL = scene.bodies[1].markers[0].X_BK;
  const JointSpec& joint = scene.joints[0];
  expect_pose(child_in_parent(joint, {0.4}), X_AK * Pose{rotation_y(0.4), {}} * inverse(X_BL));
}

TEST(JointFrames, FullFramesAreTakenAsGiven) {
  const JointSpec joint =
      joint_of("universal", ", frame: [0.1, 0.2, 0.3], child_frame: [1, 0, 0, 0, 0, 1, 0, -1, 0]");
  expect_pose(joint.X_PF, {cardan_xyz({0.1, 0.2, 0.3}), {}});
  expect_pose(joint.X_BM, {Mat3{{1, 0, 0, 0, 0, 1, 0, -1, 0}}, {}});
}

TEST(JointFrames, RotationsByAnglesQuaternionAndMatrixAgree) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  for (int i = 0; i < 20; ++i) {
    const Vec3 a{uniform(random), uniform(random), uniform(random)};
    const Mat3 R = cardan_xyz(a);
    const Quat q = to_quat(R);
    const auto list = [](std::initializer_list<double> numbers) {
      std::ostringstream text;
      text.precision(17);
      for (const double x : numbers) text << (text.tellp() > 0 ? ", " : "[") << x;
      return text.str() + "]";
    };
    const std::string forms[] = {
        list({a.x, a.y, a.z}), list({q.w, q.x, q.y, q.z}),
        list({R.m[0], R.m[1], R.m[2], R.m[3], R.m[4], R.m[5], R.m[6], R.m[7], R.m[8]})};
    for (const std::string& form : forms) {
      expect_pose(child_in_parent(joint_of("fixed", ", rotation: " + form), {}), {R, {}});
    }
  }
}

TEST(JointFrames, ContradictionsAreReported) {
  const auto has = [](const std::string& fields, const std::string& part) {
    const std::string text =
        "carom: 1\nbodies: {a: {mass: 1}}\njoints:\n  j: {revolute: {" + fields + "}}\n";
    const std::string findings = findings_of(text);
    EXPECT_NE(findings.find(part), std::string::npos) << findings;
  };
  has("child: a, axis: x, frame: [0, 0, 0]", "both axis and frame");
  has("child: a, rotation: [0, 0, 0], child_frame: [0, 0, 0]", "both rotation and child_frame");
  has("child: a, frame: [1, 0, 0, 0, 1, 0, 0, 0, 2]", "no rotation matrix");
  has("child: a, frame: [0, 0, 0, 0]", "quaternion of length 0");
  has("child: a, frame: [2, 0, 0, 0]", "it was normalised");
  has("child: a, axis: [0, 0, 0]", "must point somewhere");
  has("child: a, axis: w", "x, y, z, -x, -y, -z or three numbers");
  has("parent: a", "lacks 'child'");
}

}  // namespace
}  // namespace carom
