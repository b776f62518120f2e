// Balls and ellipsoids on every convex shape, with events. Referees: closed forms, half spaces and
// the features of solids, whose code is another.
#include <cmath>
#include <numbers>

#include "carom/base/text.h"
#include "rigid_scenes.h"

namespace carom {
namespace {

using testing::body;
using testing::run_text;
using testing::text_of;
using testing::times_of;

/// A body thrown at another one that is fixed.
struct ThrowAt {
  std::string target, pose = "position: [0, 0, 0]";
  std::string shape = "ellipsoid: {radii: [0.06, 0.05, 0.04]}";
  Vec3 position{0.02, 0.01, 0.4}, velocity{0.3, -0.2, 0}, turn{3, -2, 1};
  double restitution = 0.4, mu = 0.3, until = 0.6;
};

RunResult throw_at(const ThrowAt& t) {
  return run_text("carom: 1\nbodies:\n  target: {fixed: true, shapes: [{" + t.target + "}], " +
                  t.pose + "}\n  body: {mass: 1, inertia: [1.0e-3, 1.2e-3, 1.4e-3], shapes: [{" +
                  t.shape + "}], position: " + text_of(t.position) +
                  ", velocity: " + text_of(t.velocity) + ", angular_velocity: " + text_of(t.turn) +
                  "}\ncontact: {method: rigid, restitution: " + text_of(t.restitution) +
                  ", mu_k: " + text_of(t.mu) + "}\nrun: {until: " + text_of(t.until) +
                  ", tolerance: 1e-11, integrator: switching, output: {step: 0.05}}\n");
}

void expect_same(const RunResult& a, const RunResult& b, double within, const std::string& what) {
  EXPECT_LT(norm(body(a, "body").position - body(b, "body").position), within) << what;
  EXPECT_LT(norm(body(a, "body").velocity - body(b, "body").velocity), 10.0 * within) << what;
  EXPECT_LT(norm(body(a, "body").angular_velocity - body(b, "body").angular_velocity),
            100.0 * within)
      << what;
  EXPECT_EQ(times_of(a, "impact").size(), times_of(b, "impact").size()) << what;
}

// A face that is wide enough is a plane: an ellipsoid bounces, slides and rolls on it as there.
TEST(RigidTouch, EllipsoidOnAFaceMovesAsOnAPlane) {
  ThrowAt plane;
  plane.target = "half_space: {}";
  const RunResult expected = throw_at(plane);
  ASSERT_GE(times_of(expected, "impact").size(), 3u);
  const struct {
    const char *shape, *pose;
  } kTargets[] = {
      {"box: {size: [4, 4, 1]}", "position: [0, 0, -0.5]"},
      {"cylinder: {radius: 2, length: 1}",
       "position: [0, 0, -0.5], rotation: [0, 1.5707963267948966, 0]"},
      {"cone: {radius: 2, length: 1, top_radius: 1.5}",
       "position: [0, 0, 0], rotation: [0, 1.5707963267948966, 0]"},
      {"hull: {points: [[2, 2, 0], [-2, 2, 0], [-2, -2, 0], [2, -2, 0], [0, 0, -1]]}",
       "position: [0, 0, 0]"},
  };
  for (const auto& target : kTargets) {
    ThrowAt t = plane;
    t.target = target.shape, t.pose = target.pose;
    expect_same(throw_at(t), expected, 1e-8, target.shape);
  }
}

// An ellipsoid with equal radii is a ball, found by another finder: over faces, edges and corners.
TEST(RigidTouch, RoundEllipsoidMovesAsABallOverEdgesAndCorners) {
  const struct {
    const char* shape;
    Vec3 at;
  } kTargets[] = {
      {"box: {size: [0.3, 0.3, 0.3]}", {0.16, 0.0, 0.35}},
      {"box: {size: [0.3, 0.3, 0.3]}", {0.16, 0.165, 0.35}},
      {"tetrahedron: {a: [0.3, 0, 0], b: [-0.2, 0.25, 0], c: [-0.2, -0.25, 0], d: [0, 0, 0.2]}",
       {0.02, 0.03, 0.4}},
      {"capsule: {radius: 0.1, length: 0.3}", {0.12, 0.03, 0.35}},
  };
  for (const auto& target : kTargets) {
    ThrowAt t;
    t.target = target.shape, t.position = target.at, t.restitution = 0.1, t.until = 0.4;
    t.velocity = {-0.1, 0.1, 0};
    t.shape = "ellipsoid: {radii: [0.05, 0.05, 0.05]}";
    const RunResult ellipsoid = throw_at(t);
    t.shape = "sphere: {radius: 0.05}";
    const RunResult ball = throw_at(t);
    ASSERT_GE(times_of(ball, "impact").size(), 1u) << target.shape;
    expect_same(ellipsoid, ball, 1e-7, target.shape);
  }
}

// Without friction a ball that slides down a round leaves it where cos = 2/3 of the start's.
TEST(RigidTouch, BallLeavesTheSideOfACylinderAtTwoThirds) {
  for (const std::string shape :
       {"sphere: {radius: 0.05}", "ellipsoid: {radii: [0.05, 0.05, 0.05]}"}) {
    ThrowAt t;
    const double R = 0.25, start = 0.3;
    t.target = "cylinder: {radius: 0.2, length: 1}";
    t.pose = "rotation: [0, 0, 1.5707963267948966]";  // along y
    t.shape = shape;
    t.position = {R * std::sin(start), 0, R * std::cos(start)};
    t.velocity = t.turn = {};
    t.mu = t.restitution = 0.0, t.until = 0.5;
    const RunResult result = throw_at(t);
    const std::vector<double> leaves = times_of(result, "lift_off");
    ASSERT_EQ(leaves.size(), 1u);
    // From there on it falls freely, along x with what energy says.
    const double cosine = 2.0 / 3.0 * std::cos(start);
    const double speed = std::sqrt(2.0 * 9.81 * R * (std::cos(start) - cosine));
    EXPECT_NEAR(body(result, "body").velocity.x, speed * cosine, 1e-9) << shape;
  }
}

// Rims, apexes and sides: bias terms that are wrong would let gaps drift, and the projection that
// mends them would do work. Where a face passes to a rim curvature jumps, which is no event: such
// steps err by some hundred tolerances of the 3 J that are turned over.
TEST(RigidTouch, NoWorkIsDoneByWhatHoldsGapsClosedOnRims) {
  for (const std::string target :
       {"cylinder: {radius: 0.15, length: 0.2}", "cone: {radius: 0.15, length: 0.2}",
        "beam: {length: 0.3, width: 0.15, thickness: 0.1}"}) {
    for (const std::string shape :
         {"sphere: {radius: 0.05}", "ellipsoid: {radii: [0.06, 0.05, 0.04]}"}) {
      for (int k = 0; k < 4; ++k) {
        ThrowAt t;
        t.target = target, t.shape = shape;
        t.pose = "rotation: [" + text_of(0.3 * k) + ", " + text_of(1.1 - 0.7 * k) + ", 0.2]";
        t.position = {0.03 * k - 0.02, 0.05 - 0.02 * k, 0.35};
        t.restitution = 0.0, t.velocity = {0.2, 0.1, 0}, t.until = 0.5;
        const RunResult result = throw_at(t);
        EXPECT_EQ(result.status, RunStatus::completed) << target << shape << k << result.reason;
        EXPECT_LT(std::abs(result.energy.model_work), 2e-8) << target << " " << shape << " " << k;
      }
    }
  }
}

// Where shapes meet whose events are not known `auto` takes time steps, and says so; other methods
// are refused.
TEST(RigidTouch, AutoGoesOverWhereUnknownShapesMeet) {
  const std::string text =
      "carom: 1\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n  box: {mass: 1, "
      "shapes: [{box: {size: [0.4, 0.3, 0.2]}}], position: [0, 0, 0.1]}\n  can: {mass: 1, shapes: "
      "[{superquadric: {radii: [0.1, 0.1, 0.1], exponents: [4, 4]}}], position: [0, 0, "
      "HEIGHT]}\ncontact: {method: rigid, restitution: 0, mu_k: 0.5}\nrun: {until: "
      "0.5, integrator: METHOD, output: {step: 0.05}}\n";
  const auto with = [&](const std::string& height, const std::string& method) {
    std::string scene = text;
    scene.replace(scene.find("HEIGHT"), 6, height);
    return scene.replace(scene.find("METHOD"), 6, method);
  };
  for (const auto& [height, when] : {std::pair{"0.3", 0.0}, {"0.4", std::sqrt(0.2 / 9.81)}}) {
    const RunResult result = run_text(with(height, "auto"));
    ASSERT_EQ(result.status, RunStatus::completed) << result.reason;
    ASSERT_EQ(times_of(result, "stepping_on").size(), 1u);
    EXPECT_NEAR(times_of(result, "stepping_on")[0], when, 1e-6);
    EXPECT_NEAR(body(result, "can").position.z, 0.3, 1e-6);
    EXPECT_EQ(result.verdict.grade(), Grade::doubtful);
  }
  EXPECT_THROW(run_text(with("0.3", "erk8")), InputError);
}

}  // namespace
}  // namespace carom
